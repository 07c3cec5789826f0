#!/usr/bin/env python3
"""Proves that every rule of lint-layers.py can fail, and that a clean tree passes. Run by `make lint`."""

import contextlib
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
_spec = importlib.util.spec_from_file_location("lint_layers", Path(__file__).with_name("lint-layers.py"))
lint = importlib.util.module_from_spec(_spec)
sys.modules["lint_layers"] = lint
_spec.loader.exec_module(lint)

CLEAN = {
    "src/CMakeLists.txt": "tacit_module(base)\ntacit_module(policy)\ntacit_module(sql)\ntacit_module(mechanism)\n"
    "tacit_module(engine)\ntacit_module(budget)\ntacit_module(noise)\ntacit_module(answer)\n",
    "src/base/value.hpp": "#include <fmt/format.h>\n#include <string>\n",
    "src/policy/read/read_policy.cpp": '#include <toml++/toml.h>\n#include "base/value.hpp"\n',
    "src/engine/exact_rows.hpp": "class ExactRows {\n  friend class ExactRowsReader;\n};\n",
    "src/noise/reader.cpp": '#include "engine/exact_rows.hpp"\nExactRowsReader r;\n',
    "src/noise/sampling/entropy.cpp": '#include <openssl/rand.h>\n#include "base/value.hpp"\nint x = RAND_priv_bytes();\n',
    "src/mechanism/laplace.cpp": "",
    "src/mechanism/laplace.md": "proof",
    "src/answer_query.cpp": '#include "engine/exact_rows.hpp"\n#include "noise/add.hpp"\nExactRows rows;\n',
    "src/noise/add.hpp": "",
    "src/sql/bind/a.hpp": "",
    "src/sql/parse/b.hpp": '#include "sql/bind/a.hpp"\n',
    "src/sql/functions/rules.hpp": "extern const FunctionRule add_rule, in_rule;\n",
    "src/sql/dialects/north.cpp": "const Dialect& north_dialect() {\n}\n",
    "src/engine/north/open_north.cpp": "const Dialect& dialect() { return north_dialect(); }\n",
    "apps/tacit/main.cpp": '#include <CLI/CLI.hpp>\n#include "options.hpp"\n#include "base/value.hpp"\n',
    "apps/tacit/options.hpp": "",
    "tests/support/seeded.hpp": "#include <random>\n",
}


class LintTest(unittest.TestCase):
    def findings(self, changes, rule=None):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in {**CLEAN, **changes}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            tree = lint.Tree.read(root)
            return [f for r in lint.RULES if rule in (None, r) for f in r(tree)]

    def assert_found(self, rule, path, text, line=None, says=""):
        found = self.findings({path: text}, rule)
        self.assertEqual([f.path for f in found], [path], found)
        if line is not None:
            self.assertEqual(found[0].line, line)
        self.assertIn(says, str(found[0]))

    def assert_clean(self, changes):
        self.assertEqual(self.findings(changes), [])

    def test_clean_tree(self):
        self.assert_clean({})

    def test_every_rule_has_a_failing_case_here(self):
        source = Path(__file__).read_text()
        for rule in lint.RULES:
            self.assertIn(f"assert_found(lint.{rule.__name__},", source)

    # layers
    def test_a_lower_folder_may_not_include_a_higher_one(self):
        self.assert_found(lint.layers, "src/base/up.cpp", '\n#include "noise/add.hpp"\n', 2, "noise comes after")

    # rooms
    def test_the_samplers_know_no_release(self):
        self.assert_found(lint.rooms, "src/noise/sampling/x.cpp", '\n#include "noise/add.hpp"\n', 2, "no rows")
        self.assert_found(lint.rooms, "src/noise/sampling/x.hpp", '#include "engine/exact_rows.hpp"\n', 1)
        self.assert_clean({"src/noise/sampling/x_test.cpp": '#include "noise/add.hpp"\n'})

    # folder_cycles
    def test_folders_of_a_folder_include_each_other(self):
        self.assert_found(lint.folder_cycles, "src/sql/bind/a.hpp", '\n#include "sql/parse/b.hpp"\n', 2, "src/sql")
        self.assert_clean({"src/sql/bind/a_test.cpp": '#include "sql/parse/b.hpp"\n'})

    def test_tests_are_held_to_the_order_too(self):
        self.assert_found(lint.layers, "src/base/up_test.cpp", '#include "noise/add.hpp"\n')

    def test_budget_may_not_include_the_engine_although_it_comes_before(self):
        self.assert_found(lint.layers, "src/budget/l.cpp", '#include "engine/exact_rows.hpp"\n', 1, "never meets data")

    def test_a_folder_may_not_include_the_flow(self):
        found = self.findings({"src/noise/x.cpp": '#include "answer_query.hpp"\n', "src/answer_query.hpp": ""}, lint.layers)
        self.assertEqual(len(found), 1)

    def test_the_flow_may_not_include_an_app(self):
        found = self.findings({"apps/x.hpp": "", "src/y.cpp": '#include "apps/x.hpp"\n'})
        self.assertTrue(found)

    def test_a_folder_without_a_place(self):
        self.assert_found(lint.layers, "src/extra/x.cpp", "", says="tacit_module")

    def test_comments_are_not_includes(self):
        self.assert_clean({"src/base/x.cpp": '// #include "noise/add.hpp"\n/*\n#include "noise/add.hpp"\n*/\n'})

    # includes_resolve
    def test_unknown_file(self):
        self.assert_found(lint.includes_resolve, "src/base/x.cpp", '#include "base/absent.hpp"\n')

    def test_a_folder_names_its_files_from_src(self):
        self.assert_found(lint.includes_resolve, "src/base/x.cpp", '#include "value.hpp"\n')

    def test_climbing(self):
        self.assert_found(lint.includes_resolve, "apps/tacit/x.cpp", '#include "../tacit/options.hpp"\n', says="climbs")

    # third_party
    def test_confined_headers(self):
        for path, header in [
            ("src/policy/x.cpp", "nlohmann/json.hpp"),
            ("src/answer/x.cpp", "CLI/CLI.hpp"),
            ("src/base/x.cpp", "toml++/toml.h"),
            ("src/noise/x.cpp", "duckdb.h"),
            ("src/engine/x.cpp", "pg_query.h"),
            ("src/engine/x.cpp", "pg_query.pb-c.h"),
            ("src/mechanism/x.hpp", "mpfr.h"),
            ("src/mechanism/x.hpp", "gmp.h"),
            ("src/noise/x.cpp", "mpfr.h"),
            ("src/noise/x.cpp", "openssl/rand.h"),
            ("src/engine/x.cpp", "sqlite3.h"),
            ("apps/tacit/x.cpp", "openssl/sha.h"),
        ]:
            with self.subTest(header):
                self.assert_found(lint.third_party, path, f"#include <{header}>\n", 1, "only")

    def test_unlisted_library(self):
        self.assert_found(lint.third_party, "src/base/x.cpp", "#include <spdlog/spdlog.h>\n", says="no library")

    def test_tests_may_include_any_library(self):
        self.assert_clean({"src/base/x_test.cpp": "#include <gtest/gtest.h>\n#include <nlohmann/json.hpp>\n"})

    # test_only_headers
    def test_a_test_library_in_the_product(self):
        self.assert_found(lint.test_only_headers, "src/base/x.cpp", "#include <gtest/gtest.h>\n", 1, "for tests")
        self.assert_found(lint.test_only_headers, "src/base/x.hpp", "#include <rapidcheck.h>\n", 1)

    def test_a_fixture_in_the_product(self):
        fixture = {"src/base/value_fixture.hpp": "#include <gtest/gtest.h>\n"}
        use = '#include "base/value_fixture.hpp"\n'
        self.assert_clean({**fixture, "src/base/x_test.cpp": use})
        found = self.findings({**fixture, "src/base/x.cpp": use})
        self.assertEqual([f.path for f in found], ["src/base/x.cpp"])

    def test_test_support_in_the_product(self):
        self.assert_found(lint.test_only_headers, "src/base/x.cpp", '#include "support/seeded.hpp"\n')

    # entropy
    def test_entropy_outside_noise(self):
        for word in [
            "RAND_bytes(p, 1);",
            "RAND_priv_bytes(p, 1);",
            "std::random_device d;",
            "#include <random>",
            "getrandom(p, 1, 0);",
            'open("/dev/urandom", 0);',
            "int x = rand ();",
            "std::mt19937_64 g;",
        ]:
            with self.subTest(word):
                self.assert_found(lint.entropy, "src/budget/x.cpp", word + "\n", 1, "src/noise/sampling")
                self.assert_found(lint.entropy, "src/noise/x.cpp", word + "\n", 1)

    def test_tests_may_make_up_data_but_read_no_entropy(self):
        self.assert_clean({"src/sql/x_test.cpp": "#include <random>\nstd::mt19937 g(1);\n"})
        self.assert_found(lint.entropy, "src/sql/x_test.cpp", "std::random_device d;\n")
        self.assert_found(lint.entropy, "tests/x_test.cpp", "std::random_device d;\n")

    def test_entropy_in_apps(self):
        self.assert_found(lint.entropy, "apps/tacit/x.cpp", "std::random_device d;\n")

    def test_words_that_only_look_like_entropy(self):
        self.assert_clean({"src/sql/x.cpp": "// RAND_bytes\noperand(1); int grand = 0; f(\"random\");\n"})

    # exact_rows_reader, exact_rows
    def test_reader_outside_noise(self):
        self.assert_found(lint.exact_rows_reader, "src/answer/x.cpp", "ExactRowsReader r;\n", 1)

    def test_reader_in_the_flow(self):
        self.assert_found(lint.exact_rows_reader, "src/answer_query.cpp", "ExactRowsReader r;\n", 1)

    def test_reader_in_its_header_other_than_as_friend(self):
        text = CLEAN["src/engine/exact_rows.hpp"] + "class ExactRowsReader {};\n"
        self.assert_found(lint.exact_rows_reader, "src/engine/exact_rows.hpp", text, 4)

    def test_reader_in_tests(self):
        self.assert_clean({"src/engine/x_test.cpp": "ExactRowsReader r;\n"})

    def test_exact_rows_elsewhere(self):
        self.assert_found(lint.exact_rows, "src/answer/x.cpp", "void print(const ExactRows&);\n", 1)

    def test_exact_rows_in_an_app(self):
        self.assert_found(lint.exact_rows, "apps/tacit/x.cpp", "ExactRows* p;\n", 1)

    def test_the_benchmark_may_build_exact_rows_but_not_open_them(self):
        self.assert_clean({"apps/bench/x.cpp": "ExactRows::Builder b;\n"})
        self.assert_found(lint.exact_rows_reader, "apps/bench/x.cpp", "ExactRowsReader r;\n")

    # dialects, engine_names
    def test_a_particular_dialect_elsewhere(self):
        for path in ["src/sql/print.cpp", "src/engine/open_engine.cpp", "src/policy/x.cpp", "src/x.cpp", "apps/tacit/x.cpp"]:
            with self.subTest(path):
                self.assert_found(lint.dialects, path, "\nprint(north_dialect());\n", 2, "src/engine/north")

    def test_an_engine_names_its_own_dialect_only(self):
        self.assert_found(lint.dialects, "src/engine/south/x.cpp", "north_dialect();\n", 1)

    def test_comparing_dialects(self):
        for words in [
            "if (&dialect == &other) f();",
            "return &printer.dialect() != x;",
            "x == &any_dialect();",
            "&engine->dialect() == p;",
            "&dialect_ == &first;",
        ]:
            with self.subTest(words):
                self.assert_found(lint.dialects, "src/sql/x.cpp", words + "\n", 1, "compares")
        self.assert_clean({"src/sql/x.cpp": "f(x == 1 && dialect.raises());\nconst Dialect& d = e.dialect();\n"})

    def test_any_dialect_is_nobodys(self):
        self.assert_clean({"src/sql/dialects/dialects.cpp": "const Dialect& any_dialect() { return north_dialect(); }\n"})
        self.assert_clean({"src/sql/x.cpp": "print(any_dialect());\n"})

    def test_an_engine_by_name(self):
        for words in ["const bool is_north = false;", "void print_North(int);", "#define NORTH 1"]:
            with self.subTest(words):
                self.assert_found(lint.engine_names, "src/sql/x.cpp", words + "\n", 1)
        self.assert_found(lint.engine_names, "src/x.cpp", "bool north;\n")
        self.assert_clean({"src/policy/x.cpp": "bool is_north;\n", "apps/tacit/x.cpp": "open_north();\n"})
        self.assert_clean({"src/sql/x.cpp": '// of north\nf("north:");\n', "src/sql/x_test.cpp": "north_dialect();\n"})

    # function_identity
    def test_which_function_it_is(self):
        for words in ["call.rule == &add_rule", "std::array{&in_rule}", "rule != & add_rule", 'call->rule->name == "+"',
                      "const std::string_view name = call.rule->name;", 'find_function("in")']:
            with self.subTest(words):
                self.assert_found(lint.function_identity, "src/mechanism/laplace.cpp", "\n" + words + ";\n", 2, "ask a trait")

    def test_a_call_of_a_function_may_be_made(self):
        self.assert_clean({"src/mechanism/laplace.cpp": "make_call(add_rule, args); option.name == key; &other_rule;\n"})

    def test_who_may_point_at_functions(self):
        self.assert_clean({path: "&add_rule;\n" for path in [
            "src/sql/functions/add.cpp", "src/sql/dialects/south.cpp", "src/mechanism/laplace_test.cpp",
            "src/sql/functions/function_rule.hpp"]})
        self.assert_found(lint.function_identity, "src/sql/relation.cpp", "&add_rule;\n", 1)
        self.assert_clean({"src/sql/coerce.cpp": "find_function(name);\n"})

    # proof_notes
    def test_missing_note(self):
        self.assert_found(lint.proof_notes, "src/mechanism/cauchy.cpp", "", says="src/mechanism/cauchy.md")

    def test_missing_note_of_a_derivative_rule(self):
        self.assert_found(lint.proof_notes, "src/sensitivity/metric/derivative/product.cpp", "")

    def test_no_note_needed(self):
        self.assert_clean({"src/mechanism/choose_mechanism.cpp": "", "src/mechanism/laplace_test.cpp": ""})

    # nothing_outside, cited_pages, links
    def test_citations_of_what_is_not_in_the_repository(self):
        for words in ["THEO" "RY 3.2", "DES" "IGN 4", "ENGINE-" "NOTES", "STYLE" ".md", "seed" " 004", "Seed" " 000", "issue" " 14",
                      "../sha" "red/x"]:
            with self.subTest(words):
                self.assert_found(lint.nothing_outside, "src/base/x.cpp", f"\n// {words}\n", 2, "not in the repository")
        self.assert_found(lint.nothing_outside, "src/mechanism/laplace.md", "as in THEO" "RY 3\n", 1)
        self.assert_found(lint.nothing_outside, "bench/users/x.sql", "-- seed" " 004\n", 1)
        self.assert_clean({"src/base/x.cpp": "// a theory, by design; random seed 7; an issue of style\n"})

    def test_a_page_that_is_cited_exists(self):
        pages = {"docs/theory/calculus.md": "# The calculus\n\n## Leaves of a tree\n"}
        self.assert_clean(pages | {"src/base/x.hpp": '// (docs/theory/calculus.md, "Leaves of\n// a tree"), docs/theory/calculus.md.\n'})
        self.assert_found(lint.cited_pages, "src/base/x.hpp", "\n// docs/theory/gone.md\n", 2, "does not exist")
        found = self.findings(pages | {"src/base/x.hpp": '// docs/theory/calculus.md,\n// "Roots"\n'}, lint.cited_pages)
        self.assertIn('no section "Roots"', str(found))

    def test_links_lead_somewhere(self):
        pages = {"docs/a.md": "# A\n\n## Two words, `code`\n\n[b](b.md#b) [self](#two-words-code) [web](https://example.org/x)\n",
                 "docs/b.md": "# B\n\n[up](../src/base/value.hpp)\n"}
        self.assert_clean(pages)
        self.assert_found(lint.links, "docs/c.md", "[gone](gone.md)\n", 1, "gone.md does not exist")
        self.assertIn("#gone", str(self.findings(pages | {"docs/c.md": "[b](b.md#gone)\n"}, lint.links)))

    # file_length, file_names
    def test_long_file(self):
        self.assert_found(lint.file_length, "src/base/x.cpp", "\n" * (lint.LONGEST_FILE + 1))
        self.assert_clean({"src/base/x.cpp": "\n" * lint.LONGEST_FILE})

    def test_a_stale_entry_of_the_list_of_long_files(self):
        lint.LONG_FILES["src/base/value.hpp"] = "a reason"
        try:
            self.assert_found(lint.file_length, "src/base/value.hpp", "", says="no longer")
        finally:
            del lint.LONG_FILES["src/base/value.hpp"]

    def test_names(self):
        for name in ["string_utils.cpp", "util.hpp", "test_helpers.hpp", "common.cpp", "sql_common.hpp", "Utils.cpp"]:
            with self.subTest(name):
                self.assert_found(lint.file_names, f"src/base/{name}", "")
        self.assert_clean({"src/base/common_type.hpp": "", "src/base/utility_of.hpp": ""})

    # the comment stripper
    def test_comments_and_literals(self):
        strip = lint.without_comments
        self.assertEqual(strip("a // b\nc"), "a     \nc")
        self.assertEqual(strip("a /* b\n */ c"), "a     \n    c")
        self.assertEqual(strip('"// kept" // gone'), '"// kept"        ')
        self.assertEqual(strip('R"x(// " kept)x" + 1\'000 // g'), 'R"x(// " kept)x" + 1\'000     ')
        self.assertEqual(strip("'\"' // x"), "'\"'     ")

    # the command
    def test_a_tree_without_modules_is_an_error_not_a_pass(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(lint.main(["lint", folder]), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q"])
