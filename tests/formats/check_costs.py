"""Compares the optima of random cost networks with sums over all assignments, and with toulbar2 where it is installed.

The networks are written as toulbar2 reads them, as .wcsp and as .cfn: full, sparse and shared tables, scopes
without variables, forbidden values, least and greatest sums. The best assignment goes to toulbar2 as a file
(.sol), whose cost it gives.

usage: check_costs.py MPFC WORKFOLDER NETWORKS [SEED]
"""
import itertools
import math
import os
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction

TOLERANCE = 1e-9
FORBIDDEN = None


class Network:
    """Variables with extents, functions (scope, default, costs of tuples), a bound and a direction."""

    def __init__(self, rng, isWhole):
        self.isWhole, self.hasInf = isWhole, not isWhole and rng.random() < 0.3
        self.extents = [rng.randint(1, 4) for _ in range(rng.randint(1, 7))]
        self.digits = 0 if isWhole else rng.choice((0, 1, 2, 4))
        self.isGreatest = not isWhole and rng.random() < 0.4
        self.bound = Fraction(rng.choice((30, 100, 1000))) if isWhole else Fraction(-1000 if self.isGreatest else 1000)
        self.functions, self.shared = [], {}
        for _ in range(rng.randint(1, 9)):
            self.addFunction(rng, isWhole)

    def drawCost(self, rng, isWhole):
        if rng.random() < 0.06:
            return FORBIDDEN
        return Fraction(rng.randint(0 if isWhole else -50, 40), 1 if isWhole else 10 ** rng.randint(0, self.digits))

    def addFunction(self, rng, isWhole):
        scope = rng.sample(range(len(self.extents)), min(len(self.extents), rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))))
        extents = [self.extents[v] for v in scope]
        twins = [f for f, (other, _, _) in enumerate(self.functions)
                 if [self.extents[v] for v in other] == extents and len(other) in (2, 3)]  # others toulbar2 refuses
        if twins and rng.random() < 0.4:
            first = self.shared.get(twins[0], twins[0])
            self.shared[len(self.functions)] = first
            self.functions.append((scope, *self.functions[first][1:]))
            return
        cells = list(itertools.product(*map(range, extents)))
        if not scope:
            self.functions.append((scope, self.drawCost(rng, isWhole) or Fraction(0), {}))
        elif len(scope) > 3 or rng.random() < 0.5:  # toulbar2 1.1 and 1.4 err in full tables of four variables
            listed = [cell for cell in cells if rng.random() < 0.4][:len(cells) - 1]
            self.functions.append((scope, self.drawCost(rng, isWhole) or Fraction(0),
                                   {cell: self.drawCost(rng, isWhole) for cell in listed}))
        else:
            self.functions.append((scope, FORBIDDEN, {cell: self.drawCost(rng, isWhole) for cell in cells}))

    def sumOf(self, states):
        total = Fraction(0)
        for scope, default, costs in self.functions:
            cost = costs.get(tuple(states[v] for v in scope), default)
            if cost is FORBIDDEN:
                return FORBIDDEN
            total += cost
        isBeyond = total <= self.bound if self.isGreatest else total >= self.bound
        return FORBIDDEN if isBeyond else total

    def optimum(self):
        sums = [self.sumOf(states) for states in itertools.product(*map(range, self.extents))]
        sums = [one for one in sums if one is not FORBIDDEN]
        return FORBIDDEN if not sums else max(sums) if self.isGreatest else min(sums)

    def isOfToulbar2(self):
        """Whether toulbar2 reads what is meant. 1.1 does not know `inf`, and 1.1 and 1.4 leave out functions of a
        .cfn that share their costs."""
        return self.isWhole or not self.hasInf and not self.shared

    def isFull(self, f):
        scope, _, costs = self.functions[f]
        return bool(scope) and len(costs) == math.prod(self.extents[v] for v in scope)


def wcspText(network):
    lines = [f"random {len(network.extents)} {max(network.extents)} {len(network.functions)} {network.bound}",
             " ".join(map(str, network.extents))]
    isOrigin = set(network.shared.values())
    numbers = {f: place for place, f in enumerate(sorted(isOrigin))}  # shared tables are numbered from 1

    def costText(cost):
        return network.bound if cost is FORBIDDEN else cost

    for f, (scope, default, costs) in enumerate(network.functions):
        arity = -len(scope) if f in isOrigin else len(scope)
        if f in network.shared:
            lines.append(" ".join(map(str, (len(scope), *scope, 0, -1 - numbers[network.shared[f]]))))
            continue
        lines.append(" ".join(map(str, (arity, *scope, costText(default), len(costs)))))
        lines += [" ".join(map(str, (*cell, costText(cost)))) for cell, cost in costs.items()]
    return "\n".join(lines) + "\n"


def cfnText(network, rng):
    isQuoted = rng.random() < 0.5
    comma = ", " if isQuoted else " "

    def word(text):
        return f'"{text}"' if isQuoted else str(text)

    def costText(cost):
        if cost is FORBIDDEN:
            cost = 2 * network.bound
            if network.hasInf:
                return "inf"
        return f"{float(cost):.{network.digits}f}"

    labels = [[f"l{v}_{s}" for s in range(extent)] if rng.random() < 0.5 else [] for v, extent in enumerate(network.extents)]
    bound = f"{'>' if network.isGreatest else '<'}{float(network.bound):.{network.digits}f}"
    parts = []
    for v, extent in enumerate(network.extents):
        domain = "[" + comma.join(map(word, labels[v])) + "]" if labels[v] else extent
        parts.append(f"{word(f'v{v}')}: {domain}")
    variables, parts = comma.join(parts), []
    for f, (scope, default, costs) in enumerate(network.functions):
        names = comma.join(word(f"v{v}") if rng.random() < 0.7 else str(v) for v in scope)
        text = f"{word(f'f{f}')}: {{{word('scope')}: [{names}]{comma}"
        if f in network.shared:
            listed = word(f"f{network.shared[f]}")
        elif network.isFull(f) or not scope:
            listed = "[" + comma.join(map(costText, costs.values() if scope else [default])) + "]"
        else:
            text += f"{word('defaultcost')}: {costText(default)}{comma}"
            cells = [[word(labels[v][s]) if labels[v] and rng.random() < 0.7 else str(s) for v, s in zip(scope, cell)] +
                     [costText(cost)] for cell, cost in costs.items()]
            listed = "[" + comma.join(itertools.chain.from_iterable(cells)) + "]"
        parts.append(f"{text}{word('costs')}: {listed}}}")
    problem = f"{word('problem')}: {{{word('name')}: {word('random')}{comma}{word('mustbe')}: {word(bound)}}}"
    return ("{" + problem + comma + "\n" + f"{word('variables')}: {{{variables}}}{comma}\n{word('functions')}: {{" +
            f"{comma}\n".join(parts) + "}}\n")


def toulbar2(*arguments):
    """Returns the optimum that toulbar2 finds, or the cost of a solution file; None where there is none."""
    text = subprocess.run(["toulbar2", *arguments], capture_output=True, text=True, timeout=60).stdout
    found = re.findall(r"(?:Optimum|Input solution cost): ([-+0-9.e]+)", text)
    if not found and "No solution" not in text:
        raise SystemExit(f"toulbar2 {arguments}: {text[-500:]}")
    return float(found[-1]) if found else None


def faultOf(mpfc, path, network):
    done = subprocess.run([mpfc, "run", path], capture_output=True, text=True)
    cost = re.search(r"^cost: (\S+)", done.stdout, re.M)
    if done.returncode != 0 or not cost:
        return done.stderr or done.stdout
    found, wanted = float(cost[1]), network.optimum()
    if wanted is FORBIDDEN:
        isNone = found <= network.bound if network.isGreatest else found >= network.bound
        if not isNone:
            return f"{found}, but there is no solution"
    elif abs(found - wanted) > TOLERANCE * max(1, abs(wanted)):
        return f"{found} != {float(wanted)}"
    states = [int(re.sub(".*_", "", word.split("=")[1])) for word in done.stdout.split("assignment:")[1].split()]
    if wanted is not FORBIDDEN and network.sumOf(states) != wanted:
        return f"the assignment {states} costs {network.sumOf(states)}, not {wanted}"
    if not network.isOfToulbar2() or not shutil.which("toulbar2"):
        return None
    theirs = toulbar2(path)
    if (theirs is None) != (wanted is FORBIDDEN) or theirs is not None and abs(theirs - wanted) > TOLERANCE * max(1, abs(wanted)):
        return f"toulbar2 has {theirs}, enumeration {wanted}"
    if wanted is not FORBIDDEN:
        solution = os.path.splitext(path)[0] + ".sol"
        subprocess.run([mpfc, "run", path, "-o", solution], check=True, capture_output=True)
        theirs = toulbar2(path, f"-x={solution}")
        if theirs is None or abs(theirs - wanted) > TOLERANCE * max(1, abs(wanted)):
            return f"toulbar2 gives the solution file the cost {theirs}, not {wanted}"
    return None


def main(mpfc, work, networks, seed="51"):
    os.makedirs(work, exist_ok=True)
    rng = random.Random(int(seed))
    failures = unsolved = 0
    for number in range(int(networks)):
        isWhole = number % 2 == 0
        network = Network(rng, isWhole)
        path = os.path.join(work, f"{number}.{'wcsp' if isWhole else 'cfn'}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(wcspText(network) if isWhole else cfnText(network, rng))
        unsolved += network.optimum() is FORBIDDEN
        fault = faultOf(mpfc, path, network)
        if fault:
            failures += 1
            print(f"{path}: {fault}")
    print(f"{networks} networks, {unsolved} without a solution, {failures} failures")
    return failures != 0 or int(networks) == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
