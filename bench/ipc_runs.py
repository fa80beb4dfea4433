"""Runs scenes with the built program under a time limit and keeps their figures: shared by the suites bench_ipc*.py."""
import json
import os
import resource
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ.get("MARROW_PROGRAM", ROOT / "build/bench/bin/marrow"))


def read_processor_seconds(pid):
    """What a process has used so far, all threads together; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_limited(command, seconds, log, is_processor_time=False):
    """Runs the command; returns (exit status, seconds, the system's usage, whether it was stopped). Past the limit it is asked to stop.

    is_processor_time: the limit is on that, so that other runs on the machine do not shorten this one."""
    start = time.monotonic()

    def elapsed():
        return read_processor_seconds(process.pid) if is_processor_time else time.monotonic() - start
    with open(log, "w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT,
                                   env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        asked = False
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if elapsed() > seconds:
                process.kill() if asked and elapsed() > seconds + 60 else (None if asked else process.terminate())
                asked = True
            time.sleep(0.05)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - start, usage, asked


def read_steps(folder):
    path = Path(folder) / "metrics.jsonl"
    if not path.exists():
        return []
    steps = []
    for line in path.read_text().splitlines():
        try:
            steps.append(json.loads(line))
        except json.JSONDecodeError:
            break  # cut off in the middle of a line
    return steps


def check_run(folder, seconds=1200):
    """What the exact checker says of the frames."""
    try:
        answer = subprocess.run([PROGRAM, "check", str(folder), "--json"], capture_output=True, text=True,
                                timeout=seconds)
        return json.loads(answer.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return {}


def run_scene(scene, folder, minutes, overrides=(), threads=None, check_seconds=1200, options=()):
    """Runs one scene; returns its figures. cpu: seconds of processor time in all, which a busy machine does not change.

    With one thread, the limit is on that."""
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [str(PROGRAM), "run", str(scene), "-o", str(folder), *([] if "--resume" in options else ["--overwrite"]), *options]
    for override in overrides:
        command += ["--set", override]
    if threads is not None:
        command += ["--threads", str(threads)]
    log = folder.parent / (folder.name + ".log")
    status, seconds, usage, was_stopped = run_limited(command, 60 * minutes, log, is_processor_time=threads == 1)
    steps = read_steps(folder)
    text = log.read_text()
    head = next((line for line in text.splitlines() if " nodes, " in line), "")
    gaps = [s["min_gap"] for s in steps if s.get("min_gap") is not None]
    witness = check_run(folder, check_seconds)
    return {
        "head": head, "steps": len(steps), "wanted": int(head.split(" steps of ")[0].split()[-1]) if head else 0,
        "iterations": sum(s["iterations"] for s in steps), "seconds": sum(s.get("wall_time", 0) for s in steps),
        "total": seconds, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024, "contacts": max((s.get("contacts", 0) for s in steps), default=0),
        "gap": min(gaps, default=None), "substeps": max((s.get("substeps", 1) for s in steps), default=0),
        "intersections": witness.get("intersections"), "seen": sum(s.get("intersections", 0) for s in steps), "inversions": witness.get("inversions"),
        "status": "ended" if status == 0 else f"stopped after {minutes:g} min" if was_stopped
        else next((line.removeprefix("marrow: ") for line in text.splitlines() if line.startswith("marrow: ")), "failed"),
    }


def part_of(head, word):
    """The number before a word in the program's first line: "3 bodies, 523 nodes, 1272 elements, …"."""
    for piece in head.split(", "):
        if word in piece:
            return piece.split(" " + word)[0].split()[-1]
    return ""


def show(value, form="{:.2f}"):
    return "" if value is None else form.format(value)


def per_step(figures, key):
    return figures[key] / figures["steps"] if figures["steps"] else None


class Table:
    """A Markdown table that is refreshed row by row, so that one scene can be run again alone.

    notes: lines, or what makes them of the rows."""

    def __init__(self, path, title, notes, columns):
        self.path, self.title, self.notes, self.columns = Path(path), title, notes, columns
        self.rows = self.read()

    def read(self):
        rows = {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                if line.startswith("| ") and len(cells) == len(self.columns) and cells[0] not in (self.columns[0], "---"):
                    rows[cells[0]] = cells
        return rows

    def set_row(self, cells):
        """Writes one row; those that other runs wrote meanwhile stay."""
        self.rows = {**self.rows, **self.read(), str(cells[0]): [str(cell) for cell in cells]}
        self.write()

    def sort(self, order):
        """Puts the rows of all runs in order."""
        self.rows = self.read()
        self.write(order)

    def write(self, order=None):
        machine = ROOT / "build/bench/machine.md"
        lines = [f"# {self.title}", ""]
        if machine.exists():
            lines += [machine.read_text().strip(), ""]
        notes = self.notes(list(self.rows.values())) if callable(self.notes) else self.notes
        lines += [*notes, "", "| " + " | ".join(self.columns) + " |", "|" + " --- |" * len(self.columns)]
        names = [n for n in (order or self.rows) if n in self.rows]
        lines += ["| " + " | ".join(self.rows[name]) + " |" for name in names]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("\n".join(lines) + "\n")


def lower_priority():
    os.setpriority(os.PRIO_PROCESS, 0, 5)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
