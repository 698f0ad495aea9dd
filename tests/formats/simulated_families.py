"""Draws families and what is seen of them, and writes them as files of LINKAGE.

A family has several generations, marriages between cousins (loops), second marriages, and people of whom
nothing is known. Loci are affection with liability classes, binary factors, and numbered alleles. All of a
family are autosomal or X-linked: then a man has one allele, which stands for both of a pair.
"""
import random

AFFECTION, FACTORS, NUMBERED = 1, 2, 3


class Locus:
    def __init__(self, kind, frequencies, penetrances=(), factors=()):
        self.kind, self.frequencies, self.penetrances, self.factors = kind, frequencies, penetrances, factors
        self.malePenetrances = ()  # X-linked: for each liability class those of the two alleles

    def penetrance(self, liability, a, b, isMan):
        if isMan and self.malePenetrances:
            return self.malePenetrances[liability][a]
        return self.penetrances[liability][(a == 1) + (b == 1)]

    def mayShow(self, seen, a, b, isMan=False):
        """Returns the probability that the alleles a and b (from 0) show this."""
        if seen is None:
            return 1.0
        if self.kind == AFFECTION:
            affected = self.penetrance(seen[1], a, b, isMan)
            return affected if seen[0] else 1 - affected
        if self.kind == FACTORS:
            return float(tuple(x | y for x, y in zip(self.factors[a], self.factors[b])) == seen)
        return float(tuple(sorted((a, b))) == seen)

    def columns(self, seen):
        if self.kind == AFFECTION:
            shown = [0, 1] if seen is None else [1 + seen[0], 1 + seen[1]]
            return shown if len(self.penetrances) > 1 else shown[:1]
        if self.kind == FACTORS:
            return [0] * len(self.factors[0]) if seen is None else list(seen)
        return [0, 0] if seen is None else [1 + seen[0], 1 + seen[1]]


class Person:
    def __init__(self, father=None, mother=None, sex=1):
        self.father, self.mother, self.sex = father, mother, sex
        self.seen = []  # of each locus: None where it is not known


def drawLoci(draw, count):
    loci = [Locus(AFFECTION, (0.85, 0.15), [(0.02, 0.8, 0.9), (0.1, 0.5, 0.95)][:draw.randint(1, 2)])]
    while len(loci) < count:
        if draw.random() < 0.25:
            loci.append(Locus(FACTORS, (0.5, 0.3, 0.2), factors=[(1, 0), (0, 1), (1, 1)]))
        else:
            loci.append(Locus(NUMBERED, draw.choice([(0.4, 0.6), (0.5, 0.3, 0.2), (0.4, 0.3, 0.2, 0.1)])))
    draw.shuffle(loci)
    return loci


def drawPeople(draw, count):
    """Returns the people of a connected family, parents before children."""
    people = [Person(sex=1), Person(sex=2)]
    couples = [(0, 1)]
    while len(people) < count:
        singles = [p for p in range(2, len(people)) if people[p].father is not None]
        if singles and len(people) + 2 <= count and draw.random() < 0.4:
            one = draw.choice(singles)  # marries, perhaps again, perhaps a relative
            others = [p for p in singles if people[p].sex != people[one].sex and
                      (people[p].father, people[p].mother) != (people[one].father, people[one].mother) and
                      p not in (people[one].father, people[one].mother) and
                      one not in (people[p].father, people[p].mother)]
            if others and draw.random() < 0.5:
                other = draw.choice(others)
            else:
                other = len(people)
                people.append(Person(sex=3 - people[one].sex))
            couples.append((one, other) if people[one].sex == 1 else (other, one))
            father, mother = couples[-1]
        else:
            father, mother = draw.choice(couples)
        people.append(Person(father, mother, draw.randint(1, 2)))
    return people


def drawSeen(draw, people, loci, order, fractions, isXLinked=False):
    """Draws alleles by descent, and hides some. `fractions[sex - 1]`: of neighbours in the order."""
    haplotypes = {}
    for p, person in enumerate(people):
        sides = []
        for parent in (person.father, person.mother):
            alleles, side = [0] * len(loci), draw.randint(0, 1)
            for place, l in enumerate(order):
                if parent is None:
                    alleles[l] = draw.choices(range(len(loci[l].frequencies)), loci[l].frequencies)[0]
                    continue
                if place and draw.random() < fractions[people[parent].sex - 1][place - 1]:
                    side = 1 - side
                alleles[l] = haplotypes[parent][side][l]
            sides.append(alleles)
        if isXLinked and person.sex == 1:
            sides[0] = sides[1]
        haplotypes[p] = sides
        isHidden = draw.random() < 0.3
        for l, locus in enumerate(loci):
            a, b = sides[0][l], sides[1][l]
            if isHidden or draw.random() < 0.1:
                person.seen.append(None)
            elif locus.kind == AFFECTION:
                liability = draw.randrange(len(locus.penetrances))
                affected = draw.random() < locus.penetrance(liability, a, b, person.sex == 1)
                person.seen.append((int(affected), liability))
            elif locus.kind == FACTORS:
                person.seen.append(tuple(x | y for x, y in zip(locus.factors[a], locus.factors[b])))
            else:
                person.seen.append(tuple(sorted((a, b))))


def lociText(loci, order, fractions, program="1 0.05 0.45", isXLinked=False):
    lines = [f"{len(loci)} 0 {int(isXLinked)} 5", "0 0.0 0.0 0", " ".join(str(l + 1) for l in order)]
    for locus in loci:
        lines += [f"{locus.kind} {len(locus.frequencies)} << a locus", " ".join(map(str, locus.frequencies))]
        if locus.kind == AFFECTION:
            lines.append(str(len(locus.penetrances)))
            for c, row in enumerate(locus.penetrances):
                lines += [" ".join(map(str, women)) for women in (row, *locus.malePenetrances[c:c + 1])]
        if locus.kind == FACTORS:
            lines += [str(len(locus.factors[0]))] + [" ".join(map(str, row)) for row in locus.factors]
    if len(loci) > 1:
        areEqual = fractions[0] == fractions[1]
        lines += ["0 0" if areEqual else "2 0"]
        lines += [" ".join(map(str, row)) for row in fractions[:1 if areEqual else 2]]
    return "\n".join(lines + [program]) + "\n"


def columnsOf(person, loci):
    return [column for locus, seen in zip(loci, person.seen) for column in locus.columns(seen)]


def pedigreeText(families, loci):
    """The file before makeped."""
    lines = []
    for f, people in enumerate(families):
        for p, person in enumerate(people):
            parents = [0 if parent is None else parent + 1 for parent in (person.father, person.mother)]
            lines.append([f + 1, p + 1, *parents, person.sex, *columnsOf(person, loci)])
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def brokenLoops(people):
    """Returns rows (father, mother, sex, proband, person) in which some people stand twice.

    A second row is a founder who takes the place of the person in one marriage.
    """
    rows = [[person.father, person.mother, person.sex, 0, p] for p, person in enumerate(people)]
    joined = {}

    def rootOf(node):
        while joined.get(node, node) != node:
            node = joined[node]
        return node

    probands = 2
    couples = sorted({(person.father, person.mother) for person in people if person.father is not None})
    for couple in couples:  # a couple is joined with its children, then with both parents if they are elsewhere
        for p, person in enumerate(people):
            if (person.father, person.mother) == couple:
                joined[rootOf(p)] = rootOf(couple)
    for couple in couples:
        for side in (0, 1):
            parent = couple[side]
            if rootOf(parent) != rootOf(couple):
                joined[rootOf(parent)] = rootOf(couple)
                continue
            if rows[parent][3] == 0:
                rows[parent][3] = probands
                probands += 1
            rows.append([None, None, people[parent].sex, rows[parent][3], parent])
            for row in rows[:len(people)]:
                if (people[row[4]].father, people[row[4]].mother) == couple:
                    row[side] = len(rows) - 1
    return rows


def makeped(families, loci):
    """The file after makeped: first child, next siblings, proband; loops are broken."""
    lines = []
    for f, people in enumerate(families):
        rows = brokenLoops(people)
        rows[[r for r, row in enumerate(rows) if row[3] == 0][0]][3] = 1

        def nextOf(r, side, after):
            later = [c for c, row in enumerate(rows) if row[side] == r and c > after]
            return later[0] + 1 if later else 0

        for r, (father, mother, sex, proband, p) in enumerate(rows):
            links = [nextOf(r, sex - 1, -1)] + [0 if parent is None else nextOf(parent, side, r)
                                                for side, parent in enumerate((father, mother))]
            parents = [0 if parent is None else parent + 1 for parent in (father, mother)]
            lines.append([f + 1, r + 1, *parents, *links, sex, proband, *columnsOf(people[p], loci), "Ped:", f + 1])
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def drawCase(seed, families, people, lociCount, sexesDiffer, isXLinked=False):
    """Returns the families, the loci, their order and the fractions of fathers and of mothers."""
    draw = random.Random(seed)
    loci = drawLoci(draw, lociCount)
    for locus in loci if isXLinked else ():
        locus.malePenetrances = [(row[0], draw.choice((0.6, 0.9))) for row in locus.penetrances]
    order = list(range(lociCount))
    draw.shuffle(order)
    fractions = [[draw.choice([0.02, 0.1, 0.2, 0.35]) for _ in order[1:]] for _ in range(2)]
    if not sexesDiffer:
        fractions[1] = fractions[0]
    drawn = []
    for _ in range(families):
        family = drawPeople(draw, draw.randint(*people))
        drawSeen(draw, family, loci, order, fractions, isXLinked)
        drawn.append(family)
    return drawn, loci, order, fractions
