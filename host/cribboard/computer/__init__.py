"""The computer as a player of two-handed cribbage: it discards, plays and counts for the best chance to win."""
