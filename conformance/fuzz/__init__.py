"""Fuzzing: requests that nobody wrote, sent to the running target, and what no answer to them may show."""
