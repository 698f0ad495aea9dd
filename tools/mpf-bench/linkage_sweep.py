#!/usr/bin/env python3
"""Writes a linkage network whose recombination fractions depend on one swept param.

    linkage_sweep.py NETWORK.uai OUT.mpf [--values 64] [--mpfc build/tools/mpfc/mpfc]

Tables [[1 - r, r], [r, 1 - r]] over two variables of two states describe recombination between neighbouring
loci. They become [[1 - scale * r, scale * r], ...], with `param scale in linspace(0.5, 1.5, VALUES)`. OUT.mpf
includes the evidence file beside the network. Prints the number of tables that were found.
"""
import argparse
import re

from programs import outputOf, requireMpfc

ROW = r"\[([0-9.e-]+), ([0-9.e-]+)\]"
TABLE = re.compile(rf"\[{ROW}, {ROW}\]$")


def scaled(match):
    kept, moved, back, stayed = map(float, match.groups())
    if kept != stayed or moved != back or abs(kept + moved - 1) > 1e-6 or not 0 < moved <= 0.5:
        return match.group(0)
    return f"[[1 - scale * {moved}, scale * {moved}], [scale * {moved}, 1 - scale * {moved}]]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("out")
    parser.add_argument("--values", type=int, default=64)
    parser.add_argument("--mpfc", default="mpfc")
    arguments = parser.parse_args()
    text = outputOf([requireMpfc(arguments.mpfc), "import", arguments.network, "-o", "-"])
    lines, found = [], 0
    for line in text.splitlines():
        changed = TABLE.sub(scaled, line)
        found += changed != line
        lines.append(changed)
    head = lines.index(next(line for line in lines if not line.startswith("model ")))
    lines.insert(head, f"param scale in linspace(0.5, 1.5, {arguments.values})")
    with open(arguments.out, "w") as file:
        file.write("\n".join(line for line in lines if not line.startswith("query")) + "\nquery evidence\n")
    print(f"{arguments.out}: {found} recombination tables")


main()
