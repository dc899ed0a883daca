"""The suite's ends of the connections: the person, the RPC client, the browser tab, the target's process."""
