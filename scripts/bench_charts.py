"""Bar charts on a logarithmic axis as SVG, readable on light and dark pages; used by bench-results.py."""

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

INK = "#808890"  # middle grey: visible on white and on black
COLOURS = ("#3b8ea5", "#d98032", "#7a9a3c", "#a0699c")
LEFT, RIGHT, TOP, BOTTOM, HEIGHT, GAP = 64, 74, 56, 60, 260, 8
GROUP = 36  # at least this wide, so that names stand apart


@dataclass
class Series:
    name: str
    values: dict  # query -> positive number; a missing query has no bar


@dataclass
class Mark:
    """A horizontal line with words, such as a target."""

    value: float
    name: str


def axis(values):
    """The logarithms of the round numbers (1, 2 or 5 times a power of ten) that enclose all values."""
    steps = [math.log10(digit) + power for power in range(-12, 13) for digit in (1, 2, 5)]
    low, high = math.log10(min(values)), math.log10(max(values))
    return max(s for s in steps if s <= low + 1e-9), min(s for s in steps if s > high + 1e-9)


def label(value):
    return f"{value:g}"


def text(x, y, words, anchor="middle", size=11, extra=""):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{INK}"'
        f"{extra}>{escape(words)}</text>"
    )


def line(x1, x2, y, dashed=False):
    dash = ' stroke-dasharray="5 4" stroke-width="1.5"' if dashed else ' stroke-width="1" stroke-opacity="0.35"'
    return f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{INK}"{dash}/>'


def bar_chart(title, queries, series, marks=()):
    """The chart's SVG text. Bars start at 1, so that a ratio below 1 hangs down."""
    values = [v for s in series for v in s.values.values()] + [m.value for m in marks] + [1.0]
    low, high = axis(values)
    bar = max(9, (GROUP - GAP) // max(1, len(series)))
    group = bar * len(series) + GAP
    right = LEFT + group * len(queries)
    width = right + RIGHT

    def y_of(value):
        return TOP + HEIGHT * (1 - (math.log10(value) - low) / (high - low))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + BOTTOM}" '
        f'width="{width}" font-family="sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        text(LEFT, 18, title, "start", 13),
    ]
    for power in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1):
        y = y_of(10.0**power)
        parts += [line(LEFT, right, y), text(LEFT - 6, y + 4, label(10.0**power), "end")]
    for i, query in enumerate(queries):
        x = LEFT + GAP / 2 + i * group
        for j, one in enumerate(series):
            if query not in one.values:
                continue
            y, base = y_of(one.values[query]), y_of(1.0)
            parts.append(
                f'<rect x="{x + j * bar:.1f}" y="{min(y, base):.1f}" width="{bar - 1}" '
                f'height="{max(abs(y - base), 1):.1f}" fill="{COLOURS[j % len(COLOURS)]}">'
                f"<title>{escape(f'{query}, {one.name}: {one.values[query]:.3g}')}</title></rect>"
            )
        middle, foot = x + bar * len(series) / 2, TOP + HEIGHT + 14
        parts.append(text(middle, foot, query, "end", 11, f' transform="rotate(-45 {middle:.1f} {foot:.1f})"'))
    for mark in marks:
        y = y_of(mark.value)
        parts += [line(LEFT, right, y, dashed=True), text(right + 4, y + 4, mark.name, "start")]
    x = LEFT
    for j, one in enumerate(series):
        parts.append(f'<rect x="{x}" y="30" width="10" height="10" fill="{COLOURS[j % len(COLOURS)]}"/>')
        parts.append(text(x + 14, 39, one.name, "start"))
        x += 26 + 7 * len(one.name)
    return "\n".join([*parts, "</svg>"]) + "\n"
