// Loci of a chromosome: what their alleles are, and how often recombination separates them.
#pragma once

#include "dsl/formats/network/pedigree_options.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

enum class LocusKind : uint8_t {
  Affection, ///< a person is affected or not, with a probability for each genotype
  Factors,   ///< a person shows the union of the factors of both alleles
  Numbered,  ///< both alleles of a person are seen
};

/// The index of a pair of alleles among unordered pairs: 1/1, 1/2, 2/2, 1/3, ...
constexpr size_t genotypeIndex(size_t a, size_t b) {
  const size_t low = a < b ? a : b, high = a < b ? b : a;
  return high * (high + 1) / 2 + low;
}

struct Locus {
  std::string name; ///< part of the names of its variables: "l2", "rs1"
  LocusKind kind = LocusKind::Numbered;
  std::vector<std::string> alleles; ///< their labels
  std::vector<double> frequencies;  ///< of the alleles, as the file has them
  /// Affection: for each liability class the probability that a person of each genotype is
  /// affected, by genotypeIndex.
  std::vector<std::vector<double>> penetrances = {};
  /// Affection, X-linked: for each liability class and allele the probability that a man is
  /// affected. The penetrances are those of women then.
  std::vector<std::vector<double>> malePenetrances = {};
  std::vector<uint64_t> factors = {}; ///< Factors: the bits of each allele, factor i is bit i
  size_t factorCount = 0;             ///< Factors: how many a person is tested for
  bool isXLinked = false; ///< a man has one allele, his mother's, and only daughters have it of him
};

/// The loci of a pedigree file, and their map.
struct LocusMap {
  std::vector<Locus> loci;   ///< in the order of the columns of the pedigree file
  std::vector<size_t> order; ///< indices of loci along the chromosome
  double start = 0;          ///< the place of the first locus of `order`, in centimorgans
  /// The recombination fractions of neighbours in `order`, for fathers, or for both parents.
  std::vector<double> fractions;
  std::vector<double> femaleFractions = {}; ///< for mothers; empty: those of fathers
  /// The distances of mothers over those of fathers, in the measure of Haldane. Not set: it is 1,
  /// or femaleFractions are given.
  std::optional<double> femaleRatio = {};
};

/// The recombination fraction of two loci that are `centimorgans` apart (Haldane 1919; Kosambi
/// 1944).
double recombinationFraction(double centimorgans, MapFunction function);
/// The inverse: the distance of two loci with this fraction, from 0 to 0.5; infinite for 0.5.
double mapDistance(double fraction, MapFunction function);

} // namespace mpf
