// The .map and .frq files of PLINK: markers, their places and frequencies.
#pragma once

#include "dsl/formats/network/pedigree_options.h"
#include "dsl/formats/pedigree/pedigree_reader.h"

namespace mpf {

/// Reads a .map file of 3 or 4 columns: chromosome, marker, centimorgans (of 4), base pairs.
/// Markers with negative base pairs are skipped (PLINK 1.9, "file formats"). Appends the other ones
/// to `map`, and what the columns of the .ped file are to `columns`. Markers of different
/// chromosomes are unlinked. Reports sex chromosomes, names listed twice, and several markers of a
/// chromosome all at 0 cM.
bool readPlinkMap(WordReader &words, MapFunction function, LocusMap &map, PedigreeColumns &columns);

/// Reads the alleles and frequencies of markers of `map` (CHR SNP A1 A2 MAF NCHROBS); other markers
/// are skipped.
bool readPlinkFrequencies(WordReader &words, LocusMap &map);

/// Gives the loci without frequencies those of the founders' alleles, or of everybody's if the
/// founders lack an allele; says so. `words` is the pedigree file.
void countFrequencies(WordReader &words, const std::vector<Family> &families, LocusMap &map);

} // namespace mpf
