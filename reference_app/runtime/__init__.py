"""The agent loop: it plans with a model and the tools that it is handed, and owns nothing else."""
