// How pedigree files are read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace mpf {

/// How distances in centimorgans become recombination fractions.
enum class MapFunction : uint8_t { Haldane, Kosambi };

/// A trait locus of two alleles, for files of PLINK, which have no penetrances.
struct TraitModel {
  double frequency = 0;                ///< of the allele of the trait
  std::array<double, 3> penetrances{}; ///< of people with 0, 1 and 2 of these alleles
  friend bool operator==(const TraitModel &, const TraitModel &) = default;
};

struct PedigreeOptions {
  std::string loci = {};        ///< the .dat file of LINKAGE or the .map file of PLINK; empty: none
  std::string frequencies = {}; ///< the .frq file of PLINK; empty: none
  std::optional<TraitModel> trait = {};        ///< PLINK: the locus behind the phenotype
  std::optional<MapFunction> mapFunction = {}; ///< not set: Haldane
  std::optional<double> position = {}; ///< puts the trait there on the map of the markers, in cM
};

/// The names of these options on the command line.
inline constexpr std::string_view kLociOption = "--loci", kFrequenciesOption = "--frequencies",
                                  kTraitOption = "--trait", kMapFunctionOption = "--map-function",
                                  kPositionOption = "--position";

} // namespace mpf
