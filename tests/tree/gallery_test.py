"""The gallery is whole: every example scene has its picture, its command and its row, and the bodies fill the picture.

That the pictures are those of the program is for tests/browser/pictures_test.py.
"""
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import gallery


class GalleryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.entries = json.loads(gallery.LIST.read_text())

    def test_every_example_scene_is_in_it(self):
        scenes = gallery.list_scenes()
        self.assertGreater(len(scenes), 100)
        self.assertEqual(sorted(self.entries), scenes, "draw what is missing: ./dev gallery NAME")

    def test_every_scene_has_a_picture_and_no_picture_is_left_over(self):
        wanted = {scene.replace("/", "_") + ".jpg" for scene in self.entries}
        self.assertEqual({path.name for path in gallery.PICTURES.glob("*.jpg")}, wanted)
        for name in wanted:
            picture = (gallery.PICTURES / name).read_bytes()
            self.assertTrue(picture.startswith(b"\xff\xd8") and picture.endswith(b"\xff\xd9"), name)
            self.assertGreater(len(picture), 3000, f"{name}: an even grey")

    def test_bodies_fill_a_third_of_each_picture_and_are_seen(self):
        self.assertEqual([scene for scene, entry in self.entries.items() if gallery.lacks(entry)], [])
        self.assertTrue(gallery.lacks({"fill": 0.3, "visible": 1}))
        self.assertTrue(gallery.lacks({"fill": 0.9, "visible": 0.7}))

    def test_page_and_table_say_what_the_list_says(self):
        self.assertEqual(gallery.PAGE.read_text(), gallery.format_page(self.entries))
        self.assertEqual(gallery.TABLE.read_text(), gallery.format_table(self.entries))


if __name__ == "__main__":
    unittest.main()
