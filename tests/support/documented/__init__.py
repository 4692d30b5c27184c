"""Does what the pages of the documentation show, as a reader would."""
