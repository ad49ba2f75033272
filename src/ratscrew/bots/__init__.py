"""Bots: a view in, a plan out. Nothing in this folder sees more than a player sees."""
