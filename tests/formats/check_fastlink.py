"""Compares the likelihoods of simulated families with those of FASTLINK's mlink.

The families are read as they are, and as FASTLINK reads them, with loops broken. LN LIKE has six digits behind
the point. FASTLINK 4.1P scales by powers of 2, and forgets some of them in families with loops. Its number is
then a whole multiple of ln 2 too small, the same for all fractions. In those families alone the check takes
such a multiple off.

usage: check_fastlink.py MPFC WORKFOLDER TRIALS
"""
import math
import os
import re
import subprocess
import sys

import simulated_families as families

TOLERANCE = 2e-6  # of each family; its last digit is rounded


def fastlink(folder):
    """Returns the numbers LN LIKE of each family and in total, for each value of the first fraction."""
    for program in ("unknown", "mlink"):
        done = subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise SystemExit(f"{program}: {done.stdout[-500:]}{done.stderr[-500:]}")
    with open(os.path.join(folder, "outfile.dat"), encoding="utf-8") as file:
        text = file.read()
    found = {}
    for block in text.split("THETAS")[1:]:
        rows = re.findall(r"^ *(\d+|TOTALS) +(-\d+\.\d+) ", block, re.M)
        found[float(block.split()[0])] = [float(value) for _, value in rows]
    return found


def likelihoods(mpfc, path, loci, param, values, count):
    listed = ", ".join(map(repr, values))
    done = subprocess.run([mpfc, "run", path, "--loci", loci, "-q", "-D", f"{param} in [{listed}]"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    rows = [row.split(",") for row in done.stdout.splitlines()[1:]]
    return {float(row[0]): [math.log(float(cell)) for cell in row[1:1 + count]] + [float(row[-1])] for row in rows}


def shiftsOf(found, expected, drawn):
    """Returns the multiple of ln 2 of each family with loops, from one fraction, and of all together."""
    shifts = [round((a - b) / math.log(2)) if len(families.brokenLoops(people)) > len(people) else 0
              for a, b, people in zip(found, expected, drawn)]
    return [*shifts, sum(shifts)]


def main(mpfc, work, trials):
    worst, loops, shifted = 0.0, 0, 0
    for seed in range(int(trials)):
        folder = os.path.join(work, str(seed))
        os.makedirs(folder, exist_ok=True)
        drawn, loci, order, fractions = families.drawCase(seed, 3, (6, 14), 3 if seed % 3 else 2, False, seed % 5 == 4)
        fractions = [[0.05] + fractions[0][1:]] * 2
        for name, text in (("pedfile.dat", families.makeped(drawn, loci)), ("m.pre", families.pedigreeText(drawn, loci)),
                           ("m.pedfile", families.makeped(drawn, loci)),
                           ("datafile.dat", families.lociText(loci, order, fractions, isXLinked=seed % 5 == 4))):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        expected = fastlink(folder)
        thetas = sorted(expected)
        loops += sum(len(families.brokenLoops(people)) > len(people) for people in drawn)
        for name in ("m.pre", "m.pedfile"):
            found = likelihoods(mpfc, os.path.join(folder, name), os.path.join(folder, "datafile.dat"),
                                "theta" if len(loci) == 2 else "theta1", thetas, len(drawn))
            shifts = shiftsOf(found[thetas[0]], expected[thetas[0]], drawn)
            shifted += sum(shift != 0 for shift in shifts[:-1]) if name == "m.pre" else 0
            for theta, values in expected.items():
                distance = max(abs(a - b - shift * math.log(2))
                               for a, b, shift in zip(found[theta], values, shifts, strict=True))
                worst = max(worst, distance)
                if distance > TOLERANCE:
                    raise SystemExit(f"{folder}/{name}, fraction {theta}: {found[theta]}, not {values}")
    print(f"{3 * int(trials)} families have the likelihoods of FASTLINK, {loops} of them with loops; the worst is "
          f"{worst:.1e} off; FASTLINK lost powers of 2 in {shifted}")
    return int(trials) == 0 or loops == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
