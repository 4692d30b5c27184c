"""What a release is still good for: distributions, who loses most, associations, and answers to count queries."""
