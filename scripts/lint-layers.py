#!/usr/bin/env python3
"""Holds the tree to the house rules that a compiler does not see.

Who may include whom, who may read entropy, who may open ExactRows, who may know an engine or a function by name, where
third-party headers may appear, which files need a proof note, what may be cited, how long a file may be and how it may be
called.
RULES at the end is the whole list.

    scripts/lint-layers.py [ROOT]      exit 0: clean, 1: findings (one a line), 2: the tree cannot be read
"""

import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lint_citations import CITING_FOLDERS, CITING_SUFFIXES, Finding, cited_pages, links, nothing_outside
from lint_functions import function_identity
from lint_rooms import rooms

# The order of the folders of src/ is not written here: it is the order of the tacit_module() lines of src/CMakeLists.txt.
# Above those folders come the flow (files directly in src/, and the public headers in include/) and then apps/.
FLOW, APPS = "flow", "apps"

# A folder may include the folders before it, except these.
NEVER_INCLUDES = {
    "budget": {
        "folders": {"sql", "sensitivity", "mechanism", "rewrite", "engine"},
        "because": "the ledger charges what it is told; it knows nothing about queries and never meets data",
    },
}

EVERYWHERE = ("src", "apps", "include")

# Third-party headers and the folders that may include them. A library that is not listed is not used.
THIRD_PARTY = [
    (r"fmt/", EVERYWHERE),
    (r"tl/expected\.hpp$", EVERYWHERE),
    (r"nlohmann/", ("src/answer", "apps")),
    (r"CLI/", ("apps/tacit", "apps/bench")),
    (r"toml\+\+/|toml\.hpp$", ("src/policy",)),
    (r"libpq-fe\.h$", ("src/engine", "apps/bench")),
    (r"duckdb\.h$", ("src/duckdb", "src/engine", "apps/sample", "apps/bench")),  # the apps generate data of their own
    (r"pg_query|protobuf-c/", ("src/sql",)),
    (r"mpfr\.h$|gmp\.h$|gmpxx\.h$", ("src/noise/sampling",)),
    (r"sqlite3\.h$", ("src/budget",)),
    (r"openssl/", ("src/noise/sampling",)),
]
SYSTEM_HEADER = re.compile(
    r"[a-z0-9_]+$"  # the C++ standard library
    r"|sys/[a-z]+\.h$"
    r"|(dlfcn|errno|fcntl|poll|pthread|sched|signal|spawn|stdlib|time|unistd)\.h$"
)
TEST_ONLY_HEADER = re.compile(r"(gtest|gmock|rapidcheck)[/.]|support/|benchmark/")

# The words of entropy: only noise/sampling/ reads it. A seeded source for tests exists in tests/support alone.
ENTROPY = re.compile(
    r"\bRAND_\w+|\brandom_device\b|\bgetrandom\b|\bgetentropy\b|\barc4random\w*|/dev/u?random\b|<openssl/rand\.h>"
)
# Generators that only look random. Tests may make up data with them; the product has no use for them.
PSEUDO_RANDOM = re.compile(r"<random>|\bmt19937\w*|\bdefault_random_engine\b|\bminstd_rand0?\b|\bs?rand\s*\(|\b[dlm]rand48\b")

# Besides engine/, noise/ and the flow.
HANDLES_EXACT_ROWS = {"apps/bench": "times the noise on rows that it makes up itself, and draws it many times on TPC-H data"}

# The dialects are the files of this folder that define NAME_dialect(). Beside them, only the engine NAME (ENGINES/NAME)
# says which dialect it is.
DIALECTS, ENGINES = "src/sql/dialects", "src/engine"
# Who may call a thing of theirs after an engine. Everyone else works with any of them.
KNOWS_ENGINES = {
    DIALECTS: "one place for the SQL of each engine",
    ENGINES: "one folder for each engine, and the list of them",
    "src/duckdb": "loads the library of an engine",
    "src/policy": "reads the url that chooses the engine, and what is said of one engine alone",
    "apps": "make data and files of an engine",
}
# Two dialects have no ==; that their addresses are compared, the compiler cannot refuse.
COMPARES_DIALECTS = re.compile(r"[=!]=\s*&\s*(\w+(\.|->))*\w*dialect\w*\b|&\s*(\w+(\.|->))*\w*dialect\w*(\(\))?\s*[=!]=")

PROOF_FOLDERS = ("src/mechanism", "src/sensitivity/metric/derivative")
# Sources of those folders that state no bound of their own.
NO_PROOF_NEEDED = {
    "src/mechanism/choose_mechanism.cpp": "asks the model's own choice",
    "src/mechanism/mechanism_plan.cpp": "adds up what metric/choose_metric.md proves",
    "src/mechanism/noise_law.cpp": "the list of laws",
    "src/sensitivity/metric/derivative/cell.cpp": "finds private columns",
}

LONGEST_FILE = 450  # lines; the house style asks why from 400 on
LONG_FILES = {}  # path: reason

BAD_NAME = re.compile(r"(^|[_.-])((utils?|helpers?|misc)([_.-]|$)|common\.)", re.IGNORECASE)

CODE_FOLDERS = ("src", "apps", "include", "tests", "bench", "scripts")
CODE_SUFFIXES = (".cpp", ".hpp", ".h", ".py", ".sh")
CPP_SUFFIXES = (".cpp", ".hpp", ".h")


@dataclass(frozen=True)
class Include:
    line: int
    name: str
    quoted: bool


_TOKEN = re.compile(
    r"//(?:\\\n|[^\n])*"
    r"|/\*.*?\*/"
    r'|R"(?P<raw>[^()\\\s]{0,16})\(.*?\)(?P=raw)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)


def without_comments(text):
    """Comments become blanks, line numbers stay; literals are kept."""

    def blank(match):
        token = match.group(0)
        return re.sub(r"[^\n]", " ", token) if token.startswith(("//", "/*")) else token

    return _TOKEN.sub(blank, text)


@dataclass
class Source:
    path: str  # from the root, with /
    text: str

    @property
    def name(self):
        return self.path.rsplit("/", 1)[-1]

    @property
    def folder(self):
        return self.path.rsplit("/", 1)[0]

    @property
    def is_test(self):
        """Tests, and the headers beside them that only tests include."""
        return re.search(r"(_test\.cpp|(^|_)(fixture|testing)\.hpp)$", self.name) is not None or self.within("tests", "bench")

    @property
    def is_product(self):
        return self.path.endswith(CPP_SUFFIXES) and self.path.startswith(tuple(f + "/" for f in EVERYWHERE))

    def within(self, *folders):
        return self.path.startswith(tuple(f + "/" for f in folders))

    @cached_property
    def code(self):
        return without_comments(self.text)

    @cached_property
    def includes(self):
        found = []
        for number, line in enumerate(self.code.splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
            if match:
                found.append(Include(number, match.group(1) or match.group(2), match.group(1) is not None))
        return found

    @cached_property
    def code_without_literals(self):
        return _TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), self.text)

    def mentions(self, pattern, code=None):
        for number, line in enumerate((self.code if code is None else code).splitlines(), 1):
            for match in pattern.finditer(line):
                yield number, match.group(0)


@dataclass
class Tree:
    root: Path
    order: list  # folders of src/, lowest first
    sources: list = field(default_factory=list)
    citing: list = field(default_factory=list)  # whatever people read: code, notes, pages, test files

    @classmethod
    def read(cls, root):
        modules = (root / "src/CMakeLists.txt").read_text()
        tree = cls(root, re.findall(r"^\s*tacit_module\(\s*(\w+)", modules, re.MULTILINE))
        if not tree.order:
            raise ValueError("src/CMakeLists.txt has no tacit_module() line")
        for folder in CODE_FOLDERS:
            for path in sorted((root / folder).rglob("*")):
                if path.is_file() and path.suffix in CODE_SUFFIXES and "__pycache__" not in path.parts:
                    tree.sources.append(Source(path.relative_to(root).as_posix(), path.read_text(errors="replace")))
        texts = [path for folder in CITING_FOLDERS for path in sorted((root / folder).rglob("*"))] + sorted(root.glob("*.md"))
        for path in texts:
            if path.is_file() and path.suffix in CITING_SUFFIXES and "__pycache__" not in path.parts:
                tree.citing.append(Source(path.relative_to(root).as_posix(), path.read_text(errors="replace")))
        return tree

    @property
    def product(self):
        return [s for s in self.sources if s.is_product]

    def exists(self, path):
        return (self.root / path).is_file()

    @cached_property
    def dialects(self):
        """Names of the dialects: duckdb, postgres."""
        files = [s for s in self.sources if s.within(DIALECTS) and s.name.endswith(".cpp")]
        return [s.name.removesuffix(".cpp") for s in files if f" {s.name.removesuffix('.cpp')}_dialect() {{" in s.code]

    def layer_of(self, path):
        """The layer's name; None for a folder of src/ that src/CMakeLists.txt does not list."""
        parts = path.split("/")
        if parts[0] == "apps":
            return APPS
        if parts[0] == "include" or len(parts) == 2:
            return FLOW
        return parts[1] if parts[1] in self.order else None

    def rank(self, layer):
        return (self.order + [FLOW, APPS]).index(layer)

    def resolve(self, source, include):
        """The file an include means, or None. Written from src/ or include/; apps may name each other's headers."""
        candidates = [f"src/{include.name}", f"include/{include.name}"]
        if source.within("apps"):
            candidates += [f"{source.folder}/{include.name}", f"apps/{include.name}"]
            candidates += [p.relative_to(self.root).as_posix() for p in (self.root / "apps").glob(f"*/{include.name}")]
        if source.is_test:
            candidates.append(f"tests/{include.name}")
        return next((c for c in candidates if self.exists(c)), None)


def layers(tree):
    for source in tree.product:
        own = tree.layer_of(source.path)
        if own is None:
            yield Finding(source.path, 0, "its folder is not in the layer order; give it a tacit_module() line in src/CMakeLists.txt")
            continue
        for include in source.includes:
            target = tree.resolve(source, include)
            if target is None or target.startswith("tests/"):
                continue
            other = tree.layer_of(target)
            if other is None:
                continue  # reported once, at that file
            never = NEVER_INCLUDES.get(own, {})
            if other in never.get("folders", ()):
                yield Finding(source.path, include.line, f'{own}/ may not include "{include.name}": {never["because"]}')
            elif tree.rank(other) > tree.rank(own):
                yield Finding(source.path, include.line, f'{own} may not include "{include.name}": {other} comes after it')


def folder_cycles(tree):
    """Folders of one folder do not include each other in a circle, at any depth: from each no way leads back to it."""
    ways = {}
    for source in tree.sources:
        if not source.within("src") or source.is_test:
            continue
        for include in source.includes:
            here, there = source.folder.split("/")[1:], include.name.split("/")[:-1]
            depth = next((i for i, (a, b) in enumerate(zip(here, there)) if a != b), None)
            if include.quoted and depth:  # folders of src/ itself have an order
                parent = "/".join(here[:depth])
                ways.setdefault(parent, {}).setdefault(here[depth], {}).setdefault(there[depth], (source.path, include.line))
    for parent, edges in sorted(ways.items()):
        for start in sorted(edges):
            first = next((edges[start][there] for there in sorted(edges[start]) if _leads_to(edges, there, start)), None)
            if first:
                yield Finding(*first, f"folders of src/{parent} include each other in a circle through {start}")
                break


def _leads_to(edges, here, end):
    seen, left = set(), [here]
    while left:
        folder = left.pop()
        if folder == end:
            return True
        if folder not in seen:
            seen.add(folder)
            left += edges.get(folder, {})
    return False


def includes_resolve(tree):
    for source in tree.product:
        for include in source.includes:
            if include.quoted and tree.resolve(source, include) is None:
                yield Finding(source.path, include.line, f'"{include.name}" is no file of ours; write it from src/, third-party headers in <>')
            if ".." in include.name.split("/"):
                yield Finding(source.path, include.line, f'"{include.name}" climbs; write it from src/')


def third_party(tree):
    for source in tree.product:
        if source.is_test:
            continue
        for include in source.includes:
            if tree.resolve(source, include) is not None:
                continue
            if TEST_ONLY_HEADER.match(include.name):
                continue  # test_only_headers
            if include.quoted or SYSTEM_HEADER.match(include.name):
                continue
            folders = next((f for pattern, f in THIRD_PARTY if re.match(pattern, include.name)), None)
            if folders is None:
                yield Finding(source.path, include.line, f"<{include.name}> is of no library that THIRD_PARTY lists")
            elif not source.within(*folders):
                yield Finding(source.path, include.line, f"<{include.name}> may be included in {', '.join(folders)} only")


def test_only_headers(tree):
    for source in tree.product:
        if source.is_test:
            continue
        for include in source.includes:
            target = tree.resolve(source, include)
            ours = target is not None and Source(target, "").is_test
            if ours or (target is None and TEST_ONLY_HEADER.match(include.name)):
                yield Finding(source.path, include.line, f"{include.name} is for tests: *_test.cpp, *_fixture.hpp, tests/, bench/")


def entropy(tree):
    for source in tree.sources:
        if not source.path.endswith(CPP_SUFFIXES) or source.within("src/noise/sampling", "tests/support"):
            continue
        words = list(source.mentions(ENTROPY))
        if not source.is_test:
            words += source.mentions(PSEUDO_RANDOM)
        for line, word in words:
            yield Finding(source.path, line, f"{word}: only src/noise/sampling reads entropy (seeded: tests/support)")


def exact_rows_reader(tree):
    for source in tree.product:
        if source.within("src/noise") or source.is_test:
            continue
        for line, _ in source.mentions(re.compile(r"\bExactRowsReader\b")):
            declared = source.path == "src/engine/exact_rows.hpp" and re.fullmatch(
                r"\s*friend class ExactRowsReader;\s*", source.code.splitlines()[line - 1]
            )
            if not declared:
                yield Finding(source.path, line, "ExactRowsReader: only src/noise opens exact rows")


def exact_rows(tree):
    for source in tree.product:
        if source.within("src/engine", "src/noise", *HANDLES_EXACT_ROWS) or tree.layer_of(source.path) == FLOW:
            continue
        for line, _ in source.mentions(re.compile(r"\bExactRows\b")):
            yield Finding(source.path, line, "ExactRows: only engine/, noise/ and the flow handle exact rows")


def dialects(tree):
    for source in tree.product:
        if source.is_test or source.within(DIALECTS):
            continue
        for name in tree.dialects:
            if source.within(f"{ENGINES}/{name}"):
                continue
            for line, word in source.mentions(re.compile(rf"\b{name}_dialect\b")):
                yield Finding(source.path, line, f"{word}: take the dialect that is given; only {ENGINES}/{name} names its own")
        for line, _ in source.mentions(COMPARES_DIALECTS):
            yield Finding(source.path, line, f"compares dialects: what differs is a function of Dialect, in {DIALECTS}")


def engine_names(tree):
    for source in tree.product:
        if source.is_test or source.within(*KNOWS_ENGINES):
            continue
        for name in tree.dialects:
            for line, word in source.mentions(re.compile(rf"\b\w*{name}\w*\b", re.IGNORECASE), source.code_without_literals):
                yield Finding(source.path, line, f"{word}: no name of an engine here; what engines say differently is in {DIALECTS}")


def proof_notes(tree):
    for source in tree.product:
        if not source.within(*PROOF_FOLDERS) or not source.name.endswith(".cpp") or source.is_test:
            continue
        if source.path in NO_PROOF_NEEDED:
            continue
        note = source.path.removesuffix(".cpp") + ".md"
        if not tree.exists(note):
            yield Finding(source.path, 0, f"its proof note {note} is missing")


def file_length(tree):
    lengths = {s.path: len(s.text.splitlines()) for s in tree.sources}
    for path, lines in lengths.items():
        if lines > LONGEST_FILE and path not in LONG_FILES:
            yield Finding(path, 0, f"{lines} lines; split it (at most {LONGEST_FILE}), or list it with a reason in LONG_FILES")
    for path in LONG_FILES:
        if lengths.get(path, 0) <= LONGEST_FILE:
            yield Finding(path, 0, "is no longer long; take it off LONG_FILES")


def file_names(tree):
    for source in tree.sources:
        if BAD_NAME.search(source.name):
            yield Finding(source.path, 0, "is named after nothing; name it after the thing or the verb")


RULES = [
    layers,
    rooms,
    folder_cycles,
    includes_resolve,
    third_party,
    test_only_headers,
    entropy,
    exact_rows_reader,
    exact_rows,
    dialects,
    engine_names,
    function_identity,
    proof_notes,
    nothing_outside,
    cited_pages,
    links,
    file_length,
    file_names,
]


def main(arguments):
    root = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).resolve().parent.parent
    try:
        tree = Tree.read(root)
    except (OSError, ValueError) as failure:
        print(f"lint-layers: cannot read the tree: {failure}", file=sys.stderr)
        return 2
    findings = [(rule.__name__, finding) for rule in RULES for finding in rule(tree)]
    for rule, finding in findings:
        print(f"{finding} [{rule}]")
    print(f"lint-layers: {len(tree.sources)} files, {len(RULES)} rules, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
