"""Bodies with curved tets, from a mesh file to results: frames, checks, conversion, resuming."""
import json
import math
import re
import struct
import unittest

from program_case import WRITTEN, ProgramCase, unpack_frame

EDGES = [(0, 1), (1, 2), (2, 0), (3, 0), (3, 2), (3, 1)]  # of Gmsh's tet of order 2


def ball(radius):
    """Eight tets of order 2 around a centre, as a Gmsh file of version 2.2; the corners and edges of the boundary
    are on the sphere."""
    corners = [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    nodes, numbers, tets = [tuple(radius * c for c in x) for x in corners], {}, []
    for x in (1, 2):
        for y in (3, 4):
            for z in (5, 6):
                even = ((x == 2) + (y == 4) + (z == 6)) % 2 == 0
                tet = [0, x, y, z] if even else [0, y, x, z]
                for a, b in EDGES:
                    key = tuple(sorted((tet[a], tet[b])))
                    if key not in numbers:
                        middle = [(p + q) / 2 for p, q in zip(nodes[key[0]], nodes[key[1]])]
                        if key[0] > 0:
                            middle = [radius * c / math.hypot(*middle) for c in middle]
                        numbers[key] = len(nodes)
                        nodes.append(tuple(middle))
                    tet.append(numbers[key])
                tets.append(tet)
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes))]
    lines += [f"{i + 1} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(nodes)]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{i + 1} 11 0 " + " ".join(str(n + 1) for n in tet) for i, tet in enumerate(tets)]
    return "\n".join(lines + ["$EndElements", ""])


SCENE = {
    "time": {"step": 0.02, "duration": 0.16, "frame_every": 2},
    "output": {"vtu_every": 1},
    "bodies": [
        {"name": "ball", "mesh": "ball.msh", "surface_deviation": 0.003, "position": [0, 0.11, 0],
         "material": {"density": 1000, "youngs_modulus": 1e5}},
        {"name": "cube", "shape": {"type": "box", "size": [0.1, 0.1, 0.1], "cells_x": 1, "cells_y": 1, "cells_z": 1},
         "position": [0.4, 0.06, 0], "order": 3},
        {"name": "floor", "kind": "obstacle", "plane": {}},
    ],
}


def numbers_of(frame, name, kind):
    """The place and the numbers of an array of an unpacked frame."""
    content = frame.read_bytes()
    offset = int(re.search(rb'Name="%s"[^>]*offset="(\d+)"' % name.encode(), content)[1])
    start = content.index(b"_", content.index(b"<AppendedData")) + 1 + offset
    (size,) = struct.unpack_from("<Q", content, start)
    return start + 8, struct.unpack_from(f"<{size // struct.calcsize(kind)}{kind}", content, start + 8)


class CurvedTest(ProgramCase):
    def setUp(self):
        super().setUp()
        (self.folder / "ball.msh").write_text(ball(0.1), encoding="utf-8")
        self.scene = self.write_scene(SCENE)

    def run_scene(self, name="out", *arguments):
        out = self.folder / name
        done = self.marrow("run", self.scene, "-o", out, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def test_info_and_check_tell_of_the_curved_tets(self):
        mesh = self.marrow("info", self.folder / "ball.msh").stdout
        self.assertRegex(mesh, r"order +2\n +nodes +25\n +curved tets  8\n")
        self.assertRegex(mesh, r"turned over  none, anywhere inside")
        self.assertEqual(self.marrow("check", self.folder / "ball.msh").returncode, 0)
        scene = self.marrow("info", self.scene).stdout
        bound = re.search(r"order 2, 8 curved tets, 25 nodes, faces cut into (\d) × \1 triangles, at most ([\d.e-]+) m",
                          scene)
        self.assertIsNotNone(bound, scene)
        self.assertLessEqual(float(bound[2]), 0.003)
        self.assertIn("order 3, 6 curved tets, 64 nodes, faces cut into 3 × 3 triangles", scene)
        self.assertIn(bound[0], self.marrow("check", self.scene).stdout)
        report = json.loads(self.marrow("check", self.scene, "--json").stdout)
        self.assertEqual([(c["body"], c["order"], c["tets"]) for c in report["curved"]], [("ball", 2, 8), ("cube", 3, 6)])

    def test_frames_have_the_curved_tets(self):
        out = self.run_scene()
        frame = out / "frames/frame_000004.vtu"
        unpack_frame(frame)
        _, types = numbers_of(frame, "types", "B")
        _, ends = numbers_of(frame, "offsets", "i")
        sizes = [end - begin for begin, end in zip((0,) + ends, ends)]
        self.assertEqual([size for size, kind in zip(sizes, types) if kind == 71], 8 * [10] + 6 * [20])
        _, stress = numbers_of(frame, "von_mises", "f")
        _, points = numbers_of(frame, "Points", "d")
        self.assertEqual(3 * len(stress), len(points))
        nodes = 25 + 64
        self.assertGreater(max(stress[-nodes:]), 0)
        # The centre of the ball is its first node.
        _, velocity = numbers_of(frame, "velocity", "f")
        centre = len(points) // 3 - nodes
        self.assertLess(velocity[3 * centre + 1], -0.1)
        self.assertLess(points[3 * centre + 1], 0.11)
        self.assertIn("curved tets  8 of order 2", self.marrow("info", frame).stdout)
        self.assertEqual(self.marrow("check", frame).returncode, 0)

    def test_a_frame_turned_over_between_its_nodes_is_found(self):
        out = self.run_scene()
        self.assertEqual(self.marrow("check", out).returncode, 0)
        frame = out / "frames/frame_000004.vtu"
        content = bytearray(unpack_frame(frame))
        start, points = numbers_of(frame, "Points", "d")
        first = len(points) // 3 - 25 - 64
        centre, corner = (points[3 * (first + node):3 * (first + node) + 3] for node in (0, 1))
        # The middle of the edge from the centre to a corner slides towards the corner: all nodes stay apart.
        moved = [a + 0.9 * (b - a) for a, b in zip(centre, corner)]
        struct.pack_into("<3d", content, start + 24 * (first + 7), *moved)
        frame.write_bytes(bytes(content))
        done = self.marrow("check", out, "--json")
        self.assertNotEqual(done.returncode, 0)
        report = json.loads(done.stdout)
        self.assertEqual([bad["file"] for bad in report["bad_frames"]], ["frames/frame_000004.vtu"])
        bad = report["bad_frames"][0]
        self.assertEqual(bad["intersections"], 0)
        self.assertEqual(bad["inversions"], 4)  # the tets around that edge
        self.assertEqual(len(bad["curved_tets"]), 4)
        self.assertAlmostEqual(sum(bad["curved_tets"][0]["barycentric"]), 1)
        self.assertIn("elsewhere in run.mrw", bad["difference"])
        self.assertIn("4 curved tets are turned over somewhere inside", self.marrow("check", out).stdout)
        self.assertIn("4 curved tets are turned over somewhere inside", self.marrow("check", frame).stdout)

    def test_an_exact_frame_turned_over_between_its_nodes_is_found(self):
        out = self.run_scene("out", "--set", "output.vtu=false")
        self.assertEqual(self.marrow("check", out).returncode, 0)
        record = bytearray((out / "run.mrw").read_bytes())
        at, changed = 16, False
        while at < len(record):
            kind, step, _, size = struct.unpack_from("<4sidQ", record, at)
            payload = at + 32
            if kind == b"EXAC" and step == 4:
                (length,) = struct.unpack_from("<Q", record, payload)
                nodes = payload + 8 + length + json.loads(record[payload + 8:payload + 8 + length])["nodes"]["offset"]
                centre, corner = (struct.unpack_from("<3d", record, nodes + 24 * k) for k in (0, 1))
                struct.pack_into("<3d", record, nodes + 24 * 7, *(a + 0.9 * (b - a) for a, b in zip(centre, corner)))
                a, b = 1, 0  # the sums of a careful forger (docs/frame_format.md)
                for word, in struct.iter_unpack("<I", record[at:at + 24] + record[payload:payload + size]):
                    a = (a + word) % 2**32
                    b = (b + a) % 2**32
                struct.pack_into("<2I", record, at + 24, a, b)
                changed = True
            at = payload + size
        self.assertTrue(changed)
        (out / "run.mrw").write_bytes(bytes(record))
        done = self.marrow("check", out, "--json")
        self.assertNotEqual(done.returncode, 0)
        report = json.loads(done.stdout)
        self.assertEqual([(bad["step"], bad["inversions"], bad["intersections"]) for bad in report["bad_frames"]],
                         [(4, 4, 0)])

    def test_frames_without_vtu_files_are_checked_and_converted(self):
        whole = self.run_scene("whole")
        small = self.run_scene("small", "--set", "output.vtu=false")
        self.assertEqual(self.marrow("check", small).returncode, 0)
        converted = self.folder / "converted"
        self.assertEqual(self.marrow("convert", small, "-o", converted).returncode, 0)
        self.assertEqual(self.marrow("check", converted / "frames/frame_000004.vtu").returncode, 0)
        for name in ("Points", "connectivity", "types"):
            files = [folder / "frames/frame_000004.vtu" for folder in (whole, converted)]
            kind = {"Points": "d", "connectivity": "i", "types": "B"}[name]
            for file in files:
                if b"compressor" in file.read_bytes()[:400]:
                    unpack_frame(file)
            self.assertEqual(*(numbers_of(file, name, kind)[1] for file in files))

    def test_a_resumed_run_has_the_same_bits(self):
        whole = self.run_scene("whole")
        cut = self.run_scene("cut", "--steps", 3)
        self.run_scene("cut", "--resume")
        for file in sorted(whole.rglob("*")):
            if file.suffix in WRITTEN and file.is_file():
                self.assertEqual(file.read_bytes(), (cut / file.relative_to(whole)).read_bytes(), file.name)


if __name__ == "__main__":
    unittest.main()
