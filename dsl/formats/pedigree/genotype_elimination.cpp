#include "dsl/formats/pedigree/genotype_elimination.h"

#include "dsl/model/minimal_conflict.h"

#include <algorithm>
#include <array>
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
}

/// Removes the genotypes of a couple and their children that no choice for the others goes with.
/// Returns false if none is left.
bool GenotypeElimination::reduce(const Couple &couple, const AllelePairs &pairs,
                                 Genotypes &possible, bool &hasChanged, uint64_t &workLeft) const {
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
      const std::array<size_t, 4> offspring = {
          genotypeIndex(pairs[f][0], pairs[m][0]), genotypeIndex(pairs[f][0], pairs[m][1]),
          genotypeIndex(pairs[f][1], pairs[m][0]), genotypeIndex(pairs[f][1], pairs[m][1])};
      const auto canBe = [&](size_t child) {
        return std::ranges::any_of(offspring, [&](size_t g) { return possible[child][g]; });
      };
      if (!std::ranges::all_of(couple.children, canBe))
        continue;
      ofFather[f] = ofMother[m] = true;
      for (size_t c = 0; c < couple.children.size(); ++c)
        for (const size_t g : offspring)
          if (possible[couple.children[c]][g])
            ofChildren[c][g] = true;
    }
  hasChanged |= keep(possible[couple.father], ofFather);
  hasChanged |= keep(possible[couple.mother], ofMother);
  for (size_t c = 0; c < couple.children.size(); ++c)
    hasChanged |= keep(possible[couple.children[c]], ofChildren[c]);
  return std::ranges::count(ofFather, true) != 0;
}

/// Whether no contradiction is found in the phenotypes of these people.
bool GenotypeElimination::agree(const Locus &locus, size_t index, const std::vector<size_t> &people,
                                uint64_t &workLeft) const {
  const AllelePairs pairs = pairsOf(locus.alleles.size());
  workLeft -= std::min(workLeft, uint64_t{family_.people.size()} * pairs.size());
  if (workLeft == 0)
    return true;
  Genotypes possible(family_.people.size(), std::vector<bool>(pairs.size(), true));
  for (const size_t p : people)
    for (size_t g = 0; g < pairs.size(); ++g)
      possible[p][g] = mayShow(locus, family_.people[p].seen[index], pairs[g][0], pairs[g][1]);
  for (const size_t p : people)
    if (std::ranges::count(possible[p], true) == 0)
      return false;
  for (bool hasChanged = true; hasChanged && workLeft != 0;) {
    hasChanged = false;
    for (const Couple &couple : couples_)
      if (!reduce(couple, pairs, possible, hasChanged, workLeft))
        return false;
  }
  return true;
}

std::vector<size_t> GenotypeElimination::contradiction(const Locus &locus, size_t index,
                                                       uint64_t &workLeft) {
  std::vector<size_t> people;
  for (size_t p = 0; p < family_.people.size(); ++p)
    if (family_.people[p].seen[index].isKnown)
      people.push_back(p);
  if (agree(locus, index, people, workLeft))
    return {};
  const MinimalConflict conflict =
      minimalConflict(people.size(), [&](std::span<const size_t> items) -> std::optional<bool> {
        std::vector<size_t> some;
        for (const size_t item : items)
          some.push_back(people[item]);
        const bool areGood = agree(locus, index, some, workLeft);
        return workLeft == 0 ? std::nullopt : std::optional(areGood);
      });
  std::vector<size_t> found;
  for (const size_t item : conflict.items)
    found.push_back(people[item]);
  return found.empty() ? people : found;
}

} // namespace mpf
