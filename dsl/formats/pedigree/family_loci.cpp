#include "dsl/formats/pedigree/family_loci.h"

#include <algorithm>

namespace mpf {

Locus lumpAlleles(const Locus &locus, size_t index, Family &family) {
  if (locus.kind != LocusKind::Numbered)
    return locus;
  std::vector<bool> isSeen(locus.alleles.size(), false);
  for (const Person &person : family.people)
    if (const Phenotype &seen = person.seen[index]; seen.isKnown)
      isSeen[seen.first] = isSeen[seen.second] = true;
  Locus lumped{.name = locus.name, .alleles = {}, .frequencies = {}, .isXLinked = locus.isXLinked};
  std::vector<uint32_t> places(locus.alleles.size(), 0);
  double others = 0;
  std::string other;
  for (size_t a = 0; a < locus.alleles.size(); ++a) {
    if (!isSeen[a]) {
      other = other.empty() ? locus.alleles[a] : "other";
      others += locus.frequencies[a];
      continue;
    }
    places[a] = static_cast<uint32_t>(lumped.alleles.size());
    lumped.alleles.push_back(locus.alleles[a]);
    lumped.frequencies.push_back(locus.frequencies[a]);
  }
  if (others > 0 || lumped.alleles.empty()) {
    while (std::ranges::count(lumped.alleles, other) != 0)
      other += "_";
    lumped.alleles.push_back(other);
    lumped.frequencies.push_back(others);
  }
  for (Person &person : family.people)
    if (Phenotype &seen = person.seen[index]; seen.isKnown) {
      seen.first = places[seen.first];
      seen.second = places[seen.second];
    }
  return lumped;
}

} // namespace mpf
