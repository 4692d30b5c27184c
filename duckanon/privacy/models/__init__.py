"""The privacy models, one file each, with the paper and whether the model is monotone."""
