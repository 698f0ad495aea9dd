// The loci of one family: alleles that are seen in no one of the family are one.
#pragma once

#include "dsl/formats/pedigree/pedigree.h"

namespace mpf {

/// Returns `locus`, which is loci[index], with fewer alleles. Numbered alleles that are seen in no
/// one of the family become one, "other", of their summed frequency. No phenotype tells them apart,
/// so each likelihood stays as it is (Kemeny and Snell 1960, section 6.3: exact lumping). The
/// phenotypes of the family count the alleles of the result.
Locus lumpAlleles(const Locus &locus, size_t index, Family &family);

} // namespace mpf
