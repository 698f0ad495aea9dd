// The .dat file of LINKAGE: loci, their frequencies and penetrances, and recombination fractions.
#pragma once

#include "dsl/formats/pedigree/locus.h"
#include "dsl/formats/pedigree/word_reader.h"

namespace mpf {

/// Reads a file of loci as FASTLINK's mlink and linkmap do (Lathrop, Lalouel, Julier and Ott 1984;
/// the LINKAGE User's Guide). Words behind the numbers of a line are comments. The lines of the
/// program behind the recombination fractions are not read. Reports what mpf has no answer for:
/// quantitative traits, mutation, linkage disequilibrium and interference. `normalises` divides
/// frequencies by their sum, with a note; else a warning says that it is not 1.
std::optional<LocusMap> readLinkageLoci(WordReader &words, bool normalises);

/// Whether the text begins as a file of loci: their number, mutation, and their order.
bool startsAsLinkageLoci(std::shared_ptr<const SourceBuffer> text);

} // namespace mpf
