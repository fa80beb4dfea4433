"""The scenes of examples/stiff, by name: every function takes `fine` (False: seconds, True: for the benchmark)."""
