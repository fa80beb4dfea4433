"""The command line itself: help, advice on mistyped names, man page, completion in a shell, what ./dev install puts
where."""
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from program_case import PROGRAM, ROOT, ProgramCase

VERBS = ("run", "play", "check", "view", "render", "info", "new", "reference", "convert", "prepare", "ccd", "selfcollide",
         "transfer", "help", "completion")


class CommandLineTest(ProgramCase):
    def refuse(self, *arguments):
        """What is said to a wrong command line, in one line."""
        result = self.marrow(*arguments)
        self.assertEqual(result.returncode, 1, arguments)
        self.assertEqual(result.stdout, "")
        return " ".join(result.stderr.split())

    # ---- help

    def test_the_program_alone_says_what_it_is_and_how_to_begin(self):
        alone = self.marrow()
        self.assertEqual(alone.returncode, 1)
        for help_words in (("help",), ("--help",), ("-h",)):
            help_text = self.marrow(*help_words)
            self.assertEqual((help_text.returncode, help_text.stdout), (0, alone.stdout))
        self.assertTrue(alone.stdout.startswith("Marrow simulates"))
        self.assertIn("marrow run first.json", alone.stdout)
        for verb in VERBS:
            self.assertRegex(alone.stdout, rf"(?m)^  {verb}\s+\S")

    def test_every_verb_explains_itself(self):
        verbs = [(verb,) for verb in VERBS] + [("prepare", kind) for kind in ("medial", "tet", "repair", "hull", "certificates")]
        for verb in verbs:
            text = self.marrow("help", *verb)
            self.assertEqual(text.returncode, 0, verb)
            self.assertEqual(text.stdout, self.marrow(*verb, "--help").stdout)
            self.assertIn("Usage: marrow " + " ".join(verb), text.stdout)
            self.assertLessEqual(max(map(len, text.stdout.splitlines())), 90, verb)
            if verb != ("prepare",):
                self.assertIn("\nExamples:\n  ", text.stdout)
                self.assertIn("marrow " + " ".join(verb), text.stdout[text.stdout.index("Examples:"):])

    def test_help_shows_choices_as_they_are_typed(self):
        text = self.marrow("run", "--help").stdout
        self.assertIn("--kind rigid|affine", text)
        self.assertNotIn("->", text)
        self.assertIn("[default: out]", text)

    def test_examples_in_the_help_use_options_that_exist(self):
        for verb in VERBS:
            text = self.marrow("help", verb).stdout
            for command in re.findall(r"(?m)^  marrow (.*)$", text[text.find("Examples:"):]):
                refused = self.marrow(*command.split("#")[0].split(), "--no-such-option").stderr
                self.assertIn("--no-such-option is no option", refused, command)

    def test_the_page_of_the_command_line_names_every_option_and_no_other(self):
        page = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
        known = {"--help", "--version", "--step"}  # the last one as a mistake
        for verb in [(verb,) for verb in VERBS] + [("prepare", kind) for kind in ("medial", "tet", "repair", "hull", "certificates")]:
            text = self.marrow("help", *verb).stdout.split("Examples:")[0]
            for names in re.findall(r"(?m)^  ((?:-\w, )?--[a-z-]+(?:, --[a-z-]+)*)", text):
                options = re.findall(r"--[a-z-]+", names)
                known.update(options)
                self.assertTrue(any(option in page for option in options), f"docs/cli.md does not name {options} of {verb}")
        dev = (ROOT / "dev").read_text(encoding="utf-8")
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page)):
            self.assertTrue(option in known or option in dev, f"docs/cli.md names {option}, which does not exist")

    def test_version_says_what_was_built(self):
        text = self.marrow("--version").stdout
        self.assertRegex(text, r"^marrow \d+\.\d+\.\d+")
        for fact in ("built as ", "Eigen", "threads", "AVX2"):
            self.assertIn(fact, text)

    def test_started_through_dev_the_help_says_so(self):
        environment = {**os.environ, "MARROW_COMMAND": "./dev run"}
        text = self.marrow("run", "--help", env=environment).stdout
        self.assertIn("Usage: ./dev run run", text)
        self.assertNotIn("  marrow ", text)
        result = self.marrow("run", self.scene, "-o", self.folder / "out", "--steps", 1, env=environment)
        self.assertIn(f"./dev run view {self.folder / 'out'}", result.stdout)

    # ---- mistakes

    def test_mistyped_options_get_the_nearest(self):
        for word, meant in (("--step", "--steps"), ("-step", "--steps"), ("--thread", "--threads"), ("--overwrit", "--overwrite"),
                            ("--out", "--output"), ("--force", "--overwrite"), ("--iterate", "--iterates")):
            said = self.refuse("run", "a.json", word, "5")
            self.assertIn(f"{word} is no option of marrow run Did you mean {meant}?", said)
        self.assertIn("Did you mean --color?", self.refuse("render", "x", "--colr=kind"))
        self.assertIn("It is one of marrow render.", self.refuse("view", "x", "--camera", "top"))
        self.assertIn("Did you mean --cells?", self.refuse("prepare", "tet", "a.obj", "--cell", "3"))

    def test_values_may_look_like_options(self):
        said = self.marrow("check", self.scene, "--set", "gravity=[0,-5,0]")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertNotIn("option", self.marrow("render", "none", "-o", "a.png", "--camera", "-1,2,-.5", "--target", "-1,0,0").stderr)
        self.assertNotIn("option", self.marrow("prepare", "medial", "none.obj", "--extra-handle", "-1", "-.5", "-2e-3").stderr)

    def test_mistyped_verbs_get_the_nearest(self):
        for word, meant in (("simulate", "run"), ("chek", "check"), ("show", "view"), ("movie", "render"), ("validate", "check"),
                            ("rendr", "render"), ("import", "convert")):
            self.assertIn(f'unknown command "{word}" Did you mean {meant}?', self.refuse(word, "a.json"))
        self.assertIn("Did you mean medial?", self.refuse("prepare", "medal", "a.obj"))
        self.assertIn("Did you mean check?", self.refuse("help", "chek"))

    def test_a_file_without_a_verb(self):
        self.assertIn(f"marrow run {self.scene}", self.refuse(self.scene))
        self.assertIn(f"marrow view {self.folder}", self.refuse(self.folder))

    def test_what_is_missing_or_too_much_is_named(self):
        self.assertIn("SCENE is missing: Scene file", self.refuse("run"))
        self.assertIn("--output FILE is missing", self.refuse("render", "x"))
        self.assertIn('"b.json" is one argument too many', self.refuse("run", "a.json", "b.json"))
        self.assertIn("--resume and --overwrite exclude each other", self.refuse("run", "a.json", "--resume", "--overwrite"))
        self.assertIn("--paused needs --live", self.refuse("run", "a.json", "--paused"))
        self.assertIn("--steps wants N", self.refuse("run", "a.json", "--steps"))
        self.assertIn("--anchor wants X0 Y0 Z0", self.refuse("prepare", "medial", "a.obj", "--anchor", "1", "2"))
        self.assertIn("'rgid' is not one of rigid, affine. Did you mean rigid?", self.refuse("run", "a.json", "--kind", "rgid"))
        self.assertIn("Usage: marrow prepare KIND", self.refuse("prepare"))

    # ---- man page

    def test_the_man_page_is_valid_and_complete(self):
        page = self.marrow("help", "--man").stdout
        path = self.folder / "marrow.1"
        path.write_text(page, encoding="utf-8")
        for verb in VERBS:
            self.assertIn(f'.SS "marrow {verb}"', page)
        self.assertIn("\\-\\-overwrite", page)
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        shown = subprocess.run(["groff", "-man", "-ww", "-Tutf8", str(path)], capture_output=True, text=True)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        plain = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", shown.stdout)
        self.assertIn("marrow ccd [options] [FILES…]", plain)
        self.assertIn("-o, --output FOLDER", plain)

    # ---- completion

    def complete_in_bash(self, *words):
        """What bash offers for the last word."""
        script = ('source <("$0" completion bash); COMP_WORDS=("$0" "$@"); COMP_CWORD=$#; _marrow 2>/dev/null; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", script, PROGRAM, *words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.split()

    def test_bash_completes_verbs_options_values_and_files(self):
        for name in ("my.json", "my.obj", "my.png"):
            (self.folder / name).write_text("")
        (self.folder / "my_folder").mkdir()
        for words, found in ((("r",), ["run", "render", "reference"]), (("run", "--ste"), ["--steps"]),
                             (("prepare", ""), ["certificates", "hull", "medial", "repair", "tet"]), (("help", "prepare", "me"), ["medial"]),
                             (("run", "--kind", ""), ["rigid", "affine"]), (("render", "x", "--theme", "d"), ["dark"]),
                             (("run", "my"), ["my_folder", "my.json"]), (("render", "x", "-o", "my."), ["my.png"]),
                             (("run", "a.json", "-o", "my"), ["my_folder"]), (("ccd", "--method", "a"), ["advancement", "additive"]),
                             (("run", "a.json", "--steps", ""), []), (("nonsense", ""), []), (("completion", "f"), ["fish"])):
            self.assertEqual(sorted(self.complete_in_bash(*words)), sorted(found), words)

    def test_a_person_completes_with_the_tab_key(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "marrow").symlink_to(PROGRAM)
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.environ.update(PATH=f"{self.folder}/bin:{os.environ['PATH']}", TERM="dumb", PS1="$ ")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        shown = ""
        os.write(terminal, b"source <(marrow completion bash); echo rea''dy\n")
        shown = self.read_until(terminal, "ready", shown)
        os.write(terminal, b"marrow inf\tsce\t\n")
        shown = self.read_until(terminal, "time         0.6 s", shown)  # what info says of scene.json
        os.write(terminal, b"exit\n")
        os.close(terminal)
        os.waitpid(pid, 0)

    def read_until(self, terminal, text, shown):
        end = time.time() + 60
        while text not in shown:
            self.assertLess(time.time(), end, shown)
            if select.select([terminal], [], [], 1)[0]:
                shown += os.read(terminal, 65536).decode(errors="replace")
        return shown

    def test_other_shells_take_their_scripts(self):
        checked = 0
        for shell, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"]), ("bash", ["bash", "-n"])):
            script = self.marrow("completion", shell).stdout
            self.assertIn("completion --words", script)
            if shutil.which(check[0]):
                path = self.write_scene(script, "script")
                result = subprocess.run([*check, path], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), shell)
                checked += 1
        self.assertGreater(checked, 0)

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "marrow").symlink_to(PROGRAM)
        (self.folder / "my.json").write_text("")
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.folder)}
        for line, found in (("marrow ru", ["run"]), ("marrow run --ste", ["--steps"]), ("marrow run my", ["my.json"]),
                            ("marrow run --kind r", ["rigid"]), ("marrow prepare me", ["medial"])):
            result = subprocess.run(["fish", "-c", f"marrow completion fish | source; complete -C '{line}'"], env=environment,
                                    capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(([text.split("\t")[0] for text in result.stdout.splitlines()], result.stderr), (found, ""), line)

    def test_zsh_completes(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "marrow").symlink_to(PROGRAM)
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.environ.update(PATH=f"{self.folder}/bin:{os.environ['PATH']}", TERM="dumb", HOME=str(self.folder))
            os.execvp("zsh", ["zsh", "-f", "-i"])
        os.write(terminal, b"PS1='> '; autoload -Uz compinit; compinit -u; source <(marrow completion zsh); echo rea''dy\n")
        shown = self.read_until(terminal, "ready\r\n", "")
        os.write(terminal, b"marrow inf\tsce\t\n")  # a command, then a file
        self.read_until(terminal, "time         0.6 s", shown)
        os.write(terminal, b"exit\n")
        os.close(terminal)
        os.waitpid(pid, 0)

    # ---- installation

    def test_the_installed_program_brings_page_man_page_and_completion(self):
        build = os.path.dirname(os.path.dirname(os.path.realpath(PROGRAM)))
        if not os.path.exists(f"{build}/cmake_install.cmake"):
            self.skipTest("the program was not built by CMake here")
        prefix = self.folder / "prefix"
        result = subprocess.run(["cmake", "--install", build, "--component", "program", "--prefix", str(prefix)],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(".TH MARROW 1", (prefix / "share/man/man1/marrow.1").read_text())
        self.assertIn("complete -F _marrow marrow", (prefix / "share/bash-completion/completions/marrow").read_text())
        self.assertIn("#compdef marrow", (prefix / "share/zsh/site-functions/_marrow").read_text())
        self.assertIn("complete -c marrow", (prefix / "share/fish/vendor_completions.d/marrow.fish").read_text())
        if (ROOT / "build/page/index.html").exists():
            self.assertTrue((prefix / "share/marrow/page/index.html").exists())
        version = subprocess.run([prefix / "bin/marrow", "--version"], capture_output=True, text=True)
        self.assertEqual(version.stdout, self.marrow("--version").stdout)


if __name__ == "__main__":
    unittest.main()
