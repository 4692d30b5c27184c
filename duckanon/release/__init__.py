"""The output of a run: the recoding, the file, its verification, its manifest."""
