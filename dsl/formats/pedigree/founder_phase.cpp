#include "dsl/formats/pedigree/founder_phase.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

/// A child, and a place on the chromosome where its allele of a founder has a known source.
struct Choice {
  size_t child = 0, place = 0;
  size_t left = 1, all = 1; ///< ordered pairs of the founder with the choice and without it
  size_t offset = 0;        ///< twice the distance of the place from the middle

  bool isBetterThan(const Choice &other) const {
    const size_t here = left * other.all, there = other.left * all;
    return here != there ? here < there : offset < other.offset;
  }
};

/// A child and its parents at one locus.
struct Trio {
  const std::vector<bool> &founder, &spouse, &child; ///< their genotypes that are left
  size_t alleles = 0;
  bool isSon = false; ///< at an X-linked locus: it has the founder's allele alone

  /// Whether the child may get `allele` from the founder.
  bool mayGet(size_t allele) const {
    for (size_t other = 0; other < alleles; ++other)
      if (child[genotypeIndex(allele, isSon ? allele : other)] && (isSon || spouseMayGive(other)))
        return true;
    return false;
  }

private:
  bool spouseMayGive(size_t allele) const {
    for (size_t other = 0; other < alleles; ++other)
      if (spouse[genotypeIndex(allele, other)])
        return true;
    return false;
  }
};

/// Counts the ordered pairs of a founder, and those whose first allele the child may get.
void countPairs(const Trio &trio, Choice &choice) {
  choice.left = choice.all = 0;
  for (size_t first = 0; first < trio.alleles; ++first) {
    size_t pairs = 0;
    for (size_t second = 0; second < trio.alleles; ++second)
      pairs += trio.founder[genotypeIndex(first, second)] ? 1 : 0;
    choice.all += pairs;
    if (pairs != 0 && trio.mayGet(first))
      choice.left += pairs;
  }
}

} // namespace

FixedSources fixFounders(const Family &family, std::span<const Locus> loci,
                         std::span<const size_t> order, std::span<const Genotypes> possible) {
  std::vector<std::optional<Choice>> best(family.people.size());
  for (size_t c = 0; c < family.people.size(); ++c) {
    const Person &child = family.people[c];
    if (child.isFounder())
      continue;
    for (const auto &[parent, spouse] :
         {std::pair(child.father, child.mother), std::pair(child.mother, child.father)}) {
      if (!family.people[parent].isFounder())
        continue;
      for (size_t place = 0; place < order.size(); ++place) {
        const size_t l = order[place];
        if (isHemizygous(loci[l], family.people[parent]))
          continue;
        Choice choice{.child = c, .place = place};
        const size_t twice = 2 * place, last = order.size() - 1;
        choice.offset = std::max(twice, last) - std::min(twice, last);
        if (!possible[l].empty())
          countPairs({.founder = possible[l][parent],
                      .spouse = possible[l][spouse],
                      .child = possible[l][c],
                      .alleles = loci[l].alleles.size(),
                      .isSon = isHemizygous(loci[l], child)},
                     choice);
        if (!best[parent] || choice.isBetterThan(*best[parent]))
          best[parent] = choice;
      }
    }
  }
  FixedSources fixed(family.people.size(), {kNotFixed, kNotFixed});
  for (size_t p = 0; p < best.size(); ++p)
    if (best[p])
      fixed[best[p]->child][family.people[best[p]->child].father == p ? 0 : 1] = best[p]->place;
  return fixed;
}

} // namespace mpf
