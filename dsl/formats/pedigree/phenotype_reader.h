// Reads the columns of a pedigree file that belong to one locus.
#pragma once

#include "dsl/formats/pedigree/pedigree.h"
#include "dsl/formats/pedigree/word_reader.h"

#include <span>
#include <vector>

namespace mpf {

/// How many columns of a LINKAGE file belong to the locus.
size_t columnsOf(const Locus &locus);

/// Reads phenotypes. Functions return false after reporting. Not thread-safe; the map must outlive
/// the object.
class PhenotypeReader {
public:
  PhenotypeReader(WordReader &words, LocusMap &map);

  /// Makes room for loci that were added to the map.
  void addLoci() { alleles_.resize(map_.loci.size()); }
  /// Reads the columnsOf(locus) columns of a LINKAGE file.
  bool readColumns(const Locus &locus, std::span<const PlacedText> columns, Phenotype &seen);
  /// Reads two alleles that are texts. Those that the locus lacks are added to it, unless it has
  /// frequencies.
  bool readTexts(size_t locus, std::span<const PlacedText> columns, Phenotype &seen);
  /// Reads the phenotype of PLINK.
  bool readPlinkStatus(const PlacedText &column, Phenotype &seen);

private:
  bool readStatus(const Locus &locus, std::span<const PlacedText> columns, Phenotype &seen);
  bool readFactors(const Locus &locus, std::span<const PlacedText> columns, Phenotype &seen);
  bool readNumbers(const Locus &locus, std::span<const PlacedText> columns, Phenotype &seen);
  bool isTyped(std::span<const PlacedText> columns, bool &isKnown);

  WordReader &words_;
  LocusMap &map_;
  std::vector<TextMap<uint32_t>> alleles_; ///< of each locus, by their labels
};

} // namespace mpf
