"""The rule of the rooms, for lint-layers.py."""

from lint_citations import Finding

# A room inside a folder knows less than the folder: what of src/ it may include beside itself.
ROOMS = {"src/noise/sampling": (("base/", "mechanism/noise_law.hpp"), "laws and random words; it knows no plan, no rows and no answer")}


def rooms(tree):
    for source in tree.product:
        for room, (may, because) in ROOMS.items():
            for include in source.includes if source.within(room) and not source.is_test else ():
                if include.quoted and not include.name.startswith((room.removeprefix("src/") + "/", *may)):
                    yield Finding(source.path, include.line, f'{room} may not include "{include.name}": {because}')
