#!/usr/bin/env python3
"""Counts the tests of one ctest run: `passed failed`. A GoogleTest program counts its tests, any other counts as one.

    scripts/count-tests.py BUILD
"""

import re
import sys
from pathlib import Path


def count(log):
    passed = failed = 0
    # One block a program: "3/14 Testing: name" ... "Test Passed." or "Test Failed."
    for block in re.split(r"^\d+/\d+ Testing: ", log, flags=re.MULTILINE)[1:]:
        ok = re.search(r"^Test Passed\.$", block, re.MULTILINE) is not None
        good = re.findall(r"^\[  PASSED  \] (\d+) tests?\.", block, re.MULTILINE)
        bad = re.findall(r"^\[  FAILED  \] (\d+) tests?,", block, re.MULTILINE)
        passed += int(good[-1]) if good else int(ok)
        failed += int(bad[-1]) if bad else int(not ok)
    return passed, failed


if __name__ == "__main__":
    log = Path(sys.argv[1]) / "Testing/Temporary/LastTest.log"
    print(*count(log.read_text(errors="replace")) if log.exists() else (0, 0))
