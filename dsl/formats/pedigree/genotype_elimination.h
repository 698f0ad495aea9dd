// Finds people of a family whose phenotypes no inheritance explains.
#pragma once

#include "dsl/formats/pedigree/pedigree.h"

#include <array>
#include <optional>
#include <vector>

namespace mpf {

/// The alleles of each unordered pair, by genotypeIndex.
using AllelePairs = std::vector<std::array<size_t, 2>>;
/// The genotypes that each person may have, by genotypeIndex.
using Genotypes = std::vector<std::vector<bool>>;

/// Removes genotypes of one locus that parents and children rule out (Lange and Goradia 1987). What
/// it finds impossible is impossible; in families with loops it may miss some. Not thread-safe; the
/// family must outlive the object.
class GenotypeElimination {
public:
  explicit GenotypeElimination(const Family &family);

  /// Returns the genotypes at `locus`, the one at `index` of the phenotypes' list, that are left,
  /// or nothing if a contradiction was found. Looks at few pairs of genotypes beyond `workLeft`,
  /// which it counts down; without it more are left.
  std::optional<Genotypes> possible(const Locus &locus, size_t index, uint64_t &workLeft) const;
  /// Returns people whose phenotypes contradict each other, although they agree without any one of
  /// them (Junker 2004). Call it where nothing is possible. Without work all that were seen.
  std::vector<size_t> contradiction(const Locus &locus, size_t index, uint64_t &workLeft) const;

private:
  struct Couple {
    size_t father = 0, mother = 0;
    std::vector<size_t> children;
  };

  std::vector<size_t> peopleSeen(size_t index) const;
  std::optional<Genotypes> eliminate(const Locus &locus, size_t index,
                                     const std::vector<size_t> &people, uint64_t &workLeft) const;
  /// Adds the people whose genotypes became fewer to `changed`.
  bool reduce(const Couple &couple, const Locus &locus, const AllelePairs &pairs,
              Genotypes &possible, std::vector<size_t> &changed, uint64_t &workLeft) const;

  const Family &family_;
  std::vector<Couple> couples_;
  std::vector<std::vector<size_t>> couplesOf_; ///< of each person, as a parent and as a child
};

} // namespace mpf
