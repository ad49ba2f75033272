"""The lab: whole games by the million, to find out what a rule or a habit is worth. Nothing here is played live."""
