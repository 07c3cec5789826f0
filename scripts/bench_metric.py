"""The section of bench/RESULTS.md about the metric suite, and its charts; used by bench-results.py."""

import math

from bench_charts import Mark, Series, bar_chart

TIMES = {
    "query": "name",
    "plain ms": "plain_ms",
    "private ms": "private_ms",
    "private / plain": "time_ratio",
    "whole answer ms": "answer_ms",
    "authors' SQL ms": "anchor_ms",
    "authors / plain": "anchor_time_ratio",
    "paper's own ratio": "paper_time_ratio",
    "no dependencies ms": "no_dependencies_private_ms",
    "bounds ms": "bounds_private_ms",
}
ERRORS = {
    "query": "name",
    "bound": "sensitivity",
    "error": "error_p95",
    "authors' error": "anchor_error_p95",
    "paper's error": "paper_error_p95",
    "paper / ours": "error_ratio",
    "error, no dependencies": "no_dependencies_error_p95",
    "error, bounds": "bounds_error_p95",
    "eta": "eta",
    "modified value": "modified_value",
}


def picked(queries, columns):
    """Rows for a table: only columns that some query has."""
    kept = {title: key for title, key in columns.items() if any(key in q for q in queries)}
    return [{title: query.get(key) for title, key in kept.items()} for query in queries]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summary_lines(result):
    summary = result.get("summary", {})
    lines = [f"{summary.get('answered', 0):g} of {summary.get('queries', 0):g} queries are answered."]
    if "time_ratio_mean" in summary:
        lines.append(
            f"Private / plain time: {summary['time_ratio_mean']:.2f} in the geometric mean, "
            f"{summary['time_ratio_worst']:.2f} at worst."
        )
    if "anchor_time_ratio_mean" in summary:
        lines.append(
            f"The authors' SQL / plain: {summary['anchor_time_ratio_mean']:.1f} in the geometric mean, "
            f"{summary['anchor_time_ratio_worst']:.0f} at worst."
        )
    if "error_ratio_mean" in summary:
        lines.append(
            f"The paper's error / ours (95% quantile, epsilon 1): {summary['error_ratio_mean']:.1f} in the geometric mean "
            f"over {summary['error_ratio_queries']:g} queries, {summary['error_ratio_least']:.1f} at least."
        )
    missing = [q["name"] for q in result["queries"] if "error_p95" in q and "paper_error_p95" in q and "error_ratio" not in q]
    if missing:
        lines.append(f"Left out of that mean, the paper's sensitivity being 0: {', '.join(missing)}.")
    few = [q["name"] for q in result["queries"] if q.get("anchor_runs", 5) < 5]
    if few:
        lines.append(f"The authors' SQL was stopped after a minute, so fewer than 5 runs: {', '.join(few)}.")
    return lines


def growth_rows(small, large):
    """How many times longer each query takes on the larger data, plain and private."""
    before = {q["name"]: q for q in small["queries"]}
    rows = []
    for after in large["queries"]:
        first = before.get(after["name"], {})
        if all("private_ms" in q for q in (first, after)):
            plain, private = (after[k] / first[k] for k in ("plain_ms", "private_ms"))
            rows.append({"query": after["name"], "plain": plain, "private": private, "private / plain": private / plain})
    if rows:
        keys = ("plain", "private", "private / plain")
        rows.append({"query": "geometric mean", **{k: geometric_mean([r[k] for r in rows]) for k in keys}})
    return rows


def growth_sentence(rows):
    *queries, mean = rows
    slower = [r["query"] for r in queries if r["private / plain"] > 1.0]
    return (
        "Times on the larger data divided by those on the smaller. In the geometric mean the plain query's time grows "
        f"{mean['plain']:.1f} times, the private one's {mean['private']:.1f} times; the private one's grows faster on "
        f"{len(slower)} of {len(queries)} queries" + (f": {', '.join(slower)}." if slower else ".")
    )


def section(results, table):
    """`results`: the suite's files. `table` prints rows as Markdown."""
    results = sorted(results, key=lambda r: (r["engine"], r["sf"]))
    lines = [
        "## metric: the paper's TPC-H queries",
        "",
        "The 21 queries of `bench/metric` under the paper's metric, epsilon 1. Errors are 95% quantiles of the noise; the "
        "paper's and its authors' (their own analyser, run on the same data) are their sensitivity times 17.93, the quantile "
        "of the generalized Cauchy noise they add at epsilon 1 and beta 0.1. Times are medians of one interleaved run.",
        "",
        *[line for name in ("metric-error", "metric-time") for line in (f"![{name}](charts/{name}.svg)", "")],
    ]
    for result in results:
        facts = f"{result['machine']}, {result['date']}, commit {result['commit']}"
        noted = [result["note"], ""] if "note" in result else []
        lines += [f"### {result['engine']}, scale factor {result['sf']:g}", "", facts, "", *noted, *summary_lines(result), ""]
        lines += [*table(picked(result["queries"], TIMES)), ""]
        lines += [*table(picked(result["queries"], ERRORS)), ""]
        notes = [f"- {q['name']}: {q['note']}" for q in result["queries"] if "note" in q]
        lines += [*notes, ""] if notes else []
    for small, large in zip(results, results[1:]):
        rows = growth_rows(small, large) if small["engine"] == large["engine"] else []
        if rows:
            title = f"### Growth on {small['engine']}, scale factor {small['sf']:g} to {large['sf']:g}"
            lines += [title, "", growth_sentence(rows), "", *table(rows), ""]
    return lines


def column(result, key):
    return {q["name"]: q[key] for q in result["queries"] if q.get(key, 0) > 0}


def write_charts(results, folder):
    """The largest scale factor up to 1 of each engine; what has no figures yet is left out."""
    chosen = {}
    for result in sorted(results, key=lambda r: r["sf"]):
        if result["sf"] <= 1:
            chosen[result["engine"]] = result
    if not chosen:
        return
    folder.mkdir(exist_ok=True)
    first = chosen.get("duckdb", next(iter(chosen.values())))
    queries = [q["name"] for q in first["queries"]]
    errors = [Series("paper / Tacit", column(first, "error_ratio"))]
    times = [Series(f"Tacit, {e}", column(r, "time_ratio")) for e, r in chosen.items()]
    times += [Series(f"authors' SQL, {e}", column(r, "anchor_time_ratio")) for e, r in chosen.items()]
    charts = {
        "metric-error": (f"Error of the paper divided by ours, scale factor {first['sf']:g}", errors, [Mark(5, "target: 5")]),
        "metric-time": (f"Time divided by the plain query's, scale factor {first['sf']:g}", times, []),
    }
    for name, (title, series, marks) in charts.items():
        shown = [s for s in series if s.values]
        (folder / f"{name}.svg").write_text(bar_chart(title, queries, shown, marks))
