// Pedigree files: a line for each person, of LINKAGE before and after makeped, and of PLINK.
#pragma once

#include "dsl/formats/pedigree/pedigree.h"
#include "dsl/formats/pedigree/word_reader.h"

namespace mpf {

/// How the columns behind the sex are read.
enum class PedigreeDialect : uint8_t {
  Linkage,  ///< a column or more for each locus of the map; alleles are numbers
  Plink,    ///< a phenotype, then two alleles for each marker; alleles are texts
  Unlisted, ///< no map is given: two alleles for each marker, which are numbers
};

struct PedigreeColumns {
  PedigreeDialect dialect = PedigreeDialect::Linkage;
  /// Plink: the place in LocusMap::loci of each marker of the file; nothing: it is skipped.
  std::vector<std::optional<size_t>> markers = {};
  /// Plink: the place of the locus whose status the phenotype is. Nothing: it is not read.
  std::optional<size_t> trait = {};
};

/// Reads all families. `map` gets the alleles that are texts, and for Unlisted its loci. Lines of
/// LINKAGE after makeped are known by their columns; records with one proband number of 2 or more
/// are one person of a loop, which needs no breaking here. Returns nothing after reporting wrong
/// words, people listed twice, unknown parents, one parent alone, parents of the wrong sex, and a
/// person who descends from himself.
std::optional<std::vector<Family>> readPedigree(WordReader &words, const PedigreeColumns &columns,
                                                LocusMap &map);

} // namespace mpf
