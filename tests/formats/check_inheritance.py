"""Compares the likelihoods of simulated families with sums over all inheritance vectors.

An inheritance vector says of each allele of each child whether it is the parent's paternal or maternal one.
The likelihood of what is seen at one locus, given the vector, is a sum over the alleles of founders. Along the
chromosome the vectors are a Markov chain, in which each bit changes with the recombination fraction.

usage: check_inheritance.py MPFC WORKFOLDER TRIALS MOST-PEOPLE MOST-LOCI
"""
import json
import math
import os
import subprocess
import sys

import simulated_families as families

TOLERANCE = 1e-9  # in log10


def meiosesOf(people, isXLinked):
    """Returns the meioses that choose one of two alleles: (child, 0 for the father's or 1 for the mother's)."""
    return [(p, side) for p, person in enumerate(people) if person.father is not None
            for side in ((1,) if isXLinked else (0, 1))]


def originsOf(people, vector, isXLinked):
    """Returns the founder alleles that each person has; bit m of the vector is of meiosis m."""
    origins, founders = [], 0
    chosen = {meiosis: vector >> m & 1 for m, meiosis in enumerate(meiosesOf(people, isXLinked))}
    for p, person in enumerate(people):
        if person.father is None:
            pair = (founders, founders + 1)
            founders += 2
        else:
            pair = (origins[person.father][chosen.get((p, 0), 0)], origins[person.mother][chosen[p, 1]])
        origins.append((pair[1], pair[1]) if isXLinked and person.sex == 1 else pair)
    return origins


def likelihoodOf(locus, wanted):
    """Sums over the alleles of founders: `wanted` has pairs of founder alleles, and what they show."""
    alleles = {}

    def sumFrom(place):
        if place == len(wanted):
            return 1.0
        (a, b), seen, isMan = wanted[place]

        def given(free):
            if not free:
                shown = locus.mayShow(seen, alleles[a], alleles[b], isMan)
                return shown * sumFrom(place + 1) if shown else 0.0
            total = 0.0
            for allele, frequency in enumerate(locus.frequencies):
                alleles[free[0]] = allele
                total += frequency * given(free[1:])
            del alleles[free[0]]
            return total

        return given([slot for slot in dict.fromkeys((a, b)) if slot not in alleles])

    return sumFrom(0)


def likelihoodsOf(people, locus, index, bits, isXLinked):
    """Returns the likelihood of what is seen at one locus for each inheritance vector."""
    known, values = {}, []
    for vector in range(1 << bits):
        origins = originsOf(people, vector, isXLinked)
        wanted = tuple((tuple(sorted(origins[p])), person.seen[index], person.sex == 1)
                       for p, person in enumerate(people) if person.seen[index] is not None)
        if wanted not in known:
            known[wanted] = likelihoodOf(locus, wanted)
        values.append(known[wanted])
    return values


def log10Likelihood(people, loci, order, fractions, isXLinked):
    meioses = meiosesOf(people, isXLinked)
    bits = len(meioses)
    chain, scale = [1.0 / (1 << bits)] * (1 << bits), 0.0
    for place, l in enumerate(order):
        for bit in range(bits) if place else ():
            theta = fractions[meioses[bit][1]][place - 1]
            chain = [(1 - theta) * chain[v] + theta * chain[v ^ 1 << bit] for v in range(1 << bits)]
        chain = [a * b for a, b in zip(chain, likelihoodsOf(people, loci[l], l, bits, isXLinked))]
        most = max(chain)
        scale += math.log10(most)
        chain = [value / most for value in chain]
    return scale + math.log10(math.fsum(chain))


def main(mpfc, work, trials, mostPeople, mostLoci):
    os.makedirs(work, exist_ok=True)
    worst = 0.0
    for seed in range(int(trials)):
        lociCount = 2 + seed % (int(mostLoci) - 1)
        isXLinked = seed % 4 == 3
        drawn, loci, order, fractions = families.drawCase(seed, 1, (3, int(mostPeople)), lociCount, seed % 2 == 1, isXLinked)
        pedigree, dat = os.path.join(work, f"{seed}.pre"), os.path.join(work, f"{seed}.dat")
        for path, text in ((pedigree, families.pedigreeText(drawn, loci)),
                           (dat, families.lociText(loci, order, fractions, isXLinked=isXLinked))):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([mpfc, "run", pedigree, "--loci", dat, "-q", "--format", "json"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{pedigree}: {done.stderr}")
        found, expected = json.loads(done.stdout)[0]["log10"], log10Likelihood(drawn[0], loci, order, fractions, isXLinked)
        worst = max(worst, abs(found - expected))
        if not abs(found - expected) <= TOLERANCE:
            raise SystemExit(f"{pedigree}: log10 {found}, not {expected}")
    print(f"{trials} families have the sums over inheritance vectors; the worst log10 is {worst:.1e} off")
    return int(trials) == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
