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

bool isHemizygous(const Locus &locus, const Person &person) {
  return locus.isXLinked && person.sex == Sex::Male;
}

bool mayHave(const Locus &locus, size_t index, const Person &person, size_t a, size_t b) {
  const Phenotype &seen = person.seen[index];
  if (!isHemizygous(locus, person))
    return mayShow(locus, seen, a, b);
  if (a != b)
    return false;
  if (locus.kind != LocusKind::Affection || !seen.isKnown)
    return mayShow(locus, seen, a, b);
  const double penetrance = locus.malePenetrances[seen.liability][a];
  return (seen.isAffected ? penetrance : 1 - penetrance) > 0;
}

} // namespace mpf
