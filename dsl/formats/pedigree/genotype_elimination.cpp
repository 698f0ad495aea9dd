#include "dsl/formats/pedigree/genotype_elimination.h"

#include "dsl/model/minimal_conflict.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>

namespace mpf {

namespace {

/// The alleles of each unordered pair, by genotypeIndex.
AllelePairs pairsOf(size_t alleles) {
  AllelePairs pairs;
  for (size_t high = 0; high < alleles; ++high)
    for (size_t low = 0; low <= high; ++low)
      pairs.push_back({low, high});
  return pairs;
}

/// The genotypes that a child may have, some twice.
using Offspring = std::array<size_t, 4>;

Offspring offspringOf(const std::array<size_t, 2> &father, const std::array<size_t, 2> &mother) {
  return {genotypeIndex(father[0], mother[0]), genotypeIndex(father[0], mother[1]),
          genotypeIndex(father[1], mother[0]), genotypeIndex(father[1], mother[1])};
}

/// Those of sons at an X-linked locus: an allele of the mother stands for both of a pair.
Offspring sonsOf(const std::array<size_t, 2> &mother) {
  const size_t first = genotypeIndex(mother[0], mother[0]),
               second = genotypeIndex(mother[1], mother[1]);
  return {first, second, first, second};
}

std::vector<size_t> placesOf(const std::vector<bool> &possible) {
  std::vector<size_t> places;
  for (size_t g = 0; g < possible.size(); ++g)
    if (possible[g])
      places.push_back(g);
  return places;
}

/// Keeps those of `possible` that were found; returns whether any went.
bool keep(std::vector<bool> &possible, const std::vector<bool> &found) {
  if (possible == found)
    return false;
  possible = found;
  return true;
}

} // namespace

GenotypeElimination::GenotypeElimination(const Family &family) : family_(family) {
  std::map<std::pair<size_t, size_t>, size_t> places;
  for (size_t p = 0; p < family.people.size(); ++p) {
    const Person &child = family.people[p];
    if (child.isFounder())
      continue;
    const auto [place, isNew] = places.try_emplace({child.father, child.mother}, couples_.size());
    if (isNew)
      couples_.push_back({child.father, child.mother, {}});
    couples_[place->second].children.push_back(p);
  }
  couplesOf_.resize(family.people.size());
  for (size_t c = 0; c < couples_.size(); ++c) {
    couplesOf_[couples_[c].father].push_back(c);
    couplesOf_[couples_[c].mother].push_back(c);
    for (const size_t child : couples_[c].children)
      couplesOf_[child].push_back(c);
  }
}

/// Removes the genotypes of a couple and their children that no choice for the others goes with.
/// Returns false if none is left.
bool GenotypeElimination::reduce(const Couple &couple, const Locus &locus, const AllelePairs &pairs,
                                 Genotypes &possible, std::vector<size_t> &changed,
                                 uint64_t &workLeft) const {
  const std::vector<size_t> fathers = placesOf(possible[couple.father]),
                            mothers = placesOf(possible[couple.mother]);
  std::vector<bool> ofFather(pairs.size(), false), ofMother(pairs.size(), false);
  std::vector<std::vector<bool>> ofChildren(couple.children.size(), ofFather);
  const uint64_t members = couple.children.size() + 2;
  const uint64_t work = members * (pairs.size() + uint64_t{fathers.size()} * mothers.size());
  workLeft -= std::min(work, workLeft);
  if (workLeft == 0)
    return true;
  for (const size_t f : fathers)
    for (const size_t m : mothers) {
      const Offspring daughter = offspringOf(pairs[f], pairs[m]),
                      son = locus.isXLinked ? sonsOf(pairs[m]) : daughter;
      const auto offspring = [&](size_t child) -> const Offspring & {
        return isHemizygous(locus, family_.people[child]) ? son : daughter;
      };
      const auto canBe = [&](size_t child) {
        return std::ranges::any_of(offspring(child), [&](size_t g) { return possible[child][g]; });
      };
      if (!std::ranges::all_of(couple.children, canBe))
        continue;
      ofFather[f] = ofMother[m] = true;
      for (size_t c = 0; c < couple.children.size(); ++c)
        for (const size_t g : offspring(couple.children[c]))
          if (possible[couple.children[c]][g])
            ofChildren[c][g] = true;
    }
  const auto keepOf = [&](size_t person, const std::vector<bool> &found) {
    if (keep(possible[person], found))
      changed.push_back(person);
  };
  keepOf(couple.father, ofFather);
  keepOf(couple.mother, ofMother);
  for (size_t c = 0; c < couple.children.size(); ++c)
    keepOf(couple.children[c], ofChildren[c]);
  return std::ranges::count(ofFather, true) != 0;
}

/// Returns the genotypes that the phenotypes of these people leave, or nothing if they contradict
/// each other.
std::optional<Genotypes> GenotypeElimination::eliminate(const Locus &locus, size_t index,
                                                        const std::vector<size_t> &people,
                                                        uint64_t &workLeft) const {
  const AllelePairs pairs = pairsOf(locus.alleles.size());
  Genotypes possible(family_.people.size(), std::vector<bool>(pairs.size(), true));
  workLeft -= std::min(workLeft, uint64_t{family_.people.size()} * pairs.size());
  if (workLeft == 0)
    return possible;
  std::vector<bool> isNamed(family_.people.size(), false);
  for (const size_t p : people)
    isNamed[p] = true;
  for (size_t p = 0; p < family_.people.size(); ++p) {
    if (!isNamed[p] && !isHemizygous(locus, family_.people[p]))
      continue;
    for (size_t g = 0; g < pairs.size(); ++g)
      possible[p][g] = isNamed[p]
                           ? mayHave(locus, index, family_.people[p], pairs[g][0], pairs[g][1])
                           : pairs[g][0] == pairs[g][1];
    if (std::ranges::count(possible[p], true) == 0)
      return std::nullopt;
  }
  // Couples with a person whose genotypes have become fewer are looked at again.
  std::deque<size_t> waiting(couples_.size());
  std::iota(waiting.begin(), waiting.end(), size_t{0});
  std::vector<bool> isWaiting(couples_.size(), true);
  std::vector<size_t> changed;
  while (!waiting.empty() && workLeft != 0) {
    const size_t couple = waiting.front();
    waiting.pop_front();
    isWaiting[couple] = false;
    changed.clear();
    if (!reduce(couples_[couple], locus, pairs, possible, changed, workLeft))
      return std::nullopt;
    for (const size_t person : changed)
      for (const size_t other : couplesOf_[person])
        if (other != couple && !isWaiting[other]) {
          waiting.push_back(other);
          isWaiting[other] = true;
        }
  }
  return possible;
}

std::vector<size_t> GenotypeElimination::peopleSeen(size_t index) const {
  std::vector<size_t> people;
  for (size_t p = 0; p < family_.people.size(); ++p)
    if (family_.people[p].seen[index].isKnown)
      people.push_back(p);
  return people;
}

std::optional<Genotypes> GenotypeElimination::possible(const Locus &locus, size_t index,
                                                       uint64_t &workLeft) const {
  return eliminate(locus, index, peopleSeen(index), workLeft);
}

std::vector<size_t> GenotypeElimination::contradiction(const Locus &locus, size_t index,
                                                       uint64_t &workLeft) const {
  const std::vector<size_t> people = peopleSeen(index);
  const MinimalConflict conflict =
      minimalConflict(people.size(), [&](std::span<const size_t> items) -> std::optional<bool> {
        std::vector<size_t> some;
        for (const size_t item : items)
          some.push_back(people[item]);
        const bool areGood = eliminate(locus, index, some, workLeft).has_value();
        return workLeft == 0 ? std::nullopt : std::optional(areGood);
      });
  std::vector<size_t> found;
  for (const size_t item : conflict.items)
    found.push_back(people[item]);
  return found.empty() ? people : found;
}

} // namespace mpf
