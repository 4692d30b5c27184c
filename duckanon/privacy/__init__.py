"""Privacy models, one file a model: each renders the verdict over a relation of classes."""
