"""The scenes of examples/medial, by name: every function takes `fine` (False: seconds, True: for the benchmark)."""
