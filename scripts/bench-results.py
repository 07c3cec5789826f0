#!/usr/bin/env python3
"""Turns measurements into the committed results.

    scripts/bench-results.py kernels RAW.json...   Google Benchmark's output -> bench/results/NAME.json
    scripts/bench-results.py report                bench/results/*.json -> bench/RESULTS.md, bench/charts/*.svg
"""

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # scripts/ stays as it is checked out
import bench_metric  # noqa: E402
import bench_users  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results"


def write_kernels(raw_path):
    """Keeps the medians and leaves out what names the machine."""
    raw = json.loads(Path(raw_path).read_text())
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    kernels = [
        {
            "name": run["run_name"],
            "median_ns": round(run["cpu_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[run["time_unit"]], 3),
            **({"items_per_second": round(run["items_per_second"])} if "items_per_second" in run else {}),
        }
        for run in raw["benchmarks"]
        if run.get("aggregate_name") == "median"
    ]
    result = {
        "suite": Path(raw_path).stem,
        "machine": f"{os.cpu_count()} cores",
        "date": datetime.date.today().isoformat(),
        "commit": commit.stdout.strip(),
        "kernels": kernels,
    }
    (RESULTS / f"{result['suite']}.json").write_text(json.dumps(result, indent=1) + "\n")


def cell(value):
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value).lower()
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e5 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")


def table(rows):
    columns = list(dict.fromkeys(key for row in rows for key in row))
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell(row.get(column)) for column in columns) + " |" for row in rows]
    return lines


def report():
    lines = ["# Benchmark results", "", "Made by `make bench` from the files in `results/`; do not edit.", ""]
    sections = {"metric": (bench_metric, []), "users": (bench_users, [])}
    for path in sorted(RESULTS.glob("*.json")):
        result = json.loads(path.read_text())
        if result.get("suite") in sections:
            sections[result["suite"]][1].append(result)
            continue
        lists = {k: v for k, v in result.items() if isinstance(v, list) and v and isinstance(v[0], dict)}
        facts = ", ".join(f"{k} {cell(v)}" for k, v in result.items() if k != "suite" and not isinstance(v, (list, dict)))
        engine = result.get("engine", "none")
        where = "" if engine == "none" else f" on {engine}"
        lines += [f"## {result.get('suite', path.stem)}{where}", "", facts, ""]
        for rows in lists.values():
            lines += [*table(rows), ""]
    for suite, results in sections.values():
        if results:
            suite.write_charts(results, ROOT / "bench/charts")
            lines += suite.section(results, table)
    (ROOT / "bench/RESULTS.md").write_text("\n".join(lines).rstrip() + "\n")


def main(arguments):
    if len(arguments) >= 3 and arguments[1] == "kernels":
        RESULTS.mkdir(parents=True, exist_ok=True)
        for raw in arguments[2:]:
            write_kernels(raw)
        return 0
    if arguments[1:] == ["report"]:
        report()
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
