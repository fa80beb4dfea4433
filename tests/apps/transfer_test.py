"""`marrow transfer`: fields of a run on another mesh, and what is refused."""
import itertools
import json
import unittest

from program_case import ProgramCase

SCENE = {
    "name": "two bars",
    "time": {"step": 0.02, "duration": 0.1},
    "output": {"vtu_every": 1},
    "bodies": [
        {"name": "bar", "shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 6, "cells_y": 2, "cells_z": 2},
         "material": {"youngs_modulus": 1e6},
         "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}]},
        {"name": "other", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 2, 0]},
        {"name": "floor", "kind": "obstacle", "shape": {"type": "plate"}, "position": [0, -2, 0]},
    ],
}


def write_box(path, cells, size):
    """A box about the origin as a legacy VTK file: each cell is cut into six tets along one diagonal."""
    points, number = [], {}
    for place in itertools.product(*(range(n + 1) for n in cells)):
        number[place] = len(points)
        points.append([(p / n - 0.5) * s for p, n, s in zip(place, cells, size)])
    tets = []
    for cell in itertools.product(*(range(n) for n in cells)):
        for order in itertools.permutations(range(3)):
            place, corners = list(cell), [number[cell]]
            for axis in order:
                place[axis] += 1
                corners.append(number[tuple(place)])
            if order not in [(0, 1, 2), (1, 2, 0), (2, 0, 1)]:
                corners[2], corners[3] = corners[3], corners[2]
            tets.append(corners)
    lines = ["# vtk DataFile Version 3.0", "box", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double"]
    lines += [" ".join(map(repr, p)) for p in points]
    lines += [f"CELLS {len(tets)} {5 * len(tets)}"] + ["4 " + " ".join(map(str, t)) for t in tets]
    lines += [f"CELL_TYPES {len(tets)}"] + ["10"] * len(tets)
    path.write_text("\n".join(lines) + "\n")


class TransferTest(ProgramCase):
    def setUp(self):
        super().setUp()
        scene = self.folder / "scene.json"
        scene.write_text(json.dumps(SCENE))
        self.run_ok(scene, "-o", self.folder / "run")
        frames = sorted((self.folder / "run" / "frames").glob("*.vtu"))
        self.first, self.last = frames[0], frames[-1]
        self.fine = self.folder / "fine.vtk"
        write_box(self.fine, (7, 3, 3), (1, 0.2, 0.2))
        self.out = self.folder / "fine.vtu"

    def transfer(self, *arguments):
        return self.marrow("transfer", *arguments)

    def test_positions_and_fields_keep_their_integrals(self):
        result = self.transfer(self.last, "--body", 0, "--rest", self.first, "--to", self.fine, "-o", self.out, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["inverted"], [])
        self.assertEqual(report["extended_points"], 0)
        self.assertAlmostEqual(report["common_volume"], 0.04, delta=1e-13)
        self.assertIn("velocity_1", report["fields"])
        self.assertNotIn("contact_force_1", report["fields"])
        self.assertLess(report["fields"]["velocity_1"]["integral_after"], -1e-4)  # it sags
        for name, field in report["fields"].items():
            scale = max(1e-3, abs(field["integral_before"]))
            self.assertAlmostEqual(field["integral_after"], field["integral_before"], delta=1e-12 * scale, msg=name)

    def test_the_result_is_a_frame_and_goes_back(self):
        self.transfer(self.last, "--body", 0, "--rest", self.first, "--to", self.fine, "-o", self.out)
        info = self.marrow("info", self.out)
        self.assertEqual(info.returncode, 0, info.stderr)
        again = self.folder / "again.vtu"
        result = self.transfer(self.out, "--rest", self.fine, "--to", self.fine, "-o", again, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        for name, field in json.loads(result.stdout)["fields"].items():
            self.assertAlmostEqual(field["integral_after"], field["integral_before"],
                                   delta=1e-12 * max(1e-3, abs(field["integral_before"])), msg=name)

    def test_what_does_not_overlap_is_said(self):
        small = self.folder / "small.vtk"
        write_box(small, (2, 2, 2), (0.5, 0.5, 0.2))
        result = self.transfer(self.first, "--body", 0, "--to", small, "-o", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("of the new mesh (60 %) lie outside the old one", result.stdout)
        self.assertIn("of the old mesh (50 %) lie outside the new one", result.stdout)

    def test_mistakes(self):
        cases = [
            ([self.last, "--to", self.fine], "2 bodies have elements"),
            ([self.last, "--body", 7, "--to", self.fine], "body 7 has no elements"),
            ([self.fine, "--to", self.fine], "is not a frame (.vtu)"),
            ([self.last, "--body", 0, "--rest", self.fine, "--to", self.fine], "but the frame's body has"),
            ([self.last, "--body", 0, "--to", self.folder / "none.msh"], "none.msh"),
        ]
        for arguments, text in cases:
            result = self.transfer(*arguments, "-o", self.out)
            self.assertIn(result.returncode, (1, 2), text)
            self.assertIn(text, result.stderr)
            self.assertFalse(self.out.exists())
        result = self.transfer(self.last, "--body", 0, "--to", self.fine, "-o", self.last)
        self.assertNotEqual(result.returncode, 0)

    def test_surfaces_in_space_are_refused(self):
        sheet = self.folder / "sheet.obj"
        sheet.write_text("v 0 0 0\nv 1 0 0\nv 0 1 1\nf 1 2 3\n")
        result = self.transfer(self.last, "--body", 0, "--to", sheet, "-o", self.out)
        self.assertEqual(result.returncode, 2)
        self.assertIn("do not lie in one plane", result.stderr)


if __name__ == "__main__":
    unittest.main()
