#!/usr/bin/env python3
"""Runs every shell block of README.md and docs/ as printed: tests/docs_test.py PROGRAM SOURCE_FOLDER

The blocks of a page run one after the other in one scratch folder that looks like a clone after `make demo`: the program
is at build/release/tacit and on the PATH, the sample database in build/demo. Beside it lies what pages about somebody's
own data name (FIXTURES). A PostgreSQL server of its own listens on localhost.

  ```sh        every line is a command and must succeed.
  ```console   lines that begin with "$ " are commands, the others what they print. A command must fail exactly where
               an "error:" is shown. Output is compared loosely: each shown line must occur, in order, with
               numbers, blanks and rules (---) ignored, since noise changes them; a line "..." stands for any lines.

A comment above a block says how it differs:

  <!-- not run: REASON -->    it is not run. Listed at the end, and few (MOST_NOT_RUN).
  <!-- in: FOLDER -->         it runs there, not where the block before it ended.
  <!-- decides: FILE -->      above ```toml: FILE is a starter policy, and the reader makes it say this below [engine].
  <!-- psql: DATABASE -->     above ```sql: the owner of the database runs it.

A shell block must say that it is one: an unnamed block that begins with "$ " or a command of ours fails the test.
CONTRIBUTING.md has blocks that build and run everything; make test and make check are their test.
"""
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import sys
import tempfile

MOST_NOT_RUN = 2
SHELL = ("sh", "console")
LOOKS_LIKE_SHELL = re.compile(r"\$ |(tacit|make|cmake|export|cd) ")
COMMENT = re.compile(r"<!-- (not run|in|decides|psql): (.*) -->")
NUMBER = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?")

# Page -> commands that make what its blocks name, run in the scratch folder.
FIXTURES = {
    "README.md": ["mkdir -p build/demo/files", "cp build/demo/visits.parquet build/demo/files/",
                  "cp build/demo/sample.duckdb build/demo/clinic.duckdb"],
    "docs/policy.md": ["cp build/demo/sample.duckdb build/demo/sample.toml build/demo/visits.parquet .",
                       "mv sample.toml shop.toml", "cp sample.duckdb hospital.duckdb", "mkdir files",
                       "cp visits.parquet files/"],
    "docs/ledger.md": ["cp build/demo/sample.duckdb .", "cp build/demo/sample.toml shop.toml",
                       "tacit query -p shop.toml --analyst ana 'SELECT COUNT(*) FROM visit'",
                       "mv sample.duckdb moved.duckdb", "sed -i s/sample.duckdb/moved.duckdb/ shop.toml"],
}


class Block:
    def __init__(self, page, line, language, text, comments):
        self.page, self.line, self.language, self.text, self.comments = page, line, language, text, comments

    def where(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    lines = text.split("\n")
    comments, start = {}, None
    for number, line in enumerate(lines):
        if start is None and line.startswith("```"):
            start, language = number, line[3:].strip()
        elif start is not None and line.startswith("```"):
            yield Block(page, start + 1, language, lines[start + 1 : number], comments)
            start, comments = None, {}
        elif start is None and (found := COMMENT.fullmatch(line.strip())):
            comments[found[1]] = found[2]
        elif start is None and line.strip():
            comments = {}


def loosely(line):
    line = NUMBER.sub("#", line)
    return re.sub(r"\s+", "", re.sub(r"-{2,}", "--", line))


def is_shown(expected, printed):
    """The first expected line that is not among the printed ones, in order; None when all are."""
    rest = iter([loosely(line) for line in printed])
    for line in expected:
        wanted = loosely(line)
        if wanted in ("", "..."):
            continue
        if not any(wanted == other or (wanted.endswith("...") and other.startswith(wanted[:-3])) for other in rest):
            return line
    return None


class Shell:
    """Runs commands one by one; folder and environment stay."""

    def __init__(self, folder, environment):
        self.folder, self.environment, self.scratch = str(folder), dict(environment), folder / ".shell"

    def run(self, command):
        script = f"{command}\ncode=$?\npwd > '{self.scratch}.pwd'\nenv -0 > '{self.scratch}.env'\nexit $code"
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        self.folder = pathlib.Path(f"{self.scratch}.pwd").read_text().strip()
        pairs = pathlib.Path(f"{self.scratch}.env").read_text().split("\0")
        self.environment = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        return done.returncode, done.stdout


class Postgres:
    def __init__(self):
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        self.bin = pathlib.Path(os.environ.get("TACIT_POSTGRES_BIN") or found[-1])
        self.folder = tempfile.mkdtemp(prefix="tacit-docs-postgres-")
        self.user = {}
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            postgres = pwd.getpwnam("postgres")
            os.chown(self.folder, postgres.pw_uid, postgres.pw_gid)
            self.user = {"user": postgres.pw_uid, "group": postgres.pw_gid}
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port = str(free.getsockname()[1])

    def run(self, *words):
        subprocess.run([str(self.bin / words[0]), *words[1:]], check=True, cwd="/", stdout=subprocess.DEVNULL, **self.user)

    def __enter__(self):
        self.run("initdb", "-D", self.folder + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                 "--no-sync")
        self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-l", self.folder + "/log", "start", "-o",
                 f"-c listen_addresses=localhost -c port={self.port} -c unix_socket_directories={self.folder} -c fsync=off")
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def environment(self):
        return {"PGPORT": self.port}

    def psql(self, database, sql):
        words = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", self.port, "-U", "postgres"]
        subprocess.run(["createdb", "-h", self.folder, "-p", self.port, "-U", "postgres", database], check=False,
                       stderr=subprocess.DEVNULL)
        done = subprocess.run([*words, "-d", database, "-f", "-"], input=sql, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout


def decide(path, text):
    """What the reader makes of a starter policy: its [engine] stays, the rest is what the page shows."""
    starter = path.read_text()
    engine = starter[starter.index("[engine]") :]
    url = next(line for line in engine.split("\n") if line.startswith("url = "))
    path.write_text(f"[engine]\n{url}\n{text}\n")


class Pages:
    def __init__(self, program, source, postgres):
        self.program, self.source, self.postgres = program, source, postgres
        self.failures, self.not_run, self.ran = [], [], 0

    def fail(self, block, what, text=""):
        self.failures.append(f"{block.where()}: {what}\n{text}")

    def run_page(self, page):
        blocks = list(blocks_of(page, (self.source / page).read_text()))
        for block in blocks:
            if not block.language and block.text and LOOKS_LIKE_SHELL.match(block.text[0]):
                self.fail(block, "a shell block without a name: write ```sh or ```console")
        if not any(block.language in SHELL for block in blocks):
            return
        with tempfile.TemporaryDirectory(prefix="tacit-docs-") as scratch:
            self.run_blocks(page, blocks, pathlib.Path(scratch))

    def run_blocks(self, page, blocks, folder):
        (folder / "build/release").mkdir(parents=True)
        (folder / "build/release/tacit").symlink_to(self.program)
        environment = {"PATH": f"{folder}/build/release:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        shell = Shell(folder, environment | self.postgres.environment())
        for command in ["tacit demo --dir build/demo", "rm build/demo/sample.ledger*", *FIXTURES.get(page, [])]:
            code, output = shell.run(command)
            if code != 0:
                raise SystemExit(f"{page}: the set-up failed: {command}\n{output}")
        for block in blocks:
            self.run_block(block, shell, folder)

    def run_block(self, block, shell, folder):
        if "psql" in block.comments:
            code, output = self.postgres.psql(block.comments["psql"], "\n".join(block.text))
            if code != 0:
                self.fail(block, "psql fails", output)
        if "decides" in block.comments:
            decide(pathlib.Path(shell.folder) / block.comments["decides"], "\n".join(block.text))
        if block.language not in SHELL:
            return
        if "not run" in block.comments:
            self.not_run.append(f"{block.where()}: {block.comments['not run']}")
            return
        self.ran += 1
        back = shell.folder
        if "in" in block.comments:
            shell.folder = str(folder / block.comments["in"])
        for command, shown in commands_of(block):
            code, output = shell.run(command)
            fails = any(line.startswith("error:") for line in shown)
            if fails != (code != 0):
                self.fail(block, f"exit {code}: {command}", output)
            missing = is_shown(shown, output.split("\n"))
            if missing is not None:
                self.fail(block, f"not printed by {command}:\n  {missing}", output)
        if "in" in block.comments:
            shell.folder = back


def commands_of(block):
    if block.language == "sh":
        return [(line, []) for line in block.text if line.strip()]
    commands = []
    for line in block.text:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
    return commands


def main():
    program, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    pages = ["README.md", *sorted(str(path.relative_to(source)) for path in (source / "docs").rglob("*.md"))]
    with Postgres() as postgres:
        runner = Pages(program, source, postgres)
        for page in pages:
            runner.run_page(page)
    print(f"{runner.ran} shell blocks run, {len(runner.not_run)} not run:")
    for line in runner.not_run:
        print("  " + line)
    for failure in runner.failures:
        print("FAILED " + failure)
    if len(runner.not_run) > MOST_NOT_RUN:
        raise SystemExit(f"at most {MOST_NOT_RUN} blocks may be left out: make the others run")
    if runner.failures or runner.ran < 10:
        raise SystemExit(1)


main()
