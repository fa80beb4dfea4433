"""marrow ccd as a user meets it: query files, boxes and frames, JSON, mistakes."""
import json
import unittest

from program_case import ROOT, ProgramCase

DATA = ROOT.parent / "shared" / "data" / "ccd"

# A vertex falls through a triangle: v f0 f1 f2 at the start, then at the end.
FALL = ["0,1,1,1,0,1", "-1,1,0,1,-1,1", "1,1,0,1,-1,1", "0,1,0,1,2,1",
        "0,1,-1,1,0,1", "-1,1,0,1,-1,1", "1,1,0,1,-1,1", "0,1,0,1,2,1"]
METHODS = ("advancement", "inclusion", "additive")


class CcdTest(ProgramCase):
    def write(self, name, rows, truth=None, end="\n"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(row + ("" if truth is None else f",{truth}") + end for row in rows), newline="")
        return path

    def ccd_json(self, *arguments, code=0):
        result = self.marrow("ccd", *arguments, "--json")
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def refuse(self, *arguments, parts=(), code=2):
        result = self.marrow("ccd", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertNotIn("terminate", result.stderr)

    def test_counts_by_every_method(self):
        hit = self.write("hit_vf.csv", FALL, 1)
        miss = self.write("vertex-face/miss.csv", [r.replace("0,1,1,1", "5,1,1,1").replace("0,1,-1,1,0", "5,1,-1,1,0")
                                                   for r in FALL], 0)
        for method in METHODS:
            report = self.ccd_json(hit, miss, "--method", method)
            for key, value in (("queries", 2), ("positives", 1), ("false_positives", 0), ("false_negatives", 0),
                               ("hits", 1)):
                self.assertEqual(report[key], value, (method, key))
            self.assertGreater(report["mean_us"], 0)
            self.assertGreaterEqual(report["worst_us"], 0)
            self.assertEqual([f["file"] for f in report["files"]], [str(hit), str(miss)])
            self.assertEqual([f["queries"] for f in report["files"]], [1, 1])
        table = self.marrow("ccd", hit, miss)
        self.assertEqual(table.returncode, 0)
        self.assertIn("in total", table.stdout)

    def test_a_missed_contact_stops_the_line(self):
        # The answer is a lie, so that a right program misses it.
        lie = self.write("lie_vf.csv", [r.replace("0,1,1,1", "5,1,1,1").replace("0,1,-1,1,0", "5,1,-1,1,0")
                                        for r in FALL], 1)
        report = self.ccd_json(lie, code=6)
        self.assertEqual(report["false_negatives"], 1)

    def test_options(self):
        path = self.write("near_vf.csv", [r.replace("0,1,1,1", "1,1,1,1").replace("0,1,-1,1,0", "1,1,-1,1,0")
                                          for r in FALL], 0, end="\r\n")
        self.assertEqual(self.ccd_json(path)["hits"], 0)
        self.assertEqual(self.ccd_json(path, "--min-separation", 2)["hits"], 1)
        self.assertEqual(self.ccd_json(path, "--max-iterations", 1, "--tolerance", 1e-9, "--threads", 2)["queries"], 1)
        unnamed = self.write("queries.csv", FALL, 1)
        self.refuse(unnamed, parts=("--kind",))
        self.assertEqual(self.ccd_json(unnamed, "--kind", "vf")["positives"], 1)

    def test_answers_in_a_file_of_their_own(self):
        path = self.write("queries/7vf.csv", FALL)
        self.assertEqual(self.ccd_json(path)["unknown"], 1)
        self.write("mma_bool/7vf_mma_bool.json", ["[true]"])
        self.assertEqual(self.ccd_json(path)["positives"], 1)
        other = self.write("other.json", ["[false]"])
        self.assertEqual(self.ccd_json(path, "--truth", other)["false_positives"], 1)
        self.refuse(path, "--truth", self.write("two.json", ["[true, true]"]), parts=("2 answers", "two.json"))

    def test_mistakes(self):
        self.refuse(self.folder / "none_vf.csv", parts=("No such file",))
        for name, row, parts in (("columns", "0,1,1", ("3 columns",)), ("zero", "0,0,1,1,0,1,1", ("zero",)),
                                 ("word", "x,1,1,1,0,1,1", ("\"x\"", "not a number")),
                                 ("third", "1,3,1,1,0,1,1", ("1/3", "not exactly")),
                                 ("truth", "0,1,1,1,0,1,7", ("0 or 1",))):
            rows = [row] + [r + ",1" for r in FALL[1:]]
            self.refuse(self.write(f"{name}_vf.csv", rows), parts=(f"{name}_vf.csv:1", *parts))
        self.refuse(self.write("seven_vf.csv", FALL[:7], 1), parts=("7 rows", "Eight"))
        for arguments in ((), ("--boxes", "b.json"), ("a_vf.csv", "--method", "magic"), ("a_vf.csv", "--kind", "ev"),
                          ("a_vf.csv", "b_vf.csv", "--truth", "t.json"), ("--frames", "a.ply")):
            self.refuse(*arguments, code=1)

    def write_frames(self):
        # A triangle falls through another.
        names = []
        for name, height in (("a", 1), ("b", -1)):
            path = self.folder / f"{name}.obj"
            path.write_text(f"v -1 0 -1\nv 1 0 -1\nv 0 0 1\nv -1 {height} 0\nv 1 {height} 0\nv 0 {height} 2\n"
                            "f 1 2 3\nf 4 5 6\n")
            names.append(path)
        return names

    def test_the_whole_step_of_a_mesh(self):
        frames = self.write_frames()
        report = self.ccd_json("--frames", *frames)
        self.assertEqual((report["candidates_ee"], report["candidates_vf"]), (6, 3))
        self.assertLessEqual(report["toi"], 0.5)
        self.assertGreater(report["toi"], 0.4999)
        self.assertEqual(set(report["seconds"]), {"read", "broad_phase", "stencils", "narrow_phase"})
        self.assertIsNone(self.ccd_json("--frames", frames[0], frames[0])["toi"])
        self.assertIn("earliest impact", self.marrow("ccd", "--frames", *frames).stdout)
        other = self.folder / "other.obj"
        other.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.refuse("--frames", frames[0], other, parts=("differs from the mesh",))

    def test_queries_from_boxes_and_frames(self):
        frames = self.write_frames()
        boxes = self.folder / "boxes.json"
        boxes.write_text("[[4, 12], [3, 12], [6, 10]]")
        truth = self.write("truth.json", ["[false, false, false]"])
        report = self.ccd_json("--boxes", boxes, "--frames", *frames, "--truth", truth)
        self.assertEqual(report["queries"], 3)
        boxes.write_text("[[4, 99]]")
        self.refuse("--boxes", boxes, "--frames", *frames, parts=("[4, 99]",))

    def test_published_steps_have_the_published_counts(self):
        if not DATA.exists():
            self.skipTest("no shared data beside the repository")
        scenes = DATA / "Sample-Scalable-CCD-Data"
        for names, ee, vf, exact in (
                (("cloth-ball/frames/cloth_ball92.ply", "cloth-ball/frames/cloth_ball93.ply"), 5197332, 1655541,
                 7.4920691868243366e-6),
                (("armadillo-rollers/frames/326.ply", "armadillo-rollers/frames/327.ply"), 5068080, 2031902,
                 3.9858192989688547e-5),
                (("cloth-funnel/frames/227.ply", "cloth-funnel/frames/228.ply"), 33770, 7319, 0.04523222037614761)):
            report = self.ccd_json("--frames", *(scenes / name for name in names), "--threads", 0)
            self.assertEqual((report["candidates_ee"], report["candidates_vf"]), (ee, vf))
            self.assertLessEqual(report["toi"], exact)
            self.assertGreater(report["toi"], 0.8 * exact)


if __name__ == "__main__":
    unittest.main()
