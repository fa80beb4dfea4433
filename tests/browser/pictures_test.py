"""Pictures of `marrow render`: scenes look as they did, and the verb behaves.

Usage: pictures_test.py MARROW FOLDER [--update]. The pictures are made anew in FOLDER and compared with those of
docs/pictures; --update replaces the latter. Look at them before committing.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import unittest
import zlib
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[2]
MARROW, FOLDER = (Path(argument).resolve() for argument in sys.argv[1:3])
REFERENCES = ROOT / "docs/pictures"
EXAMPLES = ROOT / "examples"
SIZE = "640x360"

# A block and a ball that come to rest on each other. The ball is about to slip off: at the default tolerance where it
# is depends on the way Newton took.
CONTACT = {
    "name": "contact",
    "time": {"step": 0.01, "duration": 0.4},
    "solver": {"tolerance": 1e-6},
    "bodies": [
        {"name": "floor", "kind": "obstacle", "position": [0, -0.015, 0],
         "shape": {"type": "plate", "width": 0.9, "depth": 0.9, "thickness": 0.02}},
        {"name": "block", "position": [0, 0.101, 0], "material": {"youngs_modulus": 2e4},
         "shape": {"type": "box", "size": [0.3, 0.2, 0.3], "cells_x": 4, "cells_y": 3, "cells_z": 4}},
        {"name": "ball", "position": [0.03, 0.33, 0.02], "material": {"youngs_modulus": 3e4},
         "shape": {"type": "sphere", "radius": 0.12}},
    ],
}

# name: (what is run, steps, arguments of render)
PICTURES = {
    "soft_bodies": (EXAMPLES / "soft_bodies.json", 30, ["--size", "1200x600"]),
    "beam": (EXAMPLES / "hanging_beam.json", 20, ["--color", "von_mises", "--overlay", "handles"]),
    "twist": (EXAMPLES / "twist.json", 40, ["--overlay", "wireframe", "--theme", "dark"]),
    "shapes": (EXAMPLES / "all_shapes.json", 1, ["--frame", "0"]),
    "contact": (CONTACT, 40, ["--overlay", "contacts,smallest_gap", "--theme", "dark"]),
    "marks": (None, None, ["--overlay", "wireframe"]),
}


# Scenes whose pictures once hid the bodies, cut them off or showed them as dots, with as many steps as are quick.
FORMERLY_BAD = {
    "stiff/packing": 6, "stiff/wrecking_ball": 12, "stiff/mill": 6, "stiff/door": 60, "stiff/ball_chain": 20,
    "ipc/squeeze_out": 8, "ipc/pin_cushion": 6, "ipc/arch_stands": 2, "ipc/funnel": 8, "medial/puffer_on_shelf": 4,
    "mixed_heap": 3, "falling_ball": 30, "cloth": 10, "wires": 20,
}
SMALL = ["--size", "160x100", "--samples", "1"]
# Scenes of the gallery that run in less than a second, most of them; they are run for the steps that it shows.
GALLERY = ROOT / "docs/gallery"
QUICK = ("chain", "include", "parts/table", "ipc/chain_10", "ipc/erleben_sliding_wedge", "ipc/slot", "ipc/tunnel_100",
         "stiff/bolt", "stiff/gear_train", "stiff/lewis", "stiff/packing", "stiff/wire_net_4", "tutorial/3_friction")
TILE = 8  # pixels that are one where pictures of the gallery are compared; JPEG keeps their means


def read_jpegs(names, size):
    """These pictures of the gallery in this size, as rows × columns × 3. Chromium reads them: it is needed anyway."""
    page, shot = FOLDER / "jpegs.html", FOLDER / "jpegs.png"
    images = "".join(f'<img width="{size[0]}" style="display:block" src="{(GALLERY / name).as_uri()}">' for name in names)
    page.write_text(f'<body style="margin:0">{images}</body>')
    browser = os.environ.get("MARROW_BROWSER") or shutil.which("chromium")
    subprocess.run([browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--force-color-profile=srgb", "--disable-gpu",
                    "--force-device-scale-factor=1", f"--window-size={size[0]},{size[1] * len(names)}",
                    f"--user-data-dir={FOLDER / 'profile'}", f"--screenshot={shot}", page.as_uri()],
                   check=True, capture_output=True, timeout=120)
    return dict(zip(names, numpy.split(read_png(shot), len(names))))


def average_tiles(picture):
    height, width, _ = picture.shape
    return picture.reshape(height // TILE, TILE, width // TILE, TILE, 3).mean(axis=(1, 3))


def read_png(path):
    """8-bit RGB or RGBA without interlacing, as browsers write it: rows × columns × 3."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    assert depth == 8 and colour in (2, 6)
    channels = 3 if colour == 2 else 4
    rows = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + width * channels)
    above = numpy.zeros(width * channels, numpy.uint8)
    picture = numpy.empty((height, width * channels), numpy.uint8)
    for y, row in enumerate(rows):
        above = picture[y] = unfilter(row[0], row[1:], above, channels)
    return picture.reshape(height, width, channels)[:, :, :3].astype(int)


def unfilter(kind, row, above, step):
    if kind == 0:
        return row
    if kind == 2:
        return row + above
    line, above = [0] * step + row.tolist(), [0] * step + above.tolist()
    for i in range(step, len(line)):
        left, up, corner = line[i - step], above[i], above[i - step]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            near = [(abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner)]
            guess = min(near)[2]
        line[i] = (line[i] + guess) & 255
    return numpy.array(line[step:], numpy.uint8)


def marrow(*arguments, **options):
    return subprocess.run([MARROW, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def write_spheres(path, centres):
    """Spheres of radius 1 by latitude and longitude, as one OBJ."""
    points, faces, rings, around = [], [], 20, 40
    for centre in centres:
        first = len(points) + 1
        angles = [(numpy.pi * i / rings, 2 * numpy.pi * j / around) for i in range(1, rings) for j in range(around)]
        ball = [(0, 1, 0), *((numpy.sin(a) * numpy.cos(b), numpy.cos(a), numpy.sin(a) * numpy.sin(b)) for a, b in angles),
                (0, -1, 0)]
        points += [numpy.add(p, centre) for p in ball]
        last = len(points)
        for j in range(around):
            here, there = first + 1 + j, first + 1 + (j + 1) % around
            faces.append((first, there, here))
            for _ in range(rings - 2):
                faces += [(here, there, there + around), (here, there + around, here + around)]
                here, there = here + around, there + around
            faces.append((last, here, there))
    lines = ["v {:.9g} {:.9g} {:.9g}".format(*p) for p in points] + ["f {} {} {}".format(*f) for f in faces]
    path.write_text("\n".join(lines) + "\n")


def prepare(name):
    """Makes what the picture shows; returns its path and further arguments."""
    scene, steps, _ = PICTURES[name]
    if scene is None:
        mesh, found = FOLDER / "spheres.obj", FOLDER / "found.json"
        write_spheres(mesh, [(0, 0, 0), (1.6, 0.2, 0.1)])
        found.write_text(marrow("check", mesh, "--json", "--write", FOLDER / "crossing.ply").stdout)
        return mesh, ["--marks", found]
    if isinstance(scene, dict):
        path = FOLDER / f"{name}.json"
        path.write_text(json.dumps(scene))
        scene = path
    out = FOLDER / scene.stem
    if not out.exists():
        result = marrow("run", scene, "-o", out, "--steps", steps)
        assert result.returncode == 0, result.stderr
    return out, []


def render(name, target):
    path, more = prepare(name)
    arguments = PICTURES[name][2]
    size = [] if "--size" in arguments else ["--size", SIZE]
    result = marrow("render", path, "-o", target, *size, *arguments, *more)
    assert result.returncode == 0, result.stderr


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)

    def test_six_scenes_look_as_they_did(self):
        for name in PICTURES:
            with self.subTest(name):
                render(name, FOLDER / f"{name}.png")
                made, kept = read_png(FOLDER / f"{name}.png"), read_png(REFERENCES / f"{name}.png")
                self.assertEqual(made.shape, kept.shape)
                apart = numpy.abs(made - kept)
                # Rounding differs between processors; a body that moved by a pixel does not pass.
                self.assertLess(apart.mean(), 0.6)
                self.assertLess((apart.max(axis=2) > 24).mean(), 0.004)

    def test_quick_scenes_look_as_in_the_gallery(self):
        entries = json.loads((GALLERY / "gallery.json").read_text())
        files = {scene: scene.replace("/", "_") + ".jpg" for scene in QUICK}
        stored = read_jpegs(list(files.values()), (320, 200))
        for scene in QUICK:
            with self.subTest(scene):
                out, target = FOLDER / "gallery" / scene, FOLDER / "gallery.png"
                result = marrow("run", EXAMPLES / f"{scene}.json", "-o", out, "--steps", entries[scene]["steps"], "--set",
                                "output.gltf=false", "--set", "output.vtu=false")
                self.assertEqual(result.returncode, 0, result.stderr)
                result = marrow("render", out, "-o", target, "--size", "320x200", "--samples", 16)
                self.assertEqual(result.returncode, 0, result.stderr)
                apart = numpy.abs(average_tiles(read_png(target)) - average_tiles(stored[files[scene]])).max(axis=2)
                # JPEG and another size blur edges; a body that moved by half a tile, or has another colour, does not pass.
                self.assertLess(apart.mean(), 1.5)
                # Thin parts of ipc/slot differ in five tiles of a thousand between this size and that of the page.
                self.assertLess((apart > 12).mean(), 0.006)

    def shoot(self, path, *arguments):
        """A small picture, as rows × columns × 3, and what --json says of it."""
        target = FOLDER / "small.png"
        result = marrow("render", path, "-o", target, *SMALL, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return read_png(target), json.loads(result.stdout.splitlines()[-1])

    def write_scene(self, name, **keys):
        path = FOLDER / f"{name}.json"
        path.write_text(json.dumps({**CONTACT, **keys}))
        return path

    def test_bodies_are_found_and_fill_the_picture(self):
        for scene, steps in FORMERLY_BAD.items():
            with self.subTest(scene):
                out = FOLDER / "found" / scene
                result = marrow("run", EXAMPLES / f"{scene}.json", "-o", out, "--steps", steps)
                self.assertEqual(result.returncode, 0, result.stderr)
                _, said = self.shoot(out)
                self.assertGreater(said["fill"], 1 / 3)
                self.assertGreater(said["visible"], 0.8)

    def test_a_body_inside_a_box_is_seen(self):
        walls = {"name": "walls", "kind": "obstacle", "shape": {"type": "box", "size": [1.2, 1.2, 1.2]}, "position": [0, 0.2, 0]}
        scene = self.write_scene("boxed", bodies=[*CONTACT["bodies"][1:], walls])
        _, said = self.shoot(scene)
        self.assertGreater(said["visible"], 0.9)
        # From a camera that the person chose, too.
        _, said = self.shoot(scene, "--camera", "2,0.3,0.1", "--target", "0,0.2,0")
        self.assertGreater(said["visible"], 0.9)

    def test_there_is_no_ground_under_what_falls(self):
        ball = {"shape": {"type": "sphere"}}
        bare, _ = self.shoot(self.write_scene("bare", bodies=[ball]))
        floor = {"kind": "obstacle", "shape": {"type": "plate", "width": 3, "depth": 3}, "position": [0, -0.7, 0]}
        carried, _ = self.shoot(self.write_scene("carried", bodies=[ball, floor]))
        corner = bare[-1, 0]
        self.assertEqual(numpy.abs(bare[-1] - corner).max(), 0)
        self.assertGreater(numpy.abs(carried[-1] - corner).max(), 8)

    def test_scenes_are_shown_before_they_run(self):
        overlap = [{"shape": {"type": "box"}}, {"shape": {"type": "box"}, "position": [0.3, 0.4, 0.2]}]
        result = marrow("render", self.write_scene("overlap", bodies=overlap), "-o", FOLDER / "start.png", "--size", "160x100")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("pairs of elements intersect; they are marked", result.stdout)
        red = read_png(FOLDER / "start.png")
        self.assertGreater(((red[:, :, 0] > 180) & (red[:, :, 1] < 60)).mean(), 0.005)
        empty = marrow("render", self.write_scene("empty", bodies=[]), "-o", FOLDER / "a.png")
        self.assertEqual(empty.returncode, 2)
        self.assertIn("there is no body", empty.stderr)

    def test_the_scene_says_how_it_is_shown_and_options_take_precedence(self):
        bodies = [dict(CONTACT["bodies"][1], color="#ff0000"), dict(CONTACT["bodies"][2], color="lime", visible=False)]
        plain = self.write_scene("plain", bodies=bodies)
        picture, _ = self.shoot(plain)
        is_red = (picture[:, :, 0] > 1.5 * picture[:, :, 1]) & (picture[:, :, 0] > 1.5 * picture[:, :, 2])
        is_green = (picture[:, :, 1] > 1.5 * picture[:, :, 0]) & (picture[:, :, 1] > 1.5 * picture[:, :, 2])
        self.assertGreater(is_red.mean(), 0.1)
        self.assertEqual(is_green.mean(), 0)
        dark = self.write_scene("dark", bodies=bodies, view={"theme": "dark", "side": "top", "color": "displacement"})
        picture, said = self.shoot(dark)
        self.assertEqual(said["color"], "displacement")
        self.assertLess(picture[0, 0].max(), 80)
        picture, said = self.shoot(dark, "--theme", "light", "--color", "body")
        self.assertEqual(said["color"], "body")
        self.assertGreater(picture[0, 0].min(), 180)

    def test_closed_bodies_are_drawn_with_their_radius(self):
        # From the front, a box of 0.4 m with 0.1 m around it covers 0.6 m by 0.6 m less four cut corners.
        camera = ["--camera", "0,0,3", "--target", "0,0,0"]
        areas = []
        for radius in (0, 0.1):
            box = {"kind": "rigid", "color": "#ff0000", "radius": radius, "shape": {"type": "box", "size": [0.4, 0.4, 0.4]}}
            picture, _ = self.shoot(self.write_scene("thick", bodies=[box]), *camera)
            areas.append((picture[:, :, 0] > 1.5 * picture[:, :, 1]).sum())
        self.assertAlmostEqual(areas[1] / areas[0], (0.36 - 0.02) / 0.16, delta=0.15)

    def test_hide_and_section_leave_out(self):
        scene = self.write_scene("whole")
        whole, _ = self.shoot(scene, "--camera", "front")
        for arguments in (["--hide", "ball"], ["--section", "y<0.1"], ["--section", "z=0"], ["--section", "0,0.1,0,1,1,0"]):
            part, _ = self.shoot(scene, "--camera", "front", *arguments)
            self.assertGreater((numpy.abs(whole - part).max(axis=2) > 24).mean(), 0.03, arguments)

    def test_another_frame_is_another_picture(self):
        path, _ = prepare("twist")
        for frame in (0, 40):
            self.assertEqual(marrow("render", path, "-o", FOLDER / f"f{frame}.png", "--frame", frame, "--size",
                                    "160x90", "--samples", 1).returncode, 0)
        first, last = read_png(FOLDER / "f0.png"), read_png(FOLDER / "f40.png")
        self.assertEqual(first.shape, (90, 160, 3))
        self.assertGreater((numpy.abs(first - last).max(axis=2) > 24).mean(), 0.01)

    def test_movies(self):
        path, _ = prepare("beam")
        for name in ("movie.gif", "movie.mp4"):
            result = marrow("render", path, "--all", "-o", FOLDER / name, "--size", "160x90", "--samples", 1, "--fps", 10)
            if shutil.which("ffmpeg") is None:
                self.assertEqual(result.returncode, 2)
                self.assertIn("needs ffmpeg", result.stderr)
                continue
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreater((FOLDER / name).stat().st_size, 1000)
        result = marrow("render", path, "--all", "-o", FOLDER / "all.png", "--size", "64x36", "--samples", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(list(FOLDER.glob("all_0000*.png"))), 21)

    def test_mistakes_are_told(self):
        path, _ = prepare("twist")
        for arguments, words in (
            (["-o", FOLDER / "a.bmp"], ".png, .mp4 or .gif"),
            (["-o", FOLDER / "a.mp4"], "add --all"),
            (["-o", FOLDER / "a.png", "--size", "big"], "WIDTHxHEIGHT"),
            (["-o", FOLDER / "a.png", "--camera", "moon"], "corner, front"),
            (["-o", FOLDER / "a.png", "--camera", "1,2,3"], "--target"),
            (["-o", FOLDER / "a.png", "--range", "1"], "2 numbers"),
            (["-o", FOLDER / "a.png", "--range", "0,1"], "--range has no meaning"),
            (["-o", FOLDER / "a.png", "--color", "von_mieses"], "Did you mean von_mises?"),
            (["-o", FOLDER / "a.png", "--color", "stress"], "It has body, kind, displacement"),
            (["-o", FOLDER / "a.png", "--overlay", "foo"], "no such overlay"),
            (["-o", FOLDER / "a.png", "--overlay", "medial"], "It has wireframe"),
            (["-o", FOLDER / "a.png", "--hide", "nobody"], "no such body or group"),
            (["-o", FOLDER / "a.png", "--section", "q=1"], "Give a plane"),
            (["-o", FOLDER / "a.png", "--camera", "top", "--target", "1,2,3"], "belongs to a camera at a place"),
            (["-o", FOLDER / "a.png", "--fps", "10"], "without a movie"),
            (["-o", FOLDER / "a.png", "--set", "name=x"], "is not a scene"),
            (["-o", FOLDER / "a.png", "--browser", "/nowhere/chromium"], "cannot be started"),
            (["-o", FOLDER / "a.png", "--marks", FOLDER / "nothing.json"], "nothing.json"),
        ):
            result = marrow("render", path, *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr)
        result = marrow("render", path, "-o", FOLDER / "a.png", "--frame", 999)
        self.assertEqual(result.returncode, 2)
        self.assertIn("0 to 40", result.stderr)
        result = marrow("render", FOLDER, "-o", FOLDER / "a.png")
        self.assertIn("without frames for the viewer", result.stderr)
        nothing = dict(os.environ, PATH=str(FOLDER))
        self.assertIn("needs ffmpeg", marrow("render", path, "--all", "-o", FOLDER / "a.gif", "--browser",
                                              shutil.which("chromium"), "--samples", 1, env=nothing).stderr)
        self.assertIn("need Chromium", marrow("render", path, "-o", FOLDER / "a.png", env=nothing).stderr)


if __name__ == "__main__":
    if "--update" in sys.argv:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        REFERENCES.mkdir(exist_ok=True)
        for each in PICTURES:
            render(each, REFERENCES / f"{each}.png")
            print(each)
    else:
        unittest.main(argv=sys.argv[:1] + sys.argv[3:])
