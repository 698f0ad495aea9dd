"""Random networks in the UAI format, like the usual kinds of real networks. Equal arguments give equal
files.

usage: make_network.py KIND SIZE... [--seed N] [-o FILE]

    grid W H            Ising grid, binary, random couplings and fields
    bayes-grid W H      Bayesian grid, nine tenths of the rows deterministic
    csp N D EDGES       binary constraints over domains of D states, a third of the pairs forbidden
    cnf N CLAUSES K     K-clauses, weighted literals
    linkage P L         pedigree of P persons at L loci, founders first, some genotypes observed
    findings D F        D diseases, F findings, each an or of up to 8 of them in steps of two
    chain N             pairs in a row
    star N              one hub, N - 1 leaves
    clique N            all pairs
    random N EDGES      pairs drawn at random, binary
    queens N            colouring: squares of an N x N board that a queen's move joins differ
    mycielski K         colouring: Mycielski's graph, DIMACS mycielK
"""
import argparse
import inspect
import random
import sys


class Network:
    """A network: variables by number, and tables with the last variable of a scope fastest."""

    def __init__(self):
        self.extents = []
        self.tables = []

    def variable(self, extent=2):
        self.extents.append(extent)
        return len(self.extents) - 1

    def variables(self, count, extent=2):
        return [self.variable(extent) for _ in range(count)]

    def table(self, scope, values):
        self.tables.append((scope, values))

    def write(self, out):
        out.write(f"MARKOV\n{len(self.extents)}\n{' '.join(map(str, self.extents))}\n")
        out.write(f"{len(self.tables)}\n")
        for scope, _ in self.tables:
            out.write(f"{len(scope)} {' '.join(map(str, scope))}\n")
        for _, values in self.tables:
            out.write(f"\n{len(values)}\n{' '.join(f'{v:.6g}' for v in values)}\n")


def positive(draw, count):
    return [draw.uniform(0.05, 1) for _ in range(count)]


def latticePairs(width, height):
    for y in range(height):
        for x in range(width):
            if x + 1 < width:
                yield y * width + x, y * width + x + 1
            if y + 1 < height:
                yield y * width + x, (y + 1) * width + x


def grid(net, draw, width, height):
    for v in net.variables(width * height):
        net.table([v], positive(draw, 2))
    for pair in latticePairs(width, height):
        net.table(list(pair), positive(draw, 4))


def bayesGrid(net, draw, width, height):
    cells = net.variables(width * height)
    for y in range(height):
        for x in range(width):
            parents = ([cells[y * width + x - 1]] if x else []) + \
                      ([cells[(y - 1) * width + x]] if y else [])
            values = []
            for _ in range(2 ** len(parents)):
                p = float(draw.random() < 0.5) if draw.random() < 0.9 else draw.random()
                values += [p, 1 - p]
            net.table(parents + [cells[y * width + x]], values)


def distinctPairs(draw, count, wanted):
    pairs = set()
    wanted = min(wanted, count * (count - 1) // 2)
    while len(pairs) < wanted:
        a, b = draw.randrange(count), draw.randrange(count)
        if a != b:
            pairs.add((min(a, b), max(a, b)))
    return sorted(pairs)


def csp(net, draw, count, extent, edges):
    net.variables(count, extent)
    for pair in distinctPairs(draw, count, edges):
        values = [0 if draw.random() < 1 / 3 else 1 for _ in range(extent * extent)]
        net.table(list(pair), values)


def cnf(net, draw, count, clauses, size):
    for v in net.variables(count):
        p = draw.uniform(0.1, 0.9)
        net.table([v], [p, 1 - p])
    for _ in range(clauses):
        values = [1] * 2 ** size
        values[draw.randrange(2 ** size)] = 0
        net.table(sorted(draw.sample(range(count), size)), values)


def inherited(alleles):
    """Returns P(child's allele | selector, the parent's two alleles): a copy of the selected one."""
    return [1 if c == (a, b)[selector] else 0 for selector in range(2) for a in range(alleles)
            for b in range(alleles) for c in range(alleles)]


def linkage(net, draw, persons, loci):
    """A pedigree with two alleles per person and locus. A selector chooses which allele of a parent the
    child inherits. Selectors of neighbouring loci are equal (no recombination) with probability 0.9."""
    founders = max(2, persons // 3)
    extents = [draw.choice([2, 3, 4]) for _ in range(loci)]
    alleles = [[(net.variable(e), net.variable(e)) for e in extents] for _ in range(persons)]
    for person in range(persons):
        if person < founders:
            for locus, extent in enumerate(extents):
                for v in alleles[person][locus]:
                    net.table([v], positive(draw, extent))
        else:
            parents = draw.sample(range(max(0, person - 12), person), 2)
            for side, parent in enumerate(parents):
                before = None
                for locus, extent in enumerate(extents):
                    selector = net.variable()
                    if before is not None:
                        net.table([before, selector], [0.9, 0.1, 0.1, 0.9])
                    before = selector
                    own = alleles[person][locus][side]
                    net.table([selector, *alleles[parent][locus], own], inherited(extent))
        for locus, extent in enumerate(extents):
            if draw.random() < 0.6:
                low, high = draw.randrange(extent), draw.randrange(extent)
                net.table(list(alleles[person][locus]),
                          [1 if {a, b} == {low, high} else 0.01
                           for a in range(extent) for b in range(extent)])


def findings(net, draw, diseases, count):
    causes = net.variables(diseases)
    for v in causes:
        p = draw.uniform(0.01, 0.2)
        net.table([v], [1 - p, p])
    for _ in range(count):
        # Neighbouring diseases share findings more often than distant ones.
        centre = draw.randrange(diseases)
        near = {(centre + round(draw.gauss(0, diseases / 8))) % diseases
                for _ in range(draw.randint(2, 8))}
        before = None
        for cause in sorted(near):
            q = draw.uniform(0.05, 0.9)
            step = net.variable()
            if before is None:
                net.table([causes[cause], step], [1, 0, q, 1 - q])
            else:
                net.table([before, causes[cause], step], [1, 0, q, 1 - q, 0, 1, 0, 1])
            before = step
        net.table([before], [0, 1] if draw.random() < 0.7 else [1, 0])


def chain(net, draw, count):
    net.variables(count)
    for v in range(count - 1):
        net.table([v, v + 1], positive(draw, 4))


def star(net, draw, count):
    net.variables(count)
    for v in range(1, count):
        net.table([0, v], positive(draw, 4))


def clique(net, draw, count):
    net.variables(count)
    for a in range(count):
        for b in range(a):
            net.table([b, a], positive(draw, 4))


def randomPairs(net, draw, count, edges):
    net.variables(count)
    for pair in distinctPairs(draw, count, edges):
        net.table(list(pair), positive(draw, 4))


def colouring(net, pairs, colours=2):
    net.variables(1 + max(max(pair) for pair in pairs), colours)
    for pair in sorted(pairs):
        net.table(list(pair), [float(a != b) for a in range(colours) for b in range(colours)])


def queens(net, _, size):
    squares = [(r, c) for r in range(size) for c in range(size)]
    colouring(net, {(i, j) for j, (r, c) in enumerate(squares) for i, (q, d) in
                    enumerate(squares[:j]) if r == q or c == d or abs(r - q) == abs(c - d)})


def mycielski(net, _, k):
    """Starts with one edge. Each of k - 1 steps adds a copy of each vertex, joined to the vertex's
    neighbours, and a top vertex joined to all copies."""
    count, pairs = 2, {(0, 1)}
    for _ in range(k - 1):
        copies = {(a, count + b) for a, b in pairs} | {(b, count + a) for a, b in pairs}
        top = {(count + v, 2 * count) for v in range(count)}
        pairs, count = pairs | copies | top, 2 * count + 1
    colouring(net, pairs)


KINDS = {"grid": grid, "bayes-grid": bayesGrid, "csp": csp, "cnf": cnf, "linkage": linkage,
         "findings": findings, "queens": queens, "mycielski": mycielski, "chain": chain,
         "star": star, "clique": clique, "random": randomPairs}


def writeNetwork(path, kind, sizes, seed=0):
    """Writes a network; the entry point for other scripts."""
    net = Network()
    KINDS[kind](net, random.Random(f"{kind} {sizes} {seed}"), *sizes)
    if path is None:
        net.write(sys.stdout)
    else:
        with open(path, "w", encoding="ascii") as out:
            net.write(out)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("sizes", nargs="+", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", dest="path")
    args = parser.parse_args()
    wanted = len(inspect.signature(KINDS[args.kind]).parameters) - 2  # beside net and draw
    if len(args.sizes) != wanted:
        parser.error(f"{args.kind} takes {wanted} sizes")
    writeNetwork(args.path, args.kind, args.sizes, args.seed)


if __name__ == "__main__":
    main()
