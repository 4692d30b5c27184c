"""The warehouse hand-over: a frozen recoding as SQL for engines that duckanon does not drive."""
