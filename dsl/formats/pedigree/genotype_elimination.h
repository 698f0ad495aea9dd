// Finds people of a family whose phenotypes no inheritance explains.
#pragma once

#include "dsl/formats/pedigree/pedigree.h"

#include <array>
#include <vector>

namespace mpf {

/// The alleles of each unordered pair, by genotypeIndex.
using AllelePairs = std::vector<std::array<size_t, 2>>;

/// Removes genotypes of one locus that parents and children rule out (Lange and Goradia 1987). What
/// it finds impossible is impossible; in families with loops it may miss some. Not thread-safe; the
/// family must outlive the object.
class GenotypeElimination {
public:
  explicit GenotypeElimination(const Family &family);

  /// Returns people whose phenotypes at `locus`, the one at `index` of their list, contradict each
  /// other, although they agree without any one of them (Junker 2004). Empty: no contradiction was
  /// found. Looks at few pairs of genotypes beyond `workLeft`, which it counts down, and finds
  /// nothing without it.
  std::vector<size_t> contradiction(const Locus &locus, size_t index, uint64_t &workLeft);

private:
  struct Couple {
    size_t father = 0, mother = 0;
    std::vector<size_t> children;
  };
  using Genotypes = std::vector<std::vector<bool>>; ///< of each person, those that are possible

  bool agree(const Locus &locus, size_t index, const std::vector<size_t> &people,
             uint64_t &workLeft) const;
  /// Adds the people whose genotypes became fewer to `changed`.
  bool reduce(const Couple &couple, const Locus &locus, const AllelePairs &pairs,
              Genotypes &possible, std::vector<size_t> &changed, uint64_t &workLeft) const;

  const Family &family_;
  std::vector<Couple> couples_;
  std::vector<std::vector<size_t>> couplesOf_; ///< of each person, as a parent and as a child
};

} // namespace mpf
