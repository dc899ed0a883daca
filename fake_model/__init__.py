"""The scripted model: scripts, the player, provider wire formats, faults and the journal."""
