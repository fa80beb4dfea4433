"""tools/report_skipped.py counts what ctest and Python scripts skip, by reason, and refuses too many."""
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

from tree_case import ROOT, TreeCase

import report_skipped

RESULTS = """<testsuite>
<testcase name="Solver.is_fast" status="run"><system-out>[ RUN ] fine</system-out></testcase>
<testcase name="Mesh.a" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>[ RUN      ] Mesh.a
x_test.cpp:34: Skipped
no shared data beside the repository

[  SKIPPED ] Mesh.a (0 ms)</system-out></testcase>
<testcase name="Mesh.b  # GetParam() = 1" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>x_test.cpp:7: Skipped
needs ../shared/data/sequences

[  SKIPPED ] Mesh.b (0 ms)</system-out></testcase>
<testcase name="Device.gpu" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>the moon is full</system-out></testcase>
<testcase name="apps.survive" status="run"><system-out>test_a (__main__.T.test_a) ... ok
test_full_disk (__main__.T.test_full_disk)
What happens on a full disk. ... skipped 'needs the right to mount a tmpfs'
test_c (__main__.T.test_c) ... skipped "it's raining"
</system-out></testcase>
</testsuite>"""


class SkippedTest(TreeCase):
    def test_counts_by_reason(self):
        groups = report_skipped.group_skipped(xml.fromstring(RESULTS))
        self.assertEqual({group: sorted(names) for group, names in groups.items()}, {
            "data of ../shared/data missing": ["Mesh.a", "Mesh.b"],
            "the moon is full": ["Device.gpu"],
            "no right to mount": ["apps.survive.test_full_disk"],
            "it's raining": ["apps.survive.test_c"],
        })

    def test_says_how_many_and_names_some(self):
        text = report_skipped.format_report({"no browser": ["e", "d", "c", "a"], "rain": ["b"]})
        self.assertIn("5 tests were skipped", text)
        self.assertIn("   4 no browser: a, c, d, …", text)
        self.assertEqual(report_skipped.format_report({}), "No test was skipped.")

    def run_tool(self, *arguments):
        self.write({"results.xml": RESULTS})
        command = [sys.executable, ROOT / "tools/report_skipped.py", self.root / "results.xml", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def test_refuses_more_than_the_known_number(self):
        self.assertEqual(self.run_tool().returncode, 0)
        self.assertEqual(self.run_tool("--most", "5").returncode, 0)
        refused = self.run_tool("--most", "4")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("At most 4", refused.stdout)

    def test_every_reason_in_the_tree_has_its_group(self):
        """What C++ tests about data say must be counted as data."""
        for reason in ("no data at /x", "no scripts in /x", "no sequence at /x", "needs ../shared/data",
                       "no shared data", "../shared/data is not here",
                       "needs the fixtures of rigid-ipc in ../shared/data/scenes"):
            self.assertEqual(report_skipped.name_group(reason), "data of ../shared/data missing")


if __name__ == "__main__":
    unittest.main()
