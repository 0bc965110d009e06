"""The analyst: exact chances and averages, all of them from tables that the core's own count fills."""
