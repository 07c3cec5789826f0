#!/usr/bin/env python3
"""Tests of the benchmark's report and charts: scripts/bench_report_test.py"""

import sys
import tempfile
import unittest
import xml.dom.minidom
from pathlib import Path

sys.dont_write_bytecode = True  # scripts/ stays as it is checked out
import bench_charts  # noqa: E402
import bench_metric  # noqa: E402
import bench_users  # noqa: E402


def result(engine="duckdb", sf=1, **figures):
    queries = [{"name": "b1", "plain_ms": 10.0, "paper_error_p95": 90.0, **figures}]
    return {"engine": engine, "sf": sf, "machine": "2 cores", "date": "d", "commit": "c", "summary": {}, "queries": queries}


def users_result(*queries):
    return {**result(), "queries": list(queries)}


def table(rows):
    return [" | ".join(str(v) for v in row.values()) for row in rows]


class Report(unittest.TestCase):
    def test_growth_is_the_ratio_of_times_and_ends_with_the_mean(self):
        rows = bench_metric.growth_rows(result(private_ms=10.0), result(plain_ms=100.0, private_ms=80.0))
        self.assertEqual(rows[0], {"query": "b1", "plain": 10.0, "private": 8.0, "private / plain": 0.8})
        self.assertEqual(rows[1]["query"], "geometric mean")
        self.assertAlmostEqual(rows[1]["private"], 8.0)

    def test_without_private_times_there_is_no_growth(self):
        self.assertEqual(bench_metric.growth_rows(result(), result()), [])

    def test_a_table_has_only_columns_with_figures(self):
        rows = bench_metric.picked([{"name": "b1", "plain_ms": 1.0}, {"name": "b2"}], bench_metric.TIMES)
        self.assertEqual(rows, [{"query": "b1", "plain ms": 1.0}, {"query": "b2", "plain ms": None}])

    def test_the_section_says_which_query_the_mean_leaves_out(self):
        lines = bench_metric.section([result(error_p95=3.0, paper_error_p95=0.0)], table)
        self.assertIn("Left out of that mean, the paper's sensitivity being 0: b1.", lines)

    def test_growth_compares_one_engine_only(self):
        both = [result(private_ms=1.0), result("postgresql", private_ms=1.0)]
        self.assertFalse([line for line in bench_metric.section(both, table) if line.startswith("### Growth")])


class UsersReport(unittest.TestCase):
    race = {"name": "r2t/q3/0.1/race", "error_median": 0.02, "error_mean": 0.04, "published": 0.01}
    answered = {"name": "tpch/q1/customer", "time_ratio": 4.0, "time_ratio_owner": 1.5, "error_median": 0.1}

    def test_names_become_columns_and_errors_are_divided_by_the_published_ones(self):
        (query,) = bench_users.part(users_result(self.race, self.answered), "r2t")
        self.assertEqual((query["what"], query["epsilon"], query["rule"]), ("q3", 0.1, "race"))
        self.assertAlmostEqual(query["ratio"], 2.0)
        self.assertAlmostEqual(query["mean_ratio"], 4.0)

    def test_a_refusal_is_said_once_for_all_users_with_the_same_reason(self):
        queries = [{"name": f"tpch/q2/{user}", "note": "no rows"} for user in ("customer", "supplier")]
        lines = bench_users.refusals(bench_users.part(users_result(*queries), "tpch"))
        self.assertEqual(lines, ["- q2 (customer, supplier): no rows"])

    def test_means_are_counted_apart_from_medians(self):
        default = {**self.race, "name": "r2t/q3/0.1/default", "error_median": 0.005}
        lines = bench_users.summary_lines(users_result(default, self.race))
        self.assertIn("R2T publishes means, trimmed: 0 of our 1 means, untrimmed, are at or below them.", lines)

    def test_the_section_has_every_part_that_has_queries(self):
        lines = bench_users.section([users_result(self.race, self.answered)], table)
        self.assertTrue([line for line in lines if line.startswith("R2T's queries")])
        self.assertFalse([line for line in lines if line.startswith("Wilson et al. 2020, Table 3")])

    def test_charts_are_written_also_when_a_part_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            bench_users.write_charts([users_result(self.answered)], Path(folder))
            self.assertIn("q1 cust.", (Path(folder) / "users-time.svg").read_text())
            xml.dom.minidom.parseString((Path(folder) / "users-error.svg").read_text())


class Charts(unittest.TestCase):
    def test_the_axis_encloses_all_values_with_round_numbers(self):
        low, high = bench_charts.axis([0.7, 1.0, 130.0])
        self.assertAlmostEqual(10**low, 0.5)
        self.assertAlmostEqual(10**high, 200.0)

    def test_a_chart_is_xml_with_one_bar_a_figure(self):
        series = [bench_charts.Series("a & b", {"q1": 2.0, "q2": 0.5}), bench_charts.Series("c", {"q1": 30.0})]
        svg = bench_charts.bar_chart("x < y", ["q1", "q2"], series, [bench_charts.Mark(5, "target")])
        document = xml.dom.minidom.parseString(svg)
        self.assertEqual(len(document.getElementsByTagName("rect")), 3 + 2)  # and two in the legend

    def test_charts_are_written_also_before_there_are_private_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            bench_metric.write_charts([result(anchor_time_ratio=9.0)], Path(folder))
            self.assertTrue((Path(folder) / "metric-error.svg").exists())
            self.assertIn("authors", (Path(folder) / "metric-time.svg").read_text())


if __name__ == "__main__":
    unittest.main()
