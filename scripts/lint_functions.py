"""The rule that nobody asks which function of SQL a call is, for lint-layers.py."""

import re

from lint_citations import Finding

# The rules of the functions are declared here; what others may know of them are their traits.
FUNCTIONS, DECLARATIONS = "src/sql/functions", "src/sql/functions/rules.hpp"
# Who may point at them.
LISTS_FUNCTIONS = {
    FUNCTIONS: "defines them",
    "src/sql/dialects": "one function may be printed for an engine in its own way",
    "src/sensitivity/metric/derivative/rules/registry.cpp": "the list of derivatives, one line for each function",
}
# Who may read their names. Within src/sql a name that an analyst wrote is looked up.
SAYS_FUNCTIONS = {
    "src/sql": "resolves names, once",
    "src/sensitivity/expression_text.cpp": "writes expressions for people",
    "src/sensitivity/metric/derivative/rules/linear.cpp": "names the function in the proof tree",
    "src/sensitivity/metric/derivative/rules/registry.cpp": "names the function in a refusal",
}
READS_NAME = re.compile(r"\b(rule|function)(->|\.)name\b|\bfind_function\b")


def _may(source, listed):
    return source.path in listed or source.within(*listed)


def function_identity(tree):
    declared = next((s for s in tree.sources if s.path == DECLARATIONS), None)
    names = re.findall(r"\b\w+_rule\b", declared.code) if declared else []
    points = re.compile(rf"&\s*({'|'.join(names) or '(?!)'})\b")
    for source in tree.product:
        if source.is_test:
            continue
        if not _may(source, LISTS_FUNCTIONS):
            for line, word in source.mentions(points):
                yield Finding(source.path, line, f"{word}: ask a trait of the function ({FUNCTIONS}/function_traits.hpp), not which one it is")
        if not _may(source, SAYS_FUNCTIONS):
            for line, word in source.mentions(READS_NAME):
                yield Finding(source.path, line, f"{word}: ask a trait of the function ({FUNCTIONS}/function_traits.hpp), not its name")
