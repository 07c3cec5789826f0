"""The rules about what a text may cite, for lint-layers.py: nothing outside the repository, and only what is there."""

import re
from dataclasses import dataclass

# What only its writers can open is no source: a page of docs/ can be cited, or a paper by authors and year.
OUTSIDE = re.compile(
    r"\b(THEOR[Y]|DESIG[N]|ENGINE-NOTE[S])\b|\bSTYLE[.]md\b|\b[Ss]eed 00[0-9]\b|[.][.]/share[d]\b|\b[Ii]ssu[e] #?[0-9]+\b"
)
# A page, and the title of one of its sections where one is named: docs/theory/calculus.md, "Leaves".
_GAP = r"(?:[ \t\n]|//|--|#)*"  # a comment may go on in the next line
PAGE = re.compile(r"\bdocs/[\w/.-]+?\.md\b(?:," + _GAP + r'"(?P<title>[^"]{1,80})")?')
LINK = re.compile(r"\]\((?P<target>[^()\s]*)\)")
MADE_UP_PAGES = ("scripts/lint_layers_test.py", "tests/docs_test.py")  # they name pages of trees of their own
CITING_FOLDERS = ("src", "apps", "include", "tests", "bench", "scripts", "docs", "cmake", "examples")
CITING_SUFFIXES = (".cpp", ".hpp", ".h", ".py", ".sh", ".md", ".sql", ".csv", ".toml", ".txt", ".cmake", ".test")


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text}" if self.line else f"{self.path}: {self.text}"


def sections_of(tree, page):
    """The titles of a page's sections, and of each the name by which a link finds it."""
    text = re.sub(r"^```.*?^```", "", (tree.root / page).read_text(), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE)
    return {title: re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def nothing_outside(tree):
    for source in tree.citing:
        for number, line in enumerate(source.text.splitlines(), 1):
            for match in OUTSIDE.finditer(line):
                yield Finding(source.path, number, f"{match.group(0)} is not in the repository; cite a page of docs/, or a paper")


def cited_pages(tree):
    for source in tree.citing:
        if source.path in MADE_UP_PAGES:
            continue
        for match in PAGE.finditer(source.text):
            line = source.text.count("\n", 0, match.start()) + 1
            page = re.match(r"docs/[\w/.-]+?\.md", match.group(0)).group(0)
            title = match.group("title") and re.sub(r"\s*\n[\s/#-]*", " ", match.group("title"))
            if not tree.exists(page):
                yield Finding(source.path, line, f"{page} does not exist")
            elif title and title not in sections_of(tree, page):
                yield Finding(source.path, line, f'{page} has no section "{title}"')


def links(tree):
    for source in tree.citing:
        if not source.path.endswith(".md"):
            continue
        for match in LINK.finditer(source.text):
            target, _, anchor = match.group("target").partition("#")
            if re.match(r"\w+:", target):
                continue
            line = source.text.count("\n", 0, match.start()) + 1
            path = (tree.root / source.path).parent / target if target else tree.root / source.path
            if not path.exists():
                yield Finding(source.path, line, f"{target} does not exist")
                continue
            page = path.resolve().relative_to(tree.root.resolve()).as_posix()
            if anchor and page.endswith(".md") and anchor not in sections_of(tree, page).values():
                yield Finding(source.path, line, f"{page} has no section #{anchor}")
