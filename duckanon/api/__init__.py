"""What `import duckanon` gives: the commands as functions, on files and on tables of other programs, and a release as an object."""
