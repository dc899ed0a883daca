"""The cases: each shows whether one requirement holds at a target."""
