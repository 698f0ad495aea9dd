// The .dat file of LINKAGE: loci, their frequencies and penetrances, and recombination fractions.
#pragma once

#include "dsl/formats/pedigree/locus.h"
#include "dsl/formats/pedigree/word_reader.h"

namespace mpf {

/// Reads a file of loci as FASTLINK's mlink and linkmap do (Lathrop, Lalouel, Julier and Ott 1984;
/// the LINKAGE User's Guide). Words behind the numbers of a line are comments. The lines of the
/// program behind the recombination fractions are not read. Reports what mpf has no answer for:
/// quantitative traits, X-linked loci, mutation, linkage disequilibrium and interference.
std::optional<LocusMap> readLinkageLoci(WordReader &words);

} // namespace mpf
