"""Every code block of the pages for users does what the page says: shell commands run (stand_in.py shortens them), scenes
and parts of scenes (fragments.py) are checked, Python runs. Blocks of a page share a folder, in order, as they would for a
reader who follows it; it is a scratch folder with copies of what the page names, so that nothing of the tree is written to.
A block that cannot be run says why in the page; these are listed and counted. What a program printed is ```text there."""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import blocks
import fragments
import stand_in

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
LEFT_OUT = ("docs/decisions/", "docs/models/", "docs/architecture.md")  # for developers; models/medial.md is added below


def list_pages():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    kept = [p for p in pages if not str(p.relative_to(ROOT)).startswith(LEFT_OUT)]
    return [*kept, ROOT / "docs/models/medial.md"]


def read_blocks(page):
    return blocks.find_blocks(str(page.relative_to(ROOT)), page.read_text(encoding="utf-8"))


def list_jobs():
    """The blocks that share a folder: those of a page; of the gallery, where each stands for itself, ten at a time."""
    jobs = []
    for page in list_pages():
        found = read_blocks(page)
        size = 10 if page.name == "gallery.md" else max(len(found), 1)
        jobs += [found[i:i + size] for i in range(0, len(found), size)]
    return sorted(jobs, key=len, reverse=True)


class Folder:
    """Where the blocks of one page run; text: that of all of them."""

    def __init__(self, path, text=""):
        self.path = Path(path)
        self.scenes = 0
        bin_folder = self.path / ".bin"
        bin_folder.mkdir()
        (bin_folder / "python3").symlink_to(sys.executable)
        for program in (bin_folder / "marrow", self.path / "dev"):
            shutil.copy(HERE / "stand_in.py", program)
            program.chmod(0o755)
        for name in ("examples", "docs"):  # copies, because a block may write there
            if f"{name}/" in text:
                shutil.copytree(ROOT / name, self.path / name, ignore=shutil.ignore_patterns("pictures", "gallery"))
        self.environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1",
                            "MARROW_COMMAND": ""}

    def run(self, command, **options):
        return subprocess.run(command, cwd=self.path, env=self.environment, capture_output=True, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, **options)


def can_render():
    browser = os.environ.get("MARROW_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    return bool(browser) and (ROOT / "build/page/index.html").exists()


def without_what_is_missing(script):
    """The commands, less those whose tools this machine lacks; and which these are."""
    kept, left_out = [], []
    for line in script.split("\n"):
        is_picture = re.search(r"(marrow|dev run) render\b", line)
        is_view = re.search(r"(marrow|dev run) (view\b|.*--live\b)", line)
        if is_picture and not can_render() or re.search(r"\.(mp4|gif)\b", line) and not shutil.which("ffmpeg"):
            left_out.append(line)
        elif is_view and not (ROOT / "build/page/index.html").exists():
            left_out.append(line)
        else:
            kept.append(line)
    return "\n".join(kept), left_out


class CodeBlocksTest(unittest.TestCase):
    def test_pages(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as workers:
            results = list(workers.map(self.run_blocks, list_jobs()))
        counts, marked = {}, [block for _, _, some, _ in results for block in some]
        for _, kinds, _, _ in results:
            for kind in kinds:
                counts[kind] = counts.get(kind, 0) + 1
        print(f"\nblocks run: {counts}; marked as not run: {len(marked)}")
        for block in marked:
            print(f"  {block.place}: {block.mark}")
        for _, _, _, left_out in results:
            for line in left_out:
                print(f"  left out, tools are missing here: {line}")
        for wrong, _, _, _ in results:
            for place, problem in wrong:
                with self.subTest(place):
                    self.fail(problem)
        self.assertTrue(all(block.mark for block in marked), "a mark without a reason")
        self.assertGreater(counts.get("shell", 0), 3)
        self.assertGreater(counts.get("json", 0), 3)

    def run_blocks(self, found):
        """What is wrong, the kinds of the blocks that were run, the blocks that are not, the lines that lack their tools."""
        wrong, kinds, marked, left_out = [], [], [], []
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as path:
            folder = Folder(path, "".join(block.text for block in found))
            for block in found:
                if block.kind not in ("shell", "json", "python"):
                    continue
                if block.mark is not None:
                    marked.append(block)
                    continue
                kinds.append(block.kind)
                try:
                    lines = getattr(self, f"run_{block.kind}")(block, folder) or []
                    left_out += [f"{block.place}: {line}" for line in lines]
                except (AssertionError, subprocess.TimeoutExpired) as problem:
                    wrong.append((block.place, str(problem)))
        return wrong, kinds, marked, left_out

    def run_shell(self, block, folder):
        script, left_out = without_what_is_missing(re.sub(r"(?m)^\$ ", "", block.text))
        if not re.search(r"\b(marrow|dev run) run\b", script):
            stand_in.make_named_runs(script, folder.path)
        result = folder.run(["bash", "-e", "-o", "pipefail", "-c", script])
        self.assertEqual(result.returncode, 0, f"{block.place}\n{script}\n{result.stdout[-1500:]}{result.stderr[-1500:]}\n"
                         "Mend it, or write <!-- not run: why --> above the block.")
        return left_out

    def run_python(self, block, folder):
        stand_in.make_named_runs(block.text, folder.path)
        name = block.name if block.name and block.name.endswith(".py") else "block.py"
        (folder.path / name).write_text(block.text)
        result = folder.run([sys.executable, name])
        missing = re.search(r"ModuleNotFoundError: No module named '(numpy|meshio|pandas|matplotlib|vtk|marrow)", result.stderr)
        if missing:
            return [f"Python without {missing.group(1)}"]
        self.assertEqual(result.returncode, 0, f"{block.place}\n{result.stderr[-2000:]}")
        return []

    def run_json(self, block, folder):
        """A scene as it is, or parts of one in scenes around them."""
        try:
            groups = fragments.read_fragment(block.text)
        except ValueError as problem:
            self.fail(f"{block.place}: {problem}\n{block.text}Mend it, or write ```text or <!-- not run: why --> above it.")
        for group in groups:
            is_whole = len(groups) == len(group) == 1 and "bodies" in group[0] and fragments.is_complete(block.text)
            scenes = [block.text] if is_whole else [json.dumps(scene, indent=1) for scene in fragments.list_scenes(group)]
            folder.scenes += 1
            name = block.name if is_whole and block.name else f"block_{folder.scenes}.json"
            if '"../' in block.text and (folder.path / "examples/tutorial").is_dir():  # quoted from a scene there
                name = f"examples/tutorial/{name}"
            said = []
            for scene in scenes:
                (folder.path / name).write_text(scene)
                self.make_meshes(scene, folder)
                result = folder.run([str(folder.path / ".bin/marrow"), "check", name])
                if result.returncode == 0:
                    break
                said.append(result.stdout + result.stderr)
            else:
                self.fail(f"{block.place}, tried in {len(said)} places of a scene:\n{said[0]}"
                          "Mend it, or write <!-- not run: why --> above the block.")

    def make_meshes(self, text, folder):
        for mesh in re.findall(r'"([\w./-]+\.(?:obj|ply|msh))"', text):
            if not (folder.path / mesh).exists() and ".." not in mesh and not mesh.startswith("/"):
                stand_in.make_missing(["check", str(folder.path / mesh)])


class BlocksTest(unittest.TestCase):
    """The finder of blocks finds what is there."""

    def kinds(self, text):
        return [(b.kind, b.mark, b.name) for b in blocks.find_blocks("page.md", text)]

    def test_fenced_and_indented(self):
        self.assertEqual(self.kinds("Do:\n\n    marrow run a.json\n\nand\n\n```json\n{}\n```\n"),
                         [("shell", None, None), ("json", None, None)])
        self.assertEqual(self.kinds("- item\n\n    more of the item\n"), [])
        self.assertEqual(self.kinds("x = y:\n\n    E = κ b(d)\n"), [("other", None, None)])

    def test_a_scene_and_the_commands_below_it_are_two_blocks(self):
        text = "Save as `my.json`:\n\n    {\n      \"bodies\": []\n    }\n\n    marrow run my.json\n    marrow view out\n"
        self.assertEqual(self.kinds(text), [("json", None, "my.json"), ("shell", None, None)])

    def test_marks_and_names(self):
        text = "Save as `my.json`:\n\n    {\"bodies\": []}\n\n<!-- not run: needs a disk -->\n\n    ./dev demo\n"
        self.assertEqual(self.kinds(text), [("json", None, "my.json"), ("shell", "needs a disk", None)])

    def test_a_wrong_block_is_noticed(self):
        case = CodeBlocksTest()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as path:
            folder = Folder(path)
            for kind, text in (("shell", "marrow run --stepz 3 a.json"), ("shell", "marrow frobnicate"), ("shell", "./dev demo"),
                               ("json", '{"bodies": [{"shape": {"type": "bal"}}]}'), ("json", '"mateerial": {"density": 3}'),
                               ("json", '{"name": "a", "shape": {"type": "box"'),
                               ("json", '{"type": "hinge", "a": "b", "axsi": [0, 0, 1]}'),
                               ("json", '{"shape": {"type": "box"}},\n{"shape": {"type": "bal"}}'),
                               ("json", '"friction": 0.1, "friction": 0.2'), ("json", '"friction": {"a": }'),
                               ("python", "raise SystemExit(3)")):
                with self.assertRaises(AssertionError, msg=text):
                    getattr(case, f"run_{kind}")(blocks.Block("page.md", 1, kind, text + "\n"), folder)

    def test_a_part_of_a_scene_is_put_into_one(self):
        case = CodeBlocksTest()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as path:
            folder = Folder(path)
            for text in ('"gravity": [0, 0, 0]', '"material": {"density": 3}', '{"name": "b", "mesh": "my.obj", "kind": "rigid"}',
                         '{"solver": {"tolerance": 1e-3}}',
                         '"name": "b", "friction": 0.1,',                                      # keys that go on
                         '{"name": "s",\n "bodies": [\n {"shape": {"type": "box"}},',          # a beginning
                         '{"shape": {"type": "box"}},\n…\n{"shape": {"type": "sphere"}}',      # a list with a gap
                         '{"mesh": "a.obj", "kind": "rigid"}\n{"mesh": "b.obj", "kind": "affine"}',  # one or the other
                         '{"type": "hinge", "a": "wheel", "at": [0, 1, 0], "axis": [0, 0, 1], "motor": {"speed": "2*t"}}',
                         '{"type": "ball", "a": "l[{i}]", "b": "l[{i + 1}]", "at": [0, 0, 0], "copies": {"count": 3}}',
                         '"ground": {"friction": 0.5}', '{"type": "ring", "count": 3}',
                         '{"relative_box": {"min": [0, 0, 0], "max": [1, 1, 1]}}'):
                with self.subTest(text):
                    case.run_json(blocks.Block("page.md", 1, "json", text + "\n"), folder)

    def test_what_a_program_printed_is_no_scene(self):
        self.assertEqual(self.kinds('It says\n\n```text\n{"a": 1}\n```\n\n    "floor" and "box" touch: raise "box"\n'),
                         [("text", None, None), ("other", None, None)])

    def test_the_tree_is_not_written_to(self):
        """Not by the name of a file that the page happens to mention, nor by a command."""
        wires = ROOT / "examples/wires.json"
        before = wires.read_bytes()
        self.assertEqual(self.kinds("The file `examples/wires.json` is a coil. Write:\n\n    {\"name\": \"a\"}\n"),
                         [("json", None, None)])
        self.assertEqual(self.kinds("Save as `examples/wires.json`:\n\n    {\"name\": \"a\"}\n"), [("json", None, None)])
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as path:
            text = "echo '{}' > examples/wires.json\n"
            folder = Folder(path, text)
            CodeBlocksTest().run_shell(blocks.Block("page.md", 1, "shell", text), folder)
            self.assertEqual((folder.path / "examples/wires.json").read_text(), "{}\n")
        self.assertEqual(wires.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
