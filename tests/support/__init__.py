"""What tests share: oracles, builders, and one way to run the command line. No test stands here."""
