"""The section of bench/RESULTS.md about the users suite, and its charts; used by bench-results.py."""

from bench_charts import Mark, Series, bar_chart
from bench_metric import picked

TABLE3 = {
    "query": "what",
    "error": "error_median",
    "published": "published",
    "ours / published": "ratio",
    "answers drawn": "draws",
    "why not": "note",
}
TABLE4 = {
    "query": "what",
    "groups chosen by": "rule",
    "groups": "groups",
    "suppressed": "suppressed",
    "published suppressed": "published_suppressed",
    "error of shown groups": "error_median",
    "published error": "published",
    "answers drawn": "draws",
    "why not": "note",
}
RACES = {
    "query": "what",
    "epsilon": "epsilon",
    "bounds": "rule",
    "median": "error_median",
    "mean": "error_mean",
    "95%": "error_p95",
    "published": "published",
    "mean / published": "mean_ratio",
}
DEFAULTS = {
    "question": "what",
    "asked as": "variant",
    "mean error": "error_mean",
    "95%": "error_p95",
    "best in hindsight": "best_in_hindsight",
    "without options / best": "to_best",
    "median over runs": "error_of_runs",
    "least of other systems": "rival",
    "suppressed": "suppressed",
    "why not": "note",
}
DEMO = {name: key for name, key in DEFAULTS.items() if key != "rival"}
TPCH = {
    "query": "what",
    "user": "user",
    "plain ms": "plain_ms",
    "joined to the owner ms": "plain_with_owner_ms",
    "private ms": "private_ms",
    "whole answer ms": "answer_ms",
    "private / joined": "time_ratio_owner",
    "private / plain": "time_ratio",
    "groups": "groups",
    "suppressed": "suppressed",
    "error": "error_median",
}


def part(result, name):
    """The queries of one part, with what their names say as figures of their own."""
    chosen = []
    for query in result["queries"]:
        words = query["name"].split("/")
        if words[0] != name:
            continue
        more = {"what": words[1]}
        if name in ("defaults", "demo"):
            more["variant"] = words[2]
        if name == "table4":
            more["rule"] = words[2]
        if name == "r2t":
            more |= {"epsilon": float(words[2]), "rule": words[3]}
        if name == "tpch":
            more["user"] = words[2]
        if "error_median" in query and query.get("published"):
            more["ratio"] = query["error_median"] / query["published"]
            more["mean_ratio"] = query["error_mean"] / query["published"]
        chosen.append({**query, **more})
    return chosen


def summary_lines(result):
    summary = result.get("summary", {})
    lines = [f"{summary.get('answered', 0):g} of {summary.get('queries', 0):g} TPC-H queries are answered for some user."]
    if summary.get("published_figures"):
        reached, published = summary["published_figures_reached"], summary["published_figures"]
        what = "median errors are at or below the published one (R2T: bare joins, default bounds)"
        lines.append(f"{reached:g} of {published:g} {what}.")
    means = [q["mean_ratio"] for q in part(result, "r2t") if "mean_ratio" in q and q["rule"] == "default" and "." not in q["what"]]
    if means:
        below = sum(ratio <= 1 for ratio in means)
        lines.append(f"R2T publishes means, trimmed: {below} of our {len(means)} means, untrimmed, are at or below them.")
    for key, words in (("time_ratio_owner", "the plain query joined to the owner"), ("time_ratio", "the plain query")):
        if f"{key}_mean" in summary:
            mean, worst = summary[f"{key}_mean"], summary[f"{key}_worst"]
            lines.append(f"Private / {words}: {mean:.2f} in the geometric mean, {worst:.2f} at worst.")
    return lines


def refusals(queries):
    """One line for each refused text, users with the same reason together."""
    reasons = {}
    for query in queries:
        if "note" in query:
            reasons.setdefault((query["what"], query["note"]), []).append(query.get("user", ""))
    lines = []
    for (what, note), users in reasons.items():
        whose = f" ({', '.join(users)})" if any(users) else ""
        lines.append(f"- {what}{whose}: {note}")
    return lines


TITLES = {
    "table3": "Wilson et al. 2020, Table 3: median relative error at epsilon 0.1, one group, nothing to choose. The count is the "
    "published mechanism with the published sensitivity, a median of 0.0017487 by calculation: the figures differ by the draws.",
    "table4": "Wilson et al. 2020, Table 4: groups chosen from the data, epsilon 0.1. Q16 has keys of a public table: its groups "
    "are listed and none is suppressed. Laplace noise by calculation gives 1.629 for Q21 with equal shares.",
    "r2t": "R2T's queries: relative error, no run left out. Published: means of ten runs without two best and two worst.",
    "defaults": "Without any option (a name without a point) against options that may be the best in hindsight: relative error "
    "at epsilon 1, delta 1e-6. The figures of other systems are medians over runs of the mean over groups, at scale factor 0.1, "
    "to be compared with the same of ours, the column before; "
    "the one of question a is below what any mechanism of the same promise reaches (geometric noise is optimal for a count). "
    "The others were told their bounds; for b that was 36 rows per person, as in b.3.",
    "demo": "The same for the shop of `tacit demo`.",
    "tpch": "The 22 queries of TPC-H. Errors are medians at epsilon 1 over the numbers of all shown groups.",
}


def blocks(result, table):
    lines = []
    for name, columns in (("table3", TABLE3), ("table4", TABLE4), ("r2t", RACES), ("tpch", TPCH), ("defaults", DEFAULTS), ("demo", DEMO)):
        queries = part(result, name)
        if not queries:
            continue
        has_reasons_inside = "why not" in columns
        shown = queries if has_reasons_inside else [q for q in queries if "error_median" in q]
        lines += [TITLES[name], "", *(table(picked(shown, columns)) if shown else []), ""]
        reasons = [] if has_reasons_inside else refusals(queries)
        lines += ["Refused, and what Tacit says:", "", *reasons, ""] if reasons else []
    return lines


def section(results, table):
    """`results`: the suite's files. `table` prints rows as Markdown."""
    lines = [
        "## users: people who own many rows",
        "",
        "TPC-H with a customer or a supplier as the person who is protected with everything they own (policies and queries "
        "in `bench/users`). Each error is measured on noise drawn again and again from one run of the engine, against the "
        "exact answer. The predicates of R2T's queries are not published with its figures: a query's name means the bare join "
        "of its tables, `.filtered` adds TPC-H's own conditions. Times are medians of one interleaved run.",
        "",
        *[line for name in ("users-error", "users-time") for line in (f"![{name}](charts/{name}.svg)", "")],
    ]
    for result in sorted(results, key=lambda r: (r["engine"], r["sf"])):
        facts = f"{result['machine']}, {result['date']}, commit {result['commit']}"
        noted = [result["note"], ""] if "note" in result else []
        title = f"### {result['engine']}, scale factor {result['sf']:g}, users"
        lines += [title, "", facts, "", *noted, *summary_lines(result), ""]
        lines += blocks(result, table)
    return lines


def write_charts(results, folder):
    """Of the largest scale factor up to 1, DuckDB's before others."""
    usable = sorted((r for r in results if r["sf"] <= 1), key=lambda r: (r["sf"], r["engine"] == "duckdb"))
    if not usable:
        return
    folder.mkdir(exist_ok=True)
    result = usable[-1]
    races = [q for q in part(result, "r2t") if "ratio" in q and "." not in q["what"]]
    names = list(dict.fromkeys(f"{q['what']}, {q['epsilon']:g}" for q in races))
    errors = [
        Series(rule, {f"{q['what']}, {q['epsilon']:g}": q["ratio"] for q in races if q["rule"] == rule and q["ratio"] > 0})
        for rule in dict.fromkeys(q["rule"] for q in races)
    ]
    title = f"Median error divided by R2T's published one (query, epsilon), {result['engine']}, scale factor {result['sf']:g}"
    (folder / "users-error.svg").write_text(bar_chart(title, names, errors, [Mark(1, "published")]))
    tpch = [q for q in part(result, "tpch") if "time_ratio" in q]
    times = [
        Series(words, {f"{q['what']} {q['user'][:4]}.": q[key] for q in tpch})
        for key, words in (("time_ratio_owner", "to the plain query joined to the owner"), ("time_ratio", "to the plain query"))
    ]
    title = f"Time of the private statement against the plain query's, {result['engine']}, scale factor {result['sf']:g}"
    marks = [Mark(1.6, "target: 1.6"), Mark(3, "target: 3")]
    (folder / "users-time.svg").write_text(bar_chart(title, [f"{q['what']} {q['user'][:4]}." for q in tpch], times, marks))
