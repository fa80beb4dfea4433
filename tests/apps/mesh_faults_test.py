"""Meshes with small faults, their textures, and notes about scenes that are probably meant otherwise."""
import json
import struct
import re
import unittest
from pathlib import Path

from program_case import ProgramCase

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

POINTS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]


def cube(faces=FACES, points=POINTS, before=""):
    return before + "".join("v %g %g %g\n" % p for p in points) + "".join(
        "f " + " ".join(map(str, f)) + "\n" for f in faces)


def read_glb(path):
    """The JSON of a GLB file, and its binary chunk."""
    content = path.read_bytes()
    (size,) = struct.unpack_from("<I", content, 12)
    return json.loads(content[20:20 + size]), content[28 + size:]


class MeshFaultsTest(ProgramCase):
    def write_mesh(self, text, name="cube.obj"):
        (self.folder / name).write_text(text)

    def scene_with(self, kind="rigid", **more):
        return self.write_scene({"time": {"duration": 0.02}, "gravity": [0, 0, 0],
                                 "bodies": [{"name": "cube", "kind": kind, "mesh": "cube.obj", **more}]})

    def notices(self, scene):
        result = self.marrow("check", scene, "--json", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["notices"]

    def test_each_kind_of_body_is_made_of_a_mended_mesh(self):
        self.write_mesh(cube(FACES[:2] + [FACES[0]] + FACES[2:]))
        for kind in ["rigid", "affine", "obstacle", "soft", "medial"]:
            notes = self.notices(self.scene_with(kind, **({"handles": 4} if kind == "medial" else {})))
            self.assertRegex(notes[0], r"cube\.obj: 2 triangles \(4, 5; the first on line 11\) have the same points as "
                                       r"earlier ones: removed", kind)

    def test_strict_refuses_with_the_line(self):
        self.write_mesh(cube(FACES + [FACES[0][:3]]))
        scene = self.scene_with()
        self.assertEqual(self.marrow("check", scene).returncode, 0)
        out = self.folder / "out"
        for arguments in (["check", scene, "--strict"], ["run", scene, "-o", out, "--strict"],
                          ["check", scene, "--set", "strict=true"]):
            result = self.marrow(*arguments)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn("cube.obj:15: triangle 12", result.stderr)
            self.assertIn("prepare repair", result.stderr)
        self.assertFalse(out.exists())
        self.assertIn("Note: ", self.run_ok(scene, "-o", out).stdout)

    def test_a_sound_mesh_gets_no_note(self):
        self.write_mesh(cube())
        self.assertEqual(self.notices(self.scene_with()), [])

    def test_a_flipped_face_and_an_inside_out_mesh(self):
        self.write_mesh(cube([tuple(reversed(FACES[0]))] + FACES[1:]))
        self.assertIn("face the wrong way: reversed", self.notices(self.scene_with("soft"))[0])
        self.write_mesh(cube([tuple(reversed(f)) for f in FACES]))
        self.assertIn("inside out: all triangles reversed", self.notices(self.scene_with("soft"))[0])

    def test_a_soup_of_triangles_is_welded(self):
        points, faces = [], []
        for face in FACES:
            faces.append(tuple(range(len(points) + 1, len(points) + 5)))
            points += [POINTS[i - 1] for i in face]
        self.write_mesh(cube(faces, points))
        self.assertIn("16 points lie at the place of another", self.notices(self.scene_with("soft"))[0])

    def test_a_hole_stays_an_error_with_the_way_out(self):
        self.write_mesh(cube(FACES[1:]))
        result = self.marrow("check", self.scene_with("soft"))
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"its surface is open \(4 edges lie in only one triangle")
        self.assertIn("marrow prepare repair", result.stderr)
        done = self.marrow("prepare", "repair", "cube.obj", "-o", "whole.obj", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertTrue(report["closed"])
        self.assertAlmostEqual(report["volume"], 1)
        self.assertEqual(report["triangles"], 12)
        self.assertIn("1 hole closed with 2 triangles", report["notes"])
        self.assertEqual(self.marrow("check", self.scene_with("soft"), "--set", "bodies[0].mesh=whole.obj").returncode, 0)

    def test_repair_leaves_large_holes_and_says_so(self):
        self.write_mesh(cube(FACES[1:]))
        done = self.marrow("prepare", "repair", "cube.obj", "-o", "x.obj", "--holes", "3", cwd=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"1 hole is left, the largest with 4 edges: --holes 4 closes it")
        self.assertIn("not closed", done.stdout)
        self.assertEqual(self.marrow("prepare", "repair", "cube.obj", "-o", "cube.obj", cwd=self.folder).returncode, 2)

    def test_the_hull(self):
        self.write_mesh(cube(FACES[1:], POINTS + [(0.5, 0.5, 0.5)]))
        done = self.marrow("prepare", "hull", "cube.obj", "-o", "hull.obj", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["points"], report["triangles"], report["closed"]), (8, 12, True))
        self.assertAlmostEqual(report["volume"], 1)
        self.write_mesh(cube([FACES[0]], [(x, 0, z) for x, y, z in POINTS]))
        self.assertIn("in a plane", self.marrow("prepare", "hull", "cube.obj", cwd=self.folder).stderr)

    def test_a_lattice_can_be_made_medial(self):
        # Two cubes that meet in an edge: cells do too.
        second = [tuple(c + d for c, d in zip(p, (1, 1, 0))) for p in POINTS]
        self.write_mesh(cube(FACES + [tuple(i + 8 for i in f) for f in FACES], POINTS + second))
        made = self.marrow("prepare", "tet", "cube.obj", "--lattice", "--cells", "6", "-o", "l.msh", cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        done = self.marrow("prepare", "medial", "l.msh", "--handles", "6", "-o", "l.medial", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_suzanne(self):
        mesh = DATA / "meshes/common-3d-test-models/data/suzanne.obj"
        if not mesh.exists():
            self.skipTest("no shared data beside the repository")
        for kind in ["rigid", "affine", "obstacle"]:
            result = self.marrow("check", self.write_scene({"bodies": [{"kind": kind, "mesh": str(mesh)}]}))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("triangle 270 (line 1171) has the same points as an earlier one: removed", result.stdout)
        made = self.marrow("prepare", "tet", mesh, "--lattice", "-o", "s.msh", cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        done = self.marrow("prepare", "medial", "s.msh", "--handles", "20", "-o", "s.medial", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_texture_coordinates_and_material_reach_the_animation(self):
        # Each face has its own corner of the picture, so each point has three texture points.
        lines = "mtllib look.mtl\nusemtl paint\n" + "".join("v %g %g %g\n" % p for p in POINTS)
        for i, face in enumerate(FACES):
            lines += "".join("vt %g %g\n" % (i / 6 + u / 8, v) for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)))
            lines += "f " + " ".join("%d/%d" % (p, 4 * i + k + 1) for k, p in enumerate(face)) + "\n"
        self.write_mesh(lines)
        (self.folder / "look.mtl").write_text("newmtl paint\nKd 0.5 0.25 0.125\nmap_Kd my picture.png\n")
        (self.folder / "my picture.png").write_bytes(b"png")
        for kind, more in [("rigid", {}), ("affine", {}), ("obstacle", {}), ("soft", {"surface": "carried", "tet_size": 0.2})]:
            out = self.folder / kind
            self.run_ok(self.scene_with(kind, **more), "-o", out)
            model, data = read_glb(out / "run.glb")
            attributes = model["meshes"][0]["primitives"][0]["attributes"]
            accessor = model["accessors"][attributes["TEXCOORD_0"]]
            self.assertEqual((accessor["type"], accessor["count"]), ("VEC2", 24), kind)
            self.assertEqual(model["accessors"][attributes["POSITION"]]["count"], 24)
            look = model["materials"][0]["pbrMetallicRoughness"]
            self.assertEqual(look["baseColorFactor"], [0.5, 0.25, 0.125, 1])
            image = model["images"][model["textures"][look["baseColorTexture"]["index"]]["source"]]
            self.assertEqual(image["uri"], "../my%20picture.png")
            # The values: u as given, v downwards.
            view = model["bufferViews"][accessor["bufferView"]]
            start, stride = view.get("byteOffset", 0) + accessor["byteOffset"], view["byteStride"]
            found = {struct.unpack_from("<2f", data, start + stride * i) for i in range(24)}
            wanted = {(struct.unpack("<f", struct.pack("<f", i / 6 + u / 8))[0], 1.0 - v)
                      for i in range(6) for u in (0, 1) for v in (0, 1)}
            self.assertEqual(len(found), len(wanted))
            for u, v in found:
                self.assertTrue(any(abs(u - a) < 1e-5 and v == b for a, b in wanted), (u, v))
            # The same made from the record of the run, in another folder.
            self.assertEqual(self.marrow("convert", out, "-o", self.folder / f"{kind}.gltf").returncode, 0)
            made = json.loads((self.folder / f"{kind}.gltf").read_text())
            self.assertEqual(made["materials"], model["materials"])
            self.assertEqual(made["images"][0]["uri"], "my%20picture.png")

    def test_each_material_of_a_file_has_its_triangles(self):
        # Paint on two faces, steel on a third in between, what the library does not know on a fourth, nothing on the rest.
        used = {0: "paint", 1: "steel", 2: "paint", 3: "unknown"}
        lines = "mtllib look.mtl\n" + "".join("v %g %g %g\n" % p for p in POINTS)
        for i in (4, 5, 0, 1, 2, 3):
            lines += (f"usemtl {used[i]}\n" if i in used else "") + "f " + " ".join(map(str, FACES[i])) + "\n"
        self.write_mesh(lines)
        (self.folder / "look.mtl").write_text("newmtl steel\nKd 0.25 0.25 0.5\nd 0.5\nnewmtl paint\nKd 0.5 0.125 0\n")
        for kind in ("rigid", "obstacle"):
            self.run_ok(self.scene_with(kind), "-o", self.folder / kind)
            model, data = read_glb(self.folder / kind / "run.glb")
            found = {}
            for primitive in model["meshes"][0]["primitives"]:
                material = model["materials"][primitive["material"]]
                corners, points = (model["accessors"][n] for n in (primitive["indices"], primitive["attributes"]["POSITION"]))
                at = model["bufferViews"][corners["bufferView"]].get("byteOffset", 0) + corners["byteOffset"]
                start = model["bufferViews"][points["bufferView"]]["byteOffset"] + points["byteOffset"]
                faces = set()
                for t in range(corners["count"] // 3):
                    three = [[round(x, 5) for x in struct.unpack_from("<3f", data, start + 12 * i)]
                             for i in struct.unpack_from("<3I", data, at + 12 * t)]
                    # A face of the cube is known by the axis in which it is flat, and by its side.
                    middle = [(low + high) / 2 for low, high in zip(points["min"], points["max"])]
                    faces |= {(k, three[0][k] > middle[k]) for k in range(3) if len({p[k] for p in three}) == 1}
                found[material["name"]] = (material["pbrMetallicRoughness"]["baseColorFactor"], faces)
            wanted = {name: set() for name in ("paint", "steel", "unknown", "cube")}
            for i, face in enumerate(FACES):
                corners = [POINTS[p - 1] for p in face]
                side = next((k, corners[0][k] > 0.5) for k in range(3) if len({p[k] for p in corners}) == 1)
                wanted[used.get(i, "cube")].add(side)
            self.assertEqual({name: faces for name, (_, faces) in found.items()}, wanted)
            self.assertEqual(found["paint"][0], [0.5, 0.125, 0, 1])
            self.assertEqual(found["steel"][0], [0.25, 0.25, 0.5, 0.5])
            self.assertEqual(found["unknown"][0], found["cube"][0])  # ours


class NotesTest(ProgramCase):
    def notes(self, bodies, **more):
        scene = self.write_scene({"time": {"duration": 3, "step": 1}, "bodies": bodies, **more})
        result = self.marrow("check", scene, "--json", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        notes = json.loads(result.stdout)["notices"]
        # The run says the same, each once; that bodies fall, it says when they have fallen (notes_test.py).
        run = self.marrow("run", scene, "-o", self.folder / "out", "--overwrite")
        for note in (note for note in notes if "only fall" not in note):
            self.assertEqual(run.stdout.count(note), 1, run.stdout)
        return notes

    def one(self, notes, pattern):
        self.assertEqual(sum(bool(re.search(pattern, note)) for note in notes), 1, notes)

    FLOOR = {"name": "floor", "kind": "obstacle", "shape": {"type": "plate", "width": 4, "depth": 4}, "position": [0, -1, 0]}

    def test_a_usual_scene_gets_none(self):
        self.assertEqual(self.notes([self.FLOOR, {"shape": {"type": "sphere"}}]), [])

    def test_sizes_of_meshes(self):
        (self.folder / "cube.obj").write_text(cube())
        body = {"name": "cube", "kind": "rigid", "mesh": "cube.obj"}
        quiet = {"gravity": [0, 0, 0]}
        self.one(self.notes([{**body, "scale": [100, 100, 100]}], **quiet), r'"cube" is 173 m large')
        self.one(self.notes([{**body, "scale": [1e-4, 1e-4, 1e-4]}], **quiet), r'"cube" is only 0\.000173 m large')
        self.assertEqual(self.notes([body], **quiet), [])

    def test_d_hat_larger_than_a_body(self):
        notes = self.notes([self.FLOOR, {"name": "ball", "shape": {"type": "sphere"}}], contact={"d_hat": 1.8})
        self.one(notes, r'd_hat is 1\.8 m, and "ball" is only')

    def test_bodies_that_only_fall_are_one_line(self):
        ball = {"shape": {"type": "sphere", "radius": 0.1, "resolution": 2}}
        balls = [{**ball, "name": f"b{i}", "position": [i, 0, 0]} for i in range(7)]
        notes = self.notes(balls)
        self.one(notes, r'"b0", "b1", "b2", "b3" and 3 more only fall, 44\.1 m in 3 s')
        self.assertEqual(len(notes), 1)
        # Beside the floor, above it, on another body above it, held, short.
        self.one(self.notes([self.FLOOR, {**ball, "name": "beside", "position": [9, 0, 0]}]), '"beside" only falls')
        self.assertEqual(self.notes([self.FLOOR, ball]), [])
        wide = {"kind": "rigid", "shape": {"type": "box", "size": [9, 0.1, 1]}, "name": "wide"}
        self.assertEqual(self.notes([self.FLOOR, wide, {**ball, "position": [4.2, 0.5, 0]}]), [])
        self.assertEqual(self.notes([ball], gravity=[0, 0, 0]), [])
        self.assertEqual(self.notes([ball], time={"duration": 0.1}), [])

    def test_densities_and_moduli_in_other_units(self):
        body = {"name": "block", "shape": {"type": "box"}, "position": [0, 0.1, 0]}
        self.one(self.notes([self.FLOOR, {**body, "material": {"density": 1}}]), "density of 1 kg/m³")
        self.one(self.notes([self.FLOOR, {**body, "material": {"density": 1e6}}]), "density of 1e\\+06 kg/m³")
        self.one(self.notes([self.FLOOR, {**body, "material": {"youngs_modulus": 200}}]), "Young's modulus of 200 Pa")
        self.one(self.notes([self.FLOOR, {**body, "material": {"youngs_modulus": 2e14}}]), "diamond")
        self.assertEqual(self.notes([self.FLOOR, {**body, "material": {"youngs_modulus": 1e4}}]), [])


if __name__ == "__main__":
    unittest.main()
