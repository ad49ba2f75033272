"""Public helpers for tests of your own rules, bots and logs. The rest of the package does not import them."""
