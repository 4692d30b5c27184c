"""What `import duckanon` offers: the commands as functions, and a release as an object."""
