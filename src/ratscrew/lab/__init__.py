"""The lab: simulates whole games by the million to measure what a rule or a trait is worth. No live play."""
