"""What tests of your own rules, bots and tables can lean on. Nothing in the package imports this folder."""
