"""What is written: the recoding, the file, its verification, its manifest."""
