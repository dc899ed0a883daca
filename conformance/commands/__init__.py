"""The commands of `dualplane`, one a module: options, the call, what is printed."""
