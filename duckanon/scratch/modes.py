"""Who may open what a run keeps to itself: its owner alone."""

OWNER_ONLY, OWNER_ONLY_FOLDER = 0o600, 0o700
