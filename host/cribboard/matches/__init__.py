"""Results of finished games: what they are worth, how matches stand, and the record of what was played."""
