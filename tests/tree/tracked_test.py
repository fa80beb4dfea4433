"""The check of tracked files finds what belongs to one machine only."""
import subprocess
import unittest

from tree_case import TreeCase

import check_format
import check_tracked

# Put together here, so that this file itself passes the check.
SLASH = "/"


class Tracked(TreeCase):
    def test_good_tree(self):
        self.write({"README.md": "Run ./dev demo; see out/demo and build/release/bin, a work/ folder, $HOME/work/x.\n",
                    "src/core/types.h": "// 1/2\n"})
        self.assertEqual(check_tracked.check(self.root), [])

    def test_machine_paths(self):
        for path in ("work/main", "root/x", "home/ann/x", "Users/ann/x"):
            with self.subTest(path=path):
                self.write({"docs/a.md": f"\nsee {SLASH}{path}\n"})
                self.assert_one(check_tracked.check(self.root), "docs/a.md:2:", "path of one machine")

    def test_package_hosts(self):
        for host in ("registry.example", "deb.example", "pypi"):
            with self.subTest(host=host):
                self.write({"tests/browser/package-lock.json": f'"resolved": "https:{SLASH}/{host}.' 'org/three"\n'})
                self.assert_one(check_tracked.check(self.root), "package-lock.json:1:", "package host")

    def test_file_names(self):
        self.write({"src/core/MyFile.h": "\n"})
        self.assert_one(check_tracked.check(self.root), "src/core/MyFile.h", "snake_case")

    def test_lines_of_pages(self):
        words = "word " * 25
        self.write({"docs/a.md": f"short\n\n{words}\n| {words} |\n- {'a' * 130}\n", "bench/results/b.md": words,
                    "src/core/a.h": f"// {words}"})
        self.assert_one(check_tracked.check(self.root), "docs/a.md:3:", "120")

    def test_binary_files_are_left_alone(self):
        (self.root / "a.bin").write_bytes(b"\xff\xfe\x00\x80")
        self.assertEqual(check_tracked.check(self.root), [])

    def test_untracked_files_do_not_count(self):
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        self.write({"notes.txt": f"{SLASH}root/x\n"})
        self.assertEqual(check_tracked.check(self.root), [])
        subprocess.run(["git", "-C", str(self.root), "add", "notes.txt"], check=True)
        self.assertEqual(len(check_tracked.check(self.root)), 1)


class Layout(TreeCase):
    def test_layout(self):
        self.write({".clang-format": "BasedOnStyle: Google\n", "src/core/a.cpp": "int f() { return 1; }\n"})
        self.assertEqual(check_format.check(self.root), [])
        self.write({"src/core/b.cpp": "int f( ) {return 1;}\n"})
        self.assert_one(check_format.check(self.root), "src/core/b.cpp:1:")


if __name__ == "__main__":
    unittest.main()
