#!/usr/bin/env python3
"""Fails when a refusal of the sources has no tried hint: tests/hints/scan.py

Every sentence in a call of src/ or apps/tacit/ that makes a failure must be said in a block of tests/hints/*.hints (one of fewer than
five words together with another of the same call); or it is in tests/hints/untried.txt, with the reason why it cannot be. An entry there
that is tried after all, or is in no source any more, fails too.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HINTS = ROOT / "tests/hints"

# Calls that make a failure, beside the functions and lambdas that return one, which are found.
MAKERS = {"refuse", "fail", "Failure", "complain", "expected", "missing", "add_missing", "take_text", "take_texts", "take_number",
          "Sentence", "unexpected", "malformed", "refuse_here", "not_usable"}
NO_MAKERS = {"first", "explain", "failure", "placed_in", "without_policy", "statement_failure", "open_failure"}
RETURNS_FAILURE = re.compile(r"(?:unexpected<Failure>|\bFailure)\s+([a-z_]+)\s*\(")
LAMBDA = re.compile(r"\bauto\s+([a-z_]+)\s*=\s*\[[^\]]*\]\s*\([^)]*\)[^{]*\{\s*(?:return\s+)?(?:refuse|fail|complain)\b")
STRING = r'"(?:[^"\\\n]|\\.)*"'
CONSTANT = re.compile(r"\b(?:const|constexpr)\b[^;={}()]*?\b(\w+)\s*(?:\[\])?\s*=\s*((?:" + STRING + r"\s*)+);")
DEFINITION = re.compile(r"(?:Status|void|Failure>?|Result<[^;\n]*>|auto)\s+(?:\w+::)?$")
NOT_PRODUCT = re.compile(r"_test\.cpp$|_testing\.hpp$|_fixture\.hpp$")


def without_comments(text):
    def keep(match):
        found = match.group(0)
        return found if found[0] in "\"'" else re.sub(r"[^\n]", " ", found)
    return re.sub(STRING + r"|'(?:[^'\\\n]|\\.)+'|//[^\n]*|/\*.*?\*/", keep, text, flags=re.S)


def call_end(text, opening):
    depth = 0
    for match in re.compile(STRING + r"|'(?:[^'\\\n]|\\.)+'|[(){}\[\]]").finditer(text, opening):
        found = match.group(0)
        depth += found in ("(", "{", "[")
        depth -= found in (")", "}", "]")
        if depth == 0:
            return match.start()
    return len(text)


def sentences(argument_text, constants):
    argument_text = re.sub(STRING + r"|(?<![.\w])\w+\b", lambda word: constants.get(word.group(0), word.group(0)), argument_text)
    argument_text = re.sub(r'"\s+"', "", argument_text)
    for literal in re.findall(STRING, argument_text):
        text = literal[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
        if " " in text and len(re.findall(r"[A-Za-z]{2,}", text)) >= 2:
            yield text


def refusals():
    """(place, sentences of one call) for every call that makes a failure."""
    texts = {}
    for folder in ("src", "apps/tacit"):
        for path in sorted((ROOT / folder).rglob("*.?pp")):
            if not NOT_PRODUCT.search(path.name):
                texts[path] = without_comments(path.read_text())
    makers = set(MAKERS)
    for text in texts.values():
        makers.update(RETURNS_FAILURE.findall(text))
        makers.update(LAMBDA.findall(text))
    call = re.compile(r"\b(complaints_?\.add|" + "|".join(sorted(makers - NO_MAKERS)) + r")\s*([({])")
    for path, text in texts.items():
        constants = {name: value.strip() for name, value in CONSTANT.findall(text)}
        past = 0
        for match in call.finditer(text):
            if match.start() < past or DEFINITION.search(text, max(0, match.start() - 80), match.start()):
                continue
            past = call_end(text, match.end() - 1)
            found = list(dict.fromkeys(sentences(text[match.end() : past], constants)))
            if found:
                yield f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}", found


def pattern(sentence):
    """The sentence with anything where it is filled in."""
    parts = re.split(r"\{\{|\}\}|\{[^{}]*\}", sentence)
    return re.compile(".*?".join(re.escape(part) for part in parts))


def tried_lines():
    lines = []
    for path in sorted(HINTS.glob("*.hints")):
        lines += [line[9:].replace("\\n", "\n") for line in path.read_text().split("\n") if line.startswith("says ")]
    return lines


def untried():
    """sentence -> line number; a line `because REASON` stands above those it is about."""
    result, reason = {}, False
    for number, line in enumerate((HINTS / "untried.txt").read_text().split("\n"), 1):
        if line.startswith("because "):
            reason = True
        elif line.strip() and not line.startswith("#"):
            if not reason:
                sys.exit(f"tests/hints/untried.txt:{number}: no reason stands above it")
            result[line] = number
    return result


def main():
    lines, excused, findings, needed, used = tried_lines(), untried(), [], set(), set()
    for place, found in refusals():
        for sentence in found:
            said = [line for line in lines if pattern(sentence).search(line)]
            others = [pattern(other) for other in found if other != sentence]
            is_short = len(sentence.split()) < 5 and others
            is_tried = any(not is_short or any(other.search(line) for other in others) for line in said)
            shown = sentence.replace("\n", "\\n")
            if shown in excused:
                used.add(shown)
                if not is_tried:
                    needed.add(shown)
            elif not is_tried:
                findings.append(f"{place}: no hint was tried: {shown}")
    findings += [f"tests/hints/untried.txt:{excused[text]}: it is tried: {text}" for text in sorted(used - needed)]
    findings += [f"tests/hints/untried.txt:{number}: no source says it: {text}" for text, number in excused.items() if text not in used]
    print("\n".join(findings))
    if findings:
        sys.exit(f"{len(findings)} findings: try the refusal in tests/hints/*.hints, or say in tests/hints/untried.txt why it cannot be")


main()
