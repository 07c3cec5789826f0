#include "growth/construct.hpp"

#include <fmt/format.h>

namespace tacit::testing {
namespace {

// part(0) between part(1) between ...; {} in `part` is the number.
std::string repeated(int size, const std::string& part, const std::string& between, int from = 0) {
  std::string text;
  for (int i = from; i < from + size; ++i) text += (i == from ? "" : between) + fmt::format(fmt::runtime(part), i);
  return text;
}

// before(before(core)after)after
std::string nested(int size, const std::string& before, const std::string& core, const std::string& after) {
  std::string text = core;
  for (int i = 0; i < size; ++i) text.insert(0, before).append(after);
  return text;
}

std::string sum_of(const std::string& expression) { return "SELECT SUM(" + expression + ") FROM item"; }
std::string count_where(const std::string& condition) { return "SELECT COUNT(*) FROM item WHERE " + condition; }

std::string odd_numbers(int size) {
  std::string text;
  for (int i = 0; i < size; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", 2 * i + 1);
  return text;
}

}  // namespace

const std::vector<Construct>& long_constructs() {
  static const std::vector<Construct> all{
      {"in", [](int n) { return sum_of("y") + " WHERE x IN (" + odd_numbers(n) + ")"; }},
      {"not_in", [](int n) { return sum_of("y") + " WHERE x NOT IN (" + odd_numbers(n) + ")"; }},
      {"in_of_decimals", [](int n) { return sum_of("cost") + " WHERE cost IN (" + odd_numbers(n) + ")"; }},
      {"in_of_expression", [](int n) { return sum_of("y") + " WHERE x + y IN (" + odd_numbers(n) + ")"; }},
      {"not_in_of_texts",
       [](int n) { return count_where("name NOT IN (" + repeated(n, "'t{}'", ",") + ") AND x > 1"); }},
      {"in_of_public", [](int n) { return count_where("kind_id IN (" + odd_numbers(n) + ") AND x > 1"); }},
      {"grouped_in",
       [](int n) {
         return "SELECT kind_id, COUNT(*) FROM item WHERE kind_id IN (" + odd_numbers(n) + ") GROUP BY kind_id";
       }},
      {"or", [](int n) { return count_where(repeated(n, "x = 2 * {}", " OR ")); }},
      {"or_of_two", [](int n) { return count_where(repeated(n, "x = {0} OR y = {0}", " OR ")); }},
      {"or_of_both", [](int n) { return count_where(repeated(n, "(x = {0} AND y < {0})", " OR ")); }},
      {"or_of_reals", [](int n) { return count_where(repeated(n, "r > {0}.5", " OR ")); }},
      {"and", [](int n) { return count_where(repeated(n, "x <> 2 * {}", " AND ")); }},
      {"and_of_two", [](int n) { return count_where(repeated(n, "(x <> {0} OR y > {0})", " AND ")); }},
      {"and_of_sums", [](int n) { return count_where(repeated(n, "x + y <> {}", " AND ")); }},
      {"between", [](int n) { return count_where(repeated(n, "x BETWEEN {0}0 AND {0}3", " OR ")); }},
      {"like", [](int n) { return count_where(repeated(n, "name LIKE 'a{}%'", " OR ")); }},
      {"dates", [](int n) { return count_where(repeated(n, "day <> DATE '2020-01-01' + {}", " AND ")); }},
      {"not_null", [](int n) { return count_where(repeated(n, "x IS NOT NULL", " AND ")); }},
      {"case", [](int n) { return sum_of("CASE " + repeated(n, "WHEN x = {0} THEN {0}", " ") + " ELSE 0 END"); }},
      {"case_of_values",
       [](int n) { return sum_of("CASE " + repeated(n, "WHEN x < {0} THEN y + {0}", " ") + " ELSE y END"); }},
      {"public_case",
       [](int n) { return sum_of("CASE " + repeated(n, "WHEN kind_id = {0} THEN y", " ") + " ELSE x END"); }},
      {"coalesce", [](int n) { return sum_of("COALESCE(" + repeated(n, "x + {}", ", ") + ")"); }},
      {"least", [](int n) { return sum_of("LEAST(" + repeated(n, "x + {}", ", ") + ")"); }},
      {"least_of_both", [](int n) { return sum_of("LEAST(" + repeated(n, "x + {0} * y", ", ") + ")"); }},
      {"greatest_of_products", [](int n) { return sum_of("GREATEST(" + repeated(n, "x * y * {}", ", ", 1) + ")"); }},
      {"plus", [](int n) { return sum_of(repeated(n, "x", " + ")); }},
      {"plus_of_least", [](int n) { return sum_of(repeated(n, "LEAST(x, y + {})", " + ")); }},
      {"times", [](int n) { return sum_of(repeated(n, "small", " * ")); }},
      {"times_of_least", [](int n) { return sum_of(repeated(n, "LEAST(small, tiny)", " * ")); }},
      {"times_of_different_least", [](int n) { return sum_of(repeated(n, "LEAST(small, tiny + {}e0)", " * ")); }},
      {"times_of_sums", [](int n) { return sum_of(repeated(n, "(small + tiny + {}e0)", " * ")); }},
      {"times_of_case", [](int n) { return sum_of(repeated(n, "CASE WHEN x > {} THEN small ELSE tiny END", " * ")); }},
      {"concatenated", [](int n) { return count_where(repeated(n, "name", " || ") + " = 'a'"); }},
      {"aggregates", [](int n) { return "SELECT " + repeated(n, "SUM(x + {})", ", ") + " FROM item"; }},
      {"averages", [](int n) { return "SELECT " + repeated(n, "AVG(x + {})", ", ") + " FROM item"; }},
      {"counts_of_different",
       [](int n) { return "SELECT " + repeated(n, "COUNT(DISTINCT x + {})", ", ") + " FROM item"; }},
      {"filters",
       [](int n) { return "SELECT " + repeated(n, "SUM(y) FILTER (WHERE x > {})", ", ") + " FROM item WHERE x < 5"; }},
      {"products", [](int n) { return "SELECT " + repeated(n, "SUM(x * y + {})", ", ") + " FROM item"; }},
      {"keys",
       [](int n) {
         return "SELECT COUNT(*) FROM item GROUP BY " + repeated(n, "CASE WHEN kind_id = {} THEN 1 ELSE 0 END", ", ");
       }},
      {"keys_of_one_column",
       [](int n) { return "SELECT kind_id, COUNT(*) FROM item GROUP BY " + repeated(n, "kind_id", ", "); }},
      {"outputs",
       [](int n) { return "SELECT COUNT(*), " + repeated(n, "kind_id", ", ") + " FROM item GROUP BY kind_id"; }},
      {"order",
       [](int n) { return "SELECT kind_id, COUNT(*) FROM item GROUP BY 1 ORDER BY " + repeated(n, "1", ", "); }},
      {"joins",
       [](int n) {
         return "SELECT SUM(item.x) FROM item " + repeated(n, "JOIN kind k{0} ON k{0}.id = item.kind_id", " ");
       }},
      {"self_joins",
       [](int n) {
         return "SELECT SUM(item.x) FROM item " + repeated(n, "JOIN item i{0} ON i{0}.id = item.partner", " ");
       }},
      {"comma_list",
       [](int n) {
         return "SELECT SUM(item.x) FROM item, " + repeated(n, "kind k{}", ", ") + " WHERE " +
                repeated(n, "item.kind_id = k{}.id", " AND ");
       }},
      {"using", [](int n) { return "SELECT COUNT(*) FROM wide JOIN wide w USING (" + repeated(n, "c{}", ", ") + ")"; }},
      {"wide_subquery",
       [](int n) { return "SELECT COUNT(*) FROM (SELECT " + repeated(n, "c{}", ", ") + " FROM wide) s WHERE c0 > 1"; }},
      {"wide_sum", [](int n) { return "SELECT SUM(" + repeated(n, "c{}", " + ") + ") FROM wide"; }},
      {"wide_or", [](int n) { return "SELECT COUNT(*) FROM wide WHERE " + repeated(n, "c{} > 1", " OR "); }},
      {"wide_least", [](int n) { return "SELECT SUM(LEAST(" + repeated(n, "c{}", ", ") + ")) FROM wide"; }},
      {"wide_case",
       [](int n) {
         return "SELECT SUM(CASE " + repeated(n, "WHEN c{0} > 1 THEN c{0}", " ") + " ELSE 0 END) FROM wide";
       }},
      {"with",
       [](int n) {
         return "WITH " + repeated(n, "w{} AS (SELECT id, x FROM item)", ", ") + " SELECT SUM(w0.x) FROM " +
                repeated(n, "w{}", ", ");
       }},
      {"with_used_often",
       [](int n) {
         return "WITH w AS (SELECT id, x, y FROM item WHERE x > 1) SELECT SUM(w0.x) FROM w w0 " +
                repeated(n, "JOIN w w{0} ON w{0}.id = w0.id", " ", 1);
       }},
      {"exists",
       [](int n) {
         return count_where(repeated(n, "EXISTS (SELECT 1 FROM item i WHERE i.id = item.id AND i.x > {})", " AND "));
       }},
      {"in_subqueries",
       [](int n) { return count_where(repeated(n, "id IN (SELECT id FROM item WHERE x > {})", " AND ")); }},
      {"grouped_subquery",
       [](int n) {
         return "SELECT SUM(s0) FROM (SELECT id, " + repeated(n, "SUM(x + {0}) AS s{0}", ", ") +
                " FROM item GROUP BY id) s";
       }},
      {"options",
       [](int n) {
         return "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) " +
                repeated(n, "SUM(x, contribution_bounds_per_group => (0, {}))", ", ", 1) + " FROM item";
       }},
  };
  return all;
}

const std::vector<Construct>& deep_constructs() {
  static const std::vector<Construct> all{
      {"deep_parentheses", [](int n) { return sum_of(nested(n, "(", "x", ")")); }},
      {"deep_negated", [](int n) { return sum_of(nested(n, "-(", "x", ")")); }},
      {"deep_not", [](int n) { return count_where(nested(n, "NOT (", "x > 1", ")")); }},
      {"deep_and_or", [](int n) { return count_where(nested(n, "(y > 1 AND (x > 2 OR ", "x = y", "))")); }},
      {"deep_sqrt", [](int n) { return sum_of(nested(n, "SQRT(", "bounded", ")")); }},
      {"deep_ln", [](int n) { return sum_of(nested(n, "LN(GREATEST(1, ", "bounded", "))")); }},
      {"deep_exp", [](int n) { return sum_of(nested(n, "EXP(LEAST(1, ", "bounded", "))")); }},
      {"deep_power", [](int n) { return sum_of(nested(n, "POWER(LEAST(1, ", "bounded", "), 2)")); }},
      {"deep_casts", [](int n) { return sum_of(nested(n, "CAST(CAST(", "cost", " AS integer) AS decimal(12,2))")); }},
      {"deep_casts_to_text",
       [](int n) { return count_where(nested(n, "CAST(CAST(", "x", " AS text) AS integer)") + " = 1"); }},
      {"deep_divisions", [](int n) { return sum_of(nested(n, "1e0 / (1e0 + ", "bounded", ")")); }},
      {"deep_decimal_divisions", [](int n) { return sum_of(nested(n, "cost / (1 + ", "cost", ")")); }},
      {"deep_divided", [](int n) { return sum_of(nested(n, "(", "bounded", ") / (1e0 + bounded)")); }},
      {"deep_remainders", [](int n) { return sum_of(nested(n, "(", "x", ") % 7")); }},
      {"deep_abs", [](int n) { return sum_of(nested(n, "ABS(x - ", "y", ")")); }},
      {"deep_round", [](int n) { return sum_of(nested(n, "ROUND(", "cost", ")")); }},
      {"deep_floor", [](int n) { return sum_of(nested(n, "FLOOR(x + ", "cost", ")")); }},
      {"deep_dates",
       [](int n) {
         return count_where(nested(n, "CAST(DATE_TRUNC('month', ", "day", ") AS date)") + " > DATE '2020-01-01'");
       }},
      {"deep_dates_added",
       [](int n) { return count_where(nested(n, "(", "day", " + INTERVAL '1 month')") + " > DATE '2020-01-01'"); }},
      {"deep_substring", [](int n) { return count_where(nested(n, "SUBSTRING(", "name", ", 2)") + " = 'a'"); }},
      {"deep_upper", [](int n) { return count_where(nested(n, "UPPER(", "name", ")") + " = 'A'"); }},
      {"deep_nullif", [](int n) { return sum_of(nested(n, "NULLIF(", "x", ", 1)")); }},
      {"deep_coalesce", [](int n) { return sum_of(nested(n, "COALESCE(y, ", "x", ")")); }},
      {"deep_least", [](int n) { return sum_of(nested(n, "LEAST(y, 1 + ", "x", ")")); }},
      {"deep_least_and_times", [](int n) { return sum_of(nested(n, "LEAST(small, tiny * ", "small", ")")); }},
      {"deep_times_and_least", [](int n) { return sum_of(nested(n, "LEAST(small, tiny) * (tiny + ", "small", ")")); }},
      {"deep_right_sum", [](int n) { return sum_of(nested(n, "LEAST(small, tiny) + (small * ", "tiny", ")")); }},
      {"deep_case", [](int n) { return sum_of(nested(n, "CASE WHEN x > y THEN x ELSE ", "y", " END")); }},
      {"deep_case_in_condition", [](int n) { return sum_of(nested(n, "CASE WHEN x > ", "y", " THEN y ELSE x END")); }},
      {"deep_case_times",
       [](int n) { return sum_of(nested(n, "CASE WHEN x > 3 THEN small ELSE tiny * ", "tiny", " END")); }},
      {"deep_public_case",
       [](int n) { return sum_of(nested(n, "CASE WHEN kind_id = 3 THEN x ELSE y + ", "y", " END")); }},
      {"deep_subqueries",
       [](int n) { return "SELECT SUM(x) FROM " + nested(n, "(SELECT id, x FROM ", "item", ") s"); }},
      {"deep_subqueries_with_filters",
       [](int n) { return "SELECT SUM(x) FROM " + nested(n, "(SELECT id, x FROM ", "item", " WHERE x > 1) s"); }},
      {"deep_doubling_subqueries",
       [](int n) { return "SELECT SUM(x) FROM " + nested(n, "(SELECT x + x AS x FROM ", "item", ") s"); }},
      {"deep_squaring_subqueries",
       [](int n) {
         return "SELECT SUM(x) FROM " + nested(n, "(SELECT x * x AS x FROM ", "(SELECT small AS x FROM item) i", ") s");
       }},
      {"deep_doubling_with",
       [](int n) {
         return "WITH w0 AS (SELECT id, x FROM item), " + [n] {
           std::string text;
           for (int i = 1; i <= n; ++i) {
             text += fmt::format("{}w{} AS (SELECT a.id, a.x FROM w{} a JOIN w{} b ON a.id = b.id)", i == 1 ? "" : ", ",
                                 i, i - 1, i - 1);
           }
           return text;
         }() + fmt::format(" SELECT SUM(x) FROM w{}", n);
       }},
      {"deep_exists",
       [](int n) { return count_where(nested(n, "EXISTS (SELECT 1 FROM kind WHERE kind.id > 1 AND ", "1 = 1", ")")); }},
      {"deep_not_in_subqueries",
       [](int n) {
         return count_where(nested(n, "id NOT IN (SELECT id FROM item WHERE id IS NOT NULL AND ", "x > 1", ")"));
       }},
      {"deep_grouped_subqueries",
       [](int n) {
         return "SELECT SUM(x) FROM " + nested(n, "(SELECT id, SUM(x) AS x FROM ", "item", " GROUP BY id) s");
       }},
      {"deep_joined_subqueries",
       [](int n) {
         return "SELECT SUM(i.x) FROM " +
                nested(n, "(SELECT item.id, item.x FROM item JOIN ", "item i", " ON item.id = i.id) i");
       }},
  };
  return all;
}

}  // namespace tacit::testing
