"""Compares questions on the command line about drawn networks with models that include the network.

usage: compare.py MPFC FOLDER COUNT

Conditions, --observe and the evidence of the model must give the same bits."""
import json
import os
import random
import subprocess
import sys


def network(draw):
    """Draws names, labels and the text of a network in BIF. Some labels are numbers that are not in
    order."""
    count = draw.randint(2, 5)
    pools = [["no", "yes"], ["low", "mid", "high"], ["2", "1"], ["0", "1", "2"], ["a-b", "c d"]]
    labels = {f"v{i}": draw.choice(pools) for i in range(count)}
    quoted = {name: [f'"{label}"' if " " in label else label for label in own]
              for name, own in labels.items()}
    text = "network n { }\n"
    for name, own in quoted.items():
        text += f"variable {name} {{ type discrete [ {len(own)} ] {{ {', '.join(own)} }}; }}\n"
    names = list(labels)
    for i, name in enumerate(names):
        parents = draw.sample(names[:i], min(i, draw.randint(0, 2)))
        rows = [[]]
        for parent in parents:
            rows = [row + [label] for row in rows for label in quoted[parent]]
        text += f"probability ( {' | '.join([name] + [', '.join(parents)] * bool(parents))} ) {{\n"
        for row in rows:
            weights = [draw.randint(1, 9) for _ in labels[name]]
            values = ", ".join(repr(weight / sum(weights)) for weight in weights)
            text += f"  {'(' + ', '.join(row) + ')' if row else 'table'} {values};\n"
        text += "}\n"
    return labels, text


def tables(mpfc, *arguments):
    run = subprocess.run([mpfc, "run", *arguments, "--json", "-"], capture_output=True, text=True)
    assert run.returncode == 0, (arguments, run.stderr)
    return [(table["labels"], table["values"]) for table in json.loads(run.stdout)[0]["tables"]]


def main(mpfc, folder, count):
    bif, mpf = os.path.join(folder, "n.bif"), os.path.join(folder, "n.mpf")
    for seed in range(int(count)):
        draw = random.Random(seed)
        labels, text = network(draw)
        with open(bif, "w", encoding="utf-8") as file:
            file.write(text)
        asked, *seen = draw.sample(list(labels), draw.randint(2, len(labels)))
        given = ", ".join(f'{name} = "{draw.choice(labels[name])}"' for name in seen)
        with open(mpf, "w", encoding="utf-8") as file:
            file.write(f'include "n.bif" observe {given} query P({asked})')
        wanted = tables(mpfc, mpf)
        assert wanted == tables(mpfc, bif, "--query", f"P({asked} | {given})"), (seed, given)
        assert wanted == tables(mpfc, bif, "--observe", given, "--query", f"P({asked})"), (seed, given)
        other = ", ".join(f'{name} = "{labels[name][0]}"' for name in seen)
        assert wanted == tables(mpfc, mpf, "--unobserve", ", ".join(seen), "--query", f"P({asked} | {given})"), seed
        assert tables(mpfc, mpf, "--observe", other) == tables(
            mpfc, bif, "--query", f"P({asked} | {other})"), (seed, other)
    print(f"{count} networks agree")


main(*sys.argv[1:])
