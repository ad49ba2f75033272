"""What can be computed from the logs of finished games."""
