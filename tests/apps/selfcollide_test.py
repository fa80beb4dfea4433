"""marrow prepare certificates and marrow selfcollide as a user meets them."""
import json
import math
import shutil
import signal
import subprocess
import time
import unittest

from program_case import PROGRAM, ROOT, ProgramCase

EXAMPLE = ROOT / "examples" / "self_collision"
REST = EXAMPLE / "rest.obj"
FRAMES = [EXAMPLE / f"frame_{k}.obj" for k in (1, 2, 3, 4)]
SEQUENCE = (ROOT.parent / "shared/data/sequences/Hyperspectral-Inverse-Skinning/models/horse-collapse")


class SelfcollideTest(ProgramCase):
    def ok(self, *arguments):
        result = self.marrow(*arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def refuse(self, *arguments, parts, code=2):
        result = self.marrow(*arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def prepare(self, *arguments):
        file = self.folder / "sheet.cert"
        self.ok("prepare", "certificates", REST, "-o", file, *arguments)
        return file

    def test_report(self):
        file = self.folder / "sheet.cert"
        report = json.loads(self.ok("prepare", "certificates", REST, "-o", file, "--json").stdout)
        self.assertEqual(report["triangles"], 288)
        self.assertGreater(report["intra_node_certificates"], 50)
        self.assertGreater(report["inter_node_certificates"], 0)
        self.assertGreater(report["cover_ratio"], 0.9)
        self.assertGreater(report["memory_per_triangle"], 0)
        self.assertTrue(file.exists())
        self.assertFalse((self.folder / "sheet.cert.part").exists())

    def test_frames(self):
        file = self.prepare()
        root = json.loads(self.ok("selfcollide", "--rest", REST, "--certificates", file, *FRAMES, "--json").stdout)
        self.assertEqual(root["differences"], 0)
        self.assertEqual([frame["pairs"] > 0 for frame in root["frames"]], [False, False, False, True])
        self.assertEqual(root["frames"][0]["certified"]["triangle_tests"], 0)
        self.assertEqual(list(root)[-2:], ["differences", "speedup"])
        for key in ("patches_culled_by_level", "pairs_culled_by_level", "planes_culled_by_level"):
            self.assertIn(key, root["frames"][0]["certified"])

    def test_motion(self):
        root = json.loads(self.ok("selfcollide", "--rest", REST, *FRAMES, "--continuous", "--json").stdout)
        self.assertEqual(root["differences"], 0)
        self.assertEqual(len(root["frames"]), 3)
        self.assertGreater(root["frames"][-1]["pairs"], 0)

    def test_table(self):
        text = self.ok("selfcollide", "--rest", REST, *FRAMES, "--list", "1").stdout
        for word in ("found", "speed-up", "culled at levels", "0 differences", "triangles"):
            self.assertIn(word, text)

    def test_goes_on(self):
        # What an earlier run left is used if it fits, and named if it does not.
        file = self.prepare()
        part = self.folder / "sheet.cert.part"
        shutil.copy(file, part)
        again = self.ok("prepare", "certificates", REST, "-o", file)
        self.assertIn("Continuing from", again.stderr)
        part.write_bytes(b"MRWCERT\nrubbish that is long enough")
        anew = self.ok("prepare", "certificates", REST, "-o", file)
        self.assertIn("computing it again", anew.stderr)

    def make_grid(self, cells):
        file = self.folder / "grid.obj"
        lines = [f"v {i} {j} {0.01 * ((3 * i + 5 * j) % 7)}" for j in range(cells + 1) for i in range(cells + 1)]
        for j in range(cells):
            for i in range(cells):
                a, b = j * (cells + 1) + i + 1, (j + 1) * (cells + 1) + i + 1
                lines += [f"f {a} {a + 1} {b}", f"f {a + 1} {b + 1} {b}"]
        file.write_text("\n".join(lines) + "\n")
        return file

    def test_stopped_and_gone_on_with(self):
        grid, file = self.make_grid(32), self.folder / "grid.cert"
        part = self.folder / "grid.cert.part"
        command = [PROGRAM, "prepare", "certificates", str(grid), "-o", str(file), "--threads", "1"]
        for seconds in (0.3, 0.6, 1.2, 0.15, 2.4):  # before that it reads, after it all is done
            for old in (file, part):
                old.unlink(missing_ok=True)
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            stderr = process.communicate()[1]
            if process.returncode == 130:
                break
        self.assertEqual(process.returncode, 130)
        self.assertIn("Run the same command again", stderr)
        self.assertTrue(part.exists())
        self.assertIn("Continuing from", self.ok("prepare", "certificates", grid, "-o", file).stderr)
        self.assertFalse(part.exists())
        whole = self.folder / "whole.cert"
        self.ok("prepare", "certificates", grid, "-o", whole)
        self.assertEqual(file.read_bytes(), whole.read_bytes())

    def test_frames_of_a_run(self):
        scene = self.folder / "sheet.json"
        scene.write_text(json.dumps({"time": {"step": 0.01, "duration": 0.02}, "bodies": [
            {"name": "sheet", "mesh": str(REST), "thickness": 0.01}]}))
        self.ok("run", scene, "-o", self.folder / "out")
        frames = sorted((self.folder / "out/frames").glob("*.vtu"))
        root = json.loads(self.ok("selfcollide", "--rest", frames[0], *frames[1:], "--json").stdout)
        self.assertEqual(root["triangles"], 288)
        self.assertEqual(root["differences"], 0)

    def make_tube(self, name, turns, sides=8, rings=40):
        """A closed tube of length 1, bent into an arc of so many turns: from one on it runs into itself."""
        lines = []
        radius = 1 / (2 * math.pi * turns) if turns else None

        def place(x, y, z):
            if radius is None:
                return x, y, z
            angle = x / radius
            return (radius - y) * math.sin(angle), radius - (radius - y) * math.cos(angle), z

        for x, r in [(0, 0)] + [(i / (rings - 1), 0.03) for i in range(rings)] + [(1, 0)]:
            for k in range(sides if r else 1):
                point = place(x, r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides))
                lines.append("v " + " ".join(map(repr, point)))
        first, last = 1, 2 + sides * rings
        ring = [[2 + sides * i + k for k in range(sides)] for i in range(rings)]
        for k in range(sides):
            n = (k + 1) % sides
            lines += [f"f {first} {ring[0][n]} {ring[0][k]}", f"f {last} {ring[-1][k]} {ring[-1][n]}"]
            for a, b in zip(ring, ring[1:]):
                lines += [f"f {a[k]} {a[n]} {b[n]}", f"f {a[k]} {b[n]} {b[k]}"]
        file = self.folder / f"{name}.obj"
        file.write_text("\n".join(lines) + "\n")
        return file

    def test_medial(self):
        rest = self.make_tube("rest", 0)
        frames = [self.make_tube(f"bent_{turns}", turns) for turns in (0.4, 0.8, 1.05)]
        body = self.folder / "tube.medial"
        report = json.loads(self.ok("prepare", "medial", rest, "--handles", "10", "-o", body, "--json").stdout)["bounds"]
        self.assertEqual(report["outside"], 0)
        self.assertGreater(report["points"], 500)
        self.assertLess(report["rest"], 0.02)
        self.assertLess(report["measured"], 1.05 * report["bent"])
        self.assertLess(report["bent"], 0.05)
        self.assertGreaterEqual(report["pairs"], report["neighbors"] + report["overlaps"])
        exact = json.loads(self.ok("selfcollide", "--rest", rest, *frames, "--max-triangles", "0", "--json").stdout)
        for bound in ("measured", "affine", "rigid", "displacement"):
            root = json.loads(self.ok("selfcollide", "--method", "medial", "--rest", body, *frames, "--bound", bound, "--json").stdout)
            self.assertEqual(root["differences"], 0)
            self.assertEqual([frame["pairs"] for frame in root["frames"]], [frame["pairs"] for frame in exact["frames"]])
            self.assertEqual([frame["pairs"] > 0 for frame in root["frames"]], [False, False, True])
            for frame in root["frames"]:
                self.assertGreater(frame["medial"]["overlaps"], frame["medial"]["neighbor_overlaps"] - 1)
        # Without a prepared file the surface is prepared, and kept in the store.
        text = self.ok("selfcollide", "--method", "medial", "--rest", rest, "--handles", "10", frames[2], "--list", "1").stdout
        for word in ("overlaps", "neighbors", "0 differences", "triangles"):
            self.assertIn(word, text)
        self.refuse("selfcollide", "--method", "medial", "--rest", body, *frames, "--continuous", parts=["certificates"])
        self.refuse("selfcollide", "--method", "medial", "--rest", body, FRAMES[0], parts=["points"])
        self.refuse("selfcollide", "--method", "medial", "--rest", REST, FRAMES[0], parts=["encloses no volume"])

    def test_repeated(self):
        # Passes do not change what is asked in a frame.
        file = self.prepare()
        once, thrice = (json.loads(self.ok("selfcollide", "--rest", REST, "--certificates", file, *FRAMES, "--repeat", n, "--json").stdout)
                        for n in ("1", "3"))
        asked = [[frame["certified"]["certificate_tests"] for frame in root["frames"]] for root in (once, thrice)]
        self.assertEqual(*asked)

    def test_mistakes(self):
        file = self.prepare()
        self.refuse("prepare", "certificates", REST, "-o", REST, parts=["would overwrite the input"])
        self.refuse("prepare", "certificates", REST, "-o", self.folder / "none/x.cert", parts=["no folder"])
        self.refuse("selfcollide", "--rest", REST, "--certificates", self.folder / "none.cert", FRAMES[0], parts=["prepare certificates"])
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        bad = self.folder / "bad.cert"
        bad.write_bytes(bytes(data))
        self.refuse("selfcollide", "--rest", REST, "--certificates", bad, FRAMES[0], parts=["checksum"])
        self.refuse("selfcollide", "--rest", REST, "--certificates", REST, FRAMES[0], parts=["not a file of certificates"])
        self.refuse("selfcollide", "--rest", FRAMES[0], "--certificates", file, FRAMES[1], parts=["another mesh"])
        self.refuse("selfcollide", "--rest", REST, self.folder / "none.obj", parts=["does not exist"])
        other = self.folder / "other.obj"
        other.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.refuse("selfcollide", "--rest", REST, "--certificates", file, other, parts=["3 points", "169"])
        points = self.folder / "points.obj"
        points.write_text("v 0 0 0\nv 1 0 0\n")
        self.refuse("prepare", "certificates", points, "-o", self.folder / "x.cert", parts=["no triangles"])

    def test_horse(self):
        if not SEQUENCE.exists():
            self.skipTest(f"no sequence at {SEQUENCE}")
        root = json.loads(self.ok("selfcollide", "--rest", SEQUENCE / "1.obj", SEQUENCE / "7.obj", SEQUENCE / "8.obj",
                                  "--max-triangles", "40", "--json").stdout)
        self.assertEqual([frame["pairs"] for frame in root["frames"]], [0, 8])
        self.assertEqual(root["differences"], 0)


if __name__ == "__main__":
    unittest.main()
