#include "policy/read/bad_policy_fixture.hpp"

namespace tacit::bad_policy {
namespace {

TEST(BadTable, Models) {
  expect_refused({
      {with("[tables.t]\n"), 7, "tables.t", "exactly one privacy model, found none", "public = true"},
      {with("[tables.t]\nprimary_key = [\"a\"]\n"), 7, "tables.t", "found none"},
      {with("[tables.t]\nrow = \"add-remove\"\n"), 8, "tables.t.row", "did you mean `rows`?"},
      {with("[tables.t]\npublic = true\nrows = \"replace\"\n"), 9, "tables.t.rows", "found `public` and `rows`"},
      {with("[tables.t]\nowner = \"a\"\nowner_through = { columns = [\"a\"], references = \"t\" }\n"), 9,
       "tables.t.owner_through", "found `owner` and `owner_through`"},
      {with("[tables.t]\nmetric = \"x\"\nrows = \"replace\"\nowner = \"a\"\n"), 9, "tables.t.rows",
       "found `metric` and `rows` and `owner`"},
      {with("[tables.t]\npublic = false\n"), 8, "tables.t.public", "expected true, found false"},
      {with("[tables.t]\npublic = \"true\"\n"), 8, "tables.t.public", "found a string"},
      {with("[tables.t]\nrows = \"addremove\"\n"), 8, "tables.t.rows", "did you mean `add-remove`?"},
      {with("[tables.t]\nrows = true\n"), 8, "tables.t.rows", "found true or false"},
      {rows_with("rows_combine = \"l1\"\n"), 9, "tables.t.rows_combine", "belongs to the metric model"},
      {rows_with("public_columns = [\"a\"]\n"), 9, "tables.t.public_columns", "this table says `rows`"},
      {with(table + "sensitive_rows = \"a\"\n"), 9, "tables.t.sensitive_rows", "this table says `public`"},
      {rows_with("colums = {}\n"), 9, "tables.t.colums", "did you mean `columns`?"},
      {with("[tables.t]\nowner = \"\"\n"), 8, "tables.t.owner", "found an empty string"},
      {with("[tables.t]\nowner = \"a b\"\n"), 8, "tables.t.owner", "needs quotes"},
      {with("[tables]\nt = 5\n"), 8, "tables.t", "expected a table, found a number"},
      {with("[[tables.t]]\npublic = true\n"), 7, "tables.t", "expected a table, found an array"},
  });
}

TEST(BadTable, TableNamesAndKeys) {
  expect_refused({
      {with("[tables.hr.salary]\npublic = true\n"), 7, "tables.hr.salary", "unknown key", "[tables.\"hr.salary\"]"},
      {with("[tables.\"a.b.c\"]\npublic = true\n"), 7, "tables.\"a.b.c\"", "more than two parts"},
      {with("[tables.\"a b\"]\npublic = true\n"), 7, "tables.\"a b\"", "needs quotes"},
      {with("[tables.\"1a\"]\npublic = true\n"), 7, "tables.1a", "start with a letter"},
      {with("[tables.\"a.\"]\npublic = true\n"), 7, "tables.\"a.\"", "a name is missing"},
      {with("[tables.\"\"]\npublic = true\n"), 7, "tables.\"\"", "a name is missing"},
      {with("[tables.'\"open']\npublic = true\n"), 7, "tables.'\"open'", "no closing quote"},
      {with("[tables." + std::string(64, 'a') + "]\npublic = true\n"), 7, "tables." + std::string(64, 'a'), "63 bytes"},
      {with("[tables.Visit]\npublic = true\n[tables.visit]\nrows = \"replace\"\n"), 9, "tables.visit",
       "described twice"},
      {rows_with("primary_key = \"id\"\n"), 9, "tables.t.primary_key", "an array of column names, found a string"},
      {rows_with("primary_key = []\n"), 9, "tables.t.primary_key", "an empty array"},
      {rows_with("primary_key = [\"a\", \"A\"]\n"), 9, "tables.t.primary_key", "column a occurs twice"},
      {rows_with("primary_key = [1]\n"), 9, "tables.t.primary_key", "found a number in it"},
      {rows_with("primary_key = [\n\"a\",\n\"\"]\n"), 11, "tables.t.primary_key", "found an empty string in it"},
      {rows_with("primary_key = [\"a b\"]\n"), 9, "tables.t.primary_key", "`a b`"},
  });
}

TEST(BadTable, Dependencies) {
  const auto dependency = [](const std::string& text) { return rows_with("dependencies = [\"" + text + "\"]\n"); };
  expect_refused({
      {rows_with("dependencies = \"a -> b\"\n"), 9, "tables.t.dependencies", "an array such as"},
      {rows_with("dependencies = []\n"), 9, "tables.t.dependencies", "an empty array"},
      {dependency("a b"), 9, "tables.t.dependencies", "expected `->`"},
      {dependency("-> b"), 9, "tables.t.dependencies", "missing or malformed"},
      {dependency("a ->"), 9, "tables.t.dependencies", "missing or malformed"},
      {dependency("a ->[0] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[-3] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[x] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[99999999999999999999] b"), 9, "tables.t.dependencies", "from 1 to 1000000000"},
      {dependency("a ->[3 b"), 9, "tables.t.dependencies", "expected `]`"},
      {dependency("a -> a"), 9, "tables.t.dependencies", "column a occurs twice"},
      {dependency("a, A -> b"), 9, "tables.t.dependencies", "column a occurs twice"},
      {dependency("a -> b; c"), 9, "tables.t.dependencies", "text follows"},
      {dependency("a,, b -> c"), 9, "tables.t.dependencies", "missing or malformed"},
  });
}

TEST(BadTable, Sources) {
  const auto source = [](const std::string& file) { return rows_with("source = \"" + file + "\"\n"); };
  expect_refused({
      {source("*.parquet"), 9, "tables.t.source", "patterns"},
      {source("a?.parquet"), 9, "tables.t.source", "patterns"},
      {source("a.xlsx"), 9, "tables.t.source", "a .parquet, .csv or .csv.gz file"},
      {source(".csv"), 9, "tables.t.source", "a .parquet, .csv or .csv.gz file"},
      {source("https://h/a.parquet"), 9, "tables.t.source", "on this machine"},
      {source(""), 9, "tables.t.source", "found an empty string"},
      {source("a.csv"), 9, "tables.t.source", "needs its columns declared", "[tables.t.columns]"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { min = 1 }\n"), 10, "tables.t.columns.a.type", "missing"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"int\" }\n"), 10, "tables.t.columns.a.type", "found `int`"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"integr\" }\n"), 10, "tables.t.columns.a.type",
       "did you mean `integer`?"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"decimal(39,2)\" }\n"), 10, "tables.t.columns.a.type",
       "found `decimal(39,2)`"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"decimal(3,4)\" }\n"), 10, "tables.t.columns.a.type",
       "found"},
      {rows_with("source = \"a.csv\"\ncolumns.a = { type = \"decimal\" }\n"), 10, "tables.t.columns.a.type", "found"},
      {rows_with("source = \"a.parquet\"\ncolumns.a = { type = \"integer\" }\n"), 10, "tables.t.columns.a.type",
       "only the columns of a CSV file"},
      {column("type = \"integer\""), 9, "tables.t.columns.c.type", "only the columns of a CSV file"},
      {with("[tables.\"s.t\"]\npublic = true\nsource = \"a.parquet\"\n"), 9, "tables.\"s.t\".source", "default schema"},
      {"[engine]\nurl = \"postgresql://h/db\"\n[budget]\nepsilon = 1\nanalysts.a.epsilon = 1\n[tables.t]\npublic = "
       "true\n"
       "source = \"a.parquet\"\n",
       8, "tables.t.source", "duckdb engine only"},
  });
}

TEST(BadTable, Columns) {
  expect_refused({
      {rows_with("columns = 1\n"), 9, "tables.t.columns", "expected a table"},
      {rows_with("columns.c = 1\n"), 9, "tables.t.columns.c", "expected a table"},
      {rows_with("columns.\"a b\" = { min = 1 }\n"), 9, "tables.t.columns.\"a b\"", "needs quotes"},
      {rows_with("columns.c = { min = 1 }\ncolumns.C = { min = 1 }\n"), 10, "tables.t.columns.C", "described twice"},
      {column("mim = 1"), 9, "tables.t.columns.c.mim", "did you mean `min`?"},
      {column("min = true"), 9, "tables.t.columns.c.min", "expected a number, a date"},
      {column("min = \"low\""), 9, "tables.t.columns.c.min", "found `low`"},
      {column("min = nan"), 9, "tables.t.columns.c.min", "nan or infinity"},
      {column("max = inf"), 9, "tables.t.columns.c.max", "nan or infinity"},
      {column("max = [1]"), 9, "tables.t.columns.c.max", "found an array"},
      {column("max = 10:30:00"), 9, "tables.t.columns.c.max", "found a time Tacit has no type for"},
      {column("max = 2020-01-01T00:00:00Z"), 9, "tables.t.columns.c.max", "without a zone"},
      {column("min = 2, max = 1"), 9, "tables.t.columns.c.min", "min = 2 is above max = 1"},
      {column("min = 0.3, max = 0.29"), 9, "tables.t.columns.c.min", "is above"},
      {column("min = 2020-02-01, max = 2020-01-01"), 9, "tables.t.columns.c.min", "is above"},
      {column("min = 1, max = 2020-01-01"), 9, "tables.t.columns.c.min", "different kinds"},
      {column("step = 0"), 9, "tables.t.columns.c.step", "a number above 0, found 0"},
      {column("step = -0.5"), 9, "tables.t.columns.c.step", "found -0.5"},
      {column("step = \"1\""), 9, "tables.t.columns.c.step", "found a string"},
      {column("step = 1e-300"), 9, "tables.t.columns.c.step", "at most 38 digits"},
      {column("precision = 0"), 9, "tables.t.columns.c.precision", "a number from 1e-9 to 1e9, found 0"},
      {column("precision = 1e10"), 9, "tables.t.columns.c.precision", "a number from 1e-9 to 1e9"},
      {column("precision = \"5\""), 9, "tables.t.columns.c.precision", "found a string"},
      {column("precision = 5, step = 1"), 9, "tables.t.columns.c.precision", "has a step too"},
      {column("values = \"a\""), 9, "tables.t.columns.c.values", "an array of all possible values"},
      {column("values = []"), 9, "tables.t.columns.c.values", "an empty array"},
      {column("values = [\"a\", 1]"), 9, "tables.t.columns.c.values", "a string and a number"},
      {column("values = [1, 2, 1.0]"), 9, "tables.t.columns.c.values", "`1.0` occurs twice"},
      {column("values = [\"a\", \"b\", \"a\"]"), 9, "tables.t.columns.c.values", "`a` occurs twice"},
      {column("values = [[1]]"), 9, "tables.t.columns.c.values", "found an array"},
      {column("values = [nan]"), 9, "tables.t.columns.c.values", "nan or infinity"},
      {column("values = [\"a\\u0000\"]"), 9, "tables.t.columns.c.values", "NUL"},
      {column("values = [1, 5], max = 4"), 9, "tables.t.columns.c.values", "`5` is outside min and max"},
      {rows_with("[tables.t.columns.c]\nmin = 1\nmax = \"x\"\n"), 11, "tables.t.columns.c.max", "found `x`"},
  });
}

TEST(BadTable, WhatContradictsAReadyMetric) {
  const auto second = [](const std::string& metric) {
    return "[tables.u]\nmetric = \"" + metric + "\"\n";  // from line 10
  };
  const std::string combine = "[metric]\ntables_combine = ";
  expect_refused({
      {metric_with("metric = \"hamming\"\nrows_combine = \"l2\"\n"), 10, "tables.t.rows_combine",
       "l2 contradicts the metric: hamming combines rows by l1", "write the metric out"},
      {metric_with("metric = \"maximum\"\nrows_combine = \"l1\"\n"), 10, "tables.t.rows_combine",
       "maximum combines rows by linf"},
      {metric_with("rows_combine = \"linf\"\nmetric = \"euclidean\"\n"), 9, "tables.t.rows_combine",
       "euclidean combines rows by l2"},
      {metric_with("metric = \"manhattan\"\nrows_combine = \"lp(1.5)\"\n"), 10, "tables.t.rows_combine",
       "manhattan combines rows by l1"},
      {metric_with("metric = \"normalized_manhattan\"\nrows_combine = \"l2\"\n"), 10, "tables.t.rows_combine",
       "normalized_manhattan combines rows by l1"},
      {metric_with("metric = \"maximum\"\n" + second("x") + combine + "\"l1\"\n"), 13, "metric.tables_combine",
       "l1 contradicts the metric of t: maximum combines tables by linf"},
      {metric_with("metric = \"x\"\n" + second("hamming") + combine + "\"l2\"\n"), 13, "metric.tables_combine",
       "l2 contradicts the metric of u: hamming combines tables by l1"},
      {metric_with("metric = \"maximum\"\n" + second("hamming")), 11, "tables.u.metric",
       "hamming combines tables by l1, but the metric of t by linf"},
  });
}

TEST(BadTable, Metrics) {
  expect_refused({
      {metric_with("metric = \"\"\n"), 9, "tables.t.metric", "found an empty string"},
      {metric_with("metric = \"l1(x\"\n"), 9, "tables.t.metric", "`)` is expected here (position 5 of the metric)"},
      {metric_with("metric = \"lp(0.5; x)\"\n"), 9, "tables.t.metric", "below 1", "triangle inequality"},
      {metric_with("metric = \"l1(x, l2(x, y))\"\n"), 9, "tables.t.metric", "column x occurs twice"},
      {metric_with("metric = \"l1(x, id)\"\n"), 9, "tables.t.metric", "column id is part of the primary key"},
      {metric_with("metric = \"l1(x, y)\"\npublic_columns = [\"y\"]\n"), 9, "tables.t.metric",
       "column y is in public_columns"},
      {metric_with("metric = \"ln(x)\"\n"), 9, "tables.t.metric", "ln(x) needs a declared min above 0",
       "x = { min = 1 }"},
      {metric_with("metric = \"ln(x)\"\ncolumns.x = { min = 0 }\n"), 9, "tables.t.metric", "min above 0"},
      {metric_with("metric = \"ln(x)\"\ncolumns.x = { min = 2020-01-01 }\n"), 9, "tables.t.metric", "min above 0"},
      {metric_with("metric = \"x\"\nrows_combine = \"l5\"\n"), 10, "tables.t.rows_combine", "not the name of a norm"},
      {metric_with("metric = \"x\"\npublic_columns = []\n"), 10, "tables.t.public_columns", "an empty array"},
      {metric_with("metric = \"x\"\nsensitive_rows = true\n"), 10, "tables.t.sensitive_rows", "a condition"},
  });
}

TEST(BadTable, Owners) {
  const std::string customer = "[tables.customer]\nowner = \"id\"\nprimary_key = [\"id\"]\n";  // lines 7 to 9
  const auto through = [&](const std::string& what) {
    return with(customer + "[tables.orders]\nowner_through = { " + what + " }\n");  // line 11
  };
  expect_refused({
      {through("references = \"customer\""), 11, "tables.orders.owner_through.columns", "missing"},
      {through("columns = [\"a\"]"), 11, "tables.orders.owner_through.references", "missing"},
      {through("columns = [], references = \"customer\""), 11, "tables.orders.owner_through.columns", "an empty array"},
      {through("columns = [\"a\"], references = \"custmer\""), 11, "tables.orders.owner_through.references",
       "table custmer is not in the policy (did you mean `customer`?)"},
      {through("columns = [\"a\"], references = \"a.b.c\""), 11, "tables.orders.owner_through.references", "two parts"},
      {through("columns = [\"a\", \"b\"], references = \"customer\""), 11, "tables.orders.owner_through.columns",
       "2 column(s) lead to the primary key of customer, which has 1"},
      {through("columns = [\"a\"], references = \"customer\", x = 1"), 11, "tables.orders.owner_through.x",
       "unknown key"},
      {with("[tables.orders]\nowner_through = \"customer\"\n"), 8, "tables.orders.owner_through", "expected a table"},
      {through("columns = [\"a\"], references = \"nation\"") + "[tables.nation]\npublic = true\n", 11,
       "tables.orders.owner_through.references", "table nation has no owner"},
      {through("columns = [\"a\"], references = \"person\"") + "[tables.person]\nowner = \"id\"\n", 11,
       "tables.orders.owner_through.references", "table person declares no primary_key"},
      {with("[tables.a]\nprimary_key = [\"k\"]\nowner_through = { columns = [\"x\"], references = \"a\" }\n"), 9,
       "tables.a.owner_through.references", "leads back to itself"},
      {with("[tables.a]\nprimary_key = [\"k\"]\nowner_through = { columns = [\"x\"], references = \"b\" }\n"
            "[tables.b]\nprimary_key = [\"k\"]\nowner_through = { columns = [\"x\"], references = \"a\" }\n"),
       9, "tables.a.owner_through.references", "leads back to itself"},
  });
}

}  // namespace
}  // namespace tacit::bad_policy
