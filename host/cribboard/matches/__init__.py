"""Results of finished games: what they are worth, and how matches stand."""
