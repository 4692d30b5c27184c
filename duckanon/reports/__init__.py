"""The report on a release: its document, what of it may be published, its pages."""
