"""The handlers of HTTP requests."""
