#!/usr/bin/env python3
"""Runs clang-tidy over src/ and apps/ (tests excepted), in parallel, with progress.

A file that was clean is looked at again only when it, a header of ours that it includes or .clang-tidy has changed, so
that a second run costs nothing. The list of files comes from BUILD/compile_commands.json. BUILD is only configured, never
built, and has neither unity builds nor precompiled headers: each file is read alone, so that one that leaves out an
#include is found here.

    scripts/tidy.py [--build build/tidy] [--jobs N] [--all] [--since COMMIT] [FILE...]
"""

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-16"


def unexplained_checks(config):
    """Checks that .clang-tidy switches off without a `# -name: reason` line."""
    off = re.findall(r"^\s+-([a-z][\w.-]*),?$", config, re.MULTILINE)
    reasons = dict(re.findall(r"^# -([a-z][\w.-]*): (\S.*)$", config, re.MULTILINE))
    return [name for name in off if name not in reasons], [name for name in reasons if name not in off]


@functools.cache
def included(source):
    """The headers of ours that the file names itself."""
    names = re.findall(r'^#include "([^"]+)"', source.read_text(), re.MULTILINE)
    folders = [source.parent, ROOT / "src", ROOT / "include", ROOT / "apps"]
    found = ([folder / name for folder in folders if (folder / name).exists()][:1] for name in names)
    return [path.resolve() for paths in found for path in paths]


def headers_of(source):
    """The headers of ours that the file includes, however deep."""
    seen, todo = set(), [source]
    while todo:
        for path in included(todo.pop()):
            if path not in seen:
                seen.add(path)
                todo.append(path)
    return seen


def changed_since(commit):
    """Sources that differ from the commit, and sources whose own header does; None when git cannot tell."""
    run = subprocess.run(["git", "diff", "--name-only", commit, "--"], cwd=ROOT, capture_output=True, text=True, check=False)
    new = subprocess.run(["git", "ls-files", "-o", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode or new.returncode:
        return None
    return {(ROOT / name).with_suffix(".cpp") for name in (run.stdout + new.stdout).splitlines()}


def stamp_of(build, source):
    return build / "tidy" / (str(source.relative_to(ROOT)).replace("/", "__") + ".clean")


def is_clean(stamp, inputs):
    """True when nothing in `inputs` is younger than the stamp. A missing input is a change."""
    if not stamp.exists():
        return False
    since = stamp.stat().st_mtime
    try:
        return all(path.stat().st_mtime < since for path in inputs)
    except OSError:
        return False


def check(build, source):
    started = time.time()
    run = subprocess.run([TIDY, "-p", str(build), "--quiet", str(source)], capture_output=True, text=True, check=False)
    return source, run.returncode, run.stdout + (run.stderr if run.returncode else ""), started


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/tidy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--all", action="store_true", help="look at clean files again too")
    parser.add_argument("--since", metavar="COMMIT", help="only files that changed since then")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    build = (ROOT / options.build).resolve()

    unexplained, stale = unexplained_checks((ROOT / ".clang-tidy").read_text())
    for name in unexplained:
        print(f".clang-tidy: {name} is switched off without a reason")
    for name in stale:
        print(f".clang-tidy: {name} has a reason but is not switched off")
    if unexplained or stale:
        return 1
    if shutil.which(TIDY) is None:
        print(f"{TIDY} is missing: run `make setup`", file=sys.stderr)
        return 2
    try:
        commands = json.loads((build / "compile_commands.json").read_text())
    except OSError:
        print(f"{options.build}/compile_commands.json is missing: configure first (`make lint` does)", file=sys.stderr)
        return 2

    wanted = {Path(f).resolve() for f in options.files}
    if options.since:
        changed = changed_since(options.since)
        if changed is None:
            print(f"clang-tidy: git does not know {options.since}, so every file is looked at")
        else:
            wanted = changed | {ROOT / "only what changed"}  # never empty, which would mean every file
    todo, skipped = [], 0
    for command in commands:
        source = Path(command["file"]).resolve()
        if not source.is_relative_to(ROOT) or source.relative_to(ROOT).parts[0] not in ("src", "apps"):
            continue
        if source.name.endswith("_test.cpp") or not source.exists() or (wanted and source not in wanted):
            continue
        inputs = [source, ROOT / ".clang-tidy", *headers_of(source)]
        if not options.all and is_clean(stamp_of(build, source), inputs):
            skipped += 1
        elif source not in todo:
            todo.append(source)

    (build / "tidy").mkdir(exist_ok=True)
    dirty = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(check, build, source) for source in todo]
        for number, run in enumerate(as_completed(runs), 1):
            source, code, output, started = run.result()
            print(f"[{number}/{len(todo)}] {source.relative_to(ROOT)}", flush=True)
            if code == 0:
                stamp = stamp_of(build, source)
                stamp.touch()
                os.utime(stamp, (started, started))  # a change made while it ran is younger
            else:
                dirty += 1
                print(output.replace(f"{ROOT}/", ""), flush=True)
    print(f"clang-tidy: {len(todo)} files looked at, {skipped} unchanged, {dirty} with findings")
    return 1 if dirty else 0


if __name__ == "__main__":
    sys.exit(main())
