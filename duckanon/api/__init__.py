"""The library interface of `import duckanon`: the commands as functions, and a release as an object."""
