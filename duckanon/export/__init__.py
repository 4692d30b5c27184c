"""The SQL export: a saved recoding as SQL for engines that duckanon does not control."""
