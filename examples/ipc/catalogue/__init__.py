"""The scenes of examples/ipc, by name: every function takes `fine` (False: seconds, True: for the benchmark)."""
