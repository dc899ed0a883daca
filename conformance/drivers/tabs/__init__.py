"""The kinds of tab: a stub that the suite plays itself, the target's own headless process, the target's real page."""
