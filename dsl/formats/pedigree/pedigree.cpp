#include "dsl/formats/pedigree/pedigree.h"

namespace mpf {

bool mayShow(const Locus &locus, const Phenotype &seen, size_t a, size_t b) {
  if (!seen.isKnown)
    return true;
  switch (locus.kind) {
  case LocusKind::Affection: {
    const double penetrance = locus.penetrances[seen.liability][genotypeIndex(a, b)];
    return (seen.isAffected ? penetrance : 1 - penetrance) > 0;
  }
  case LocusKind::Factors:
    return (locus.factors[a] | locus.factors[b]) == seen.factors;
  case LocusKind::Numbered:
    break;
  }
  return genotypeIndex(a, b) == genotypeIndex(seen.first, seen.second);
}

} // namespace mpf
