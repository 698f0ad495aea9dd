// Families: who descends from whom, and what was seen of each person.
#pragma once

#include "dsl/formats/pedigree/locus.h"
#include "dsl/source/source_buffer.h"

namespace mpf {

/// A person at one locus, as seen.
struct Phenotype {
  bool isKnown = false;
  bool isAffected = false;        ///< Affection
  uint32_t liability = 0;         ///< Affection: the class, from 0; known even if the status is not
  uint32_t first = 0, second = 0; ///< Numbered: indices of the alleles
  uint64_t factors = 0;           ///< Factors: the bits of those that are there
  SourceRange place;
};

enum class Sex : uint8_t { Unknown, Male, Female };

/// The most bytes of the name of a family, a person or a marker: many names are made of them.
inline constexpr size_t kMostNameBytes = 200;
inline constexpr size_t kNobody = SIZE_MAX;

struct Person {
  std::string id;
  SourceRange place;                         ///< of the id
  size_t father = kNobody, mother = kNobody; ///< indices in the family: both or none
  Sex sex = Sex::Unknown;
  std::vector<Phenotype> seen; ///< for each of LocusMap::loci
  bool isFounder() const { return father == kNobody; }
};

struct Family {
  std::string name;
  std::vector<Person> people; ///< in the order of the file
};

/// Whether the person has one allele at the locus, which stands for both of a pair.
bool isHemizygous(const Locus &locus, const Person &person);
/// Whether a pair of alleles may show the phenotype. At an X-linked locus it is a woman's.
bool mayShow(const Locus &locus, const Phenotype &seen, size_t a, size_t b);
/// Whether the person may have a pair of alleles and show what was seen at loci[index].
bool mayHave(const Locus &locus, size_t index, const Person &person, size_t a, size_t b);

} // namespace mpf
