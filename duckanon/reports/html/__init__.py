"""Pages that people look at: one document model drawn as self-contained HTML."""
