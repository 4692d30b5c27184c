"""Reports on a release: the document, its variant for publication, the HTML pages."""
