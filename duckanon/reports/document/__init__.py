"""The content of a report as one document, internal and for publication."""
