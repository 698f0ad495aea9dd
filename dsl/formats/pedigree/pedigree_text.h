// Families and loci as a model in the words of mpf.
#pragma once

#include "dsl/formats/pedigree/founder_phase.h"
#include "dsl/formats/pedigree/pedigree.h"

#include <span>
#include <string>
#include <vector>

namespace mpf {

/// A param of the model, or a number, for the recombination of two neighbours.
struct Interval {
  std::string father, mother; ///< expressions: "theta1", "0.03"
};

/// The map as the text has it.
struct MapText {
  std::string params; ///< declarations
  std::vector<Interval> intervals;
};

/// Returns params called theta1, theta2, ..., of one interval theta; theta1_male and theta1_female
/// where they differ.
MapText mapText(const LocusMap &map);
/// Puts the locus `trait` at `position`, in centimorgans, on the map of the other loci, in
/// map.order too. The param `position` moves it between its neighbours; the other fractions are
/// numbers. There is another locus, and the fractions of mothers are those of fathers. Throws
/// Error(Usage) if some of the other loci are unlinked.
MapText positionText(LocusMap &map, size_t trait, double position, MapFunction function);

/// The kind of the variable that what is seen sets: "geno", "status" or "factors".
std::string_view seenKind(LocusKind kind);
/// The names of the variables of a person at a locus: "pat_1_3_l2".
std::string variableName(std::string_view kind, const Family &family, const Person &person,
                         const Locus &locus);

/// Appends what all families share about a locus: the arrays penetrance_NAME and shown_NAME, and
/// where it is X-linked those of men, male_penetrance_NAME and male_shown_NAME.
void appendLocus(std::string &text, const Locus &locus);
/// A family, its loci, and the sources that are fixed. The family must outlive it.
struct FamilyNetwork {
  const Family &family;
  std::vector<Locus> loci; ///< those of the family (family_loci.h), in the order of the columns
  FixedSources fixed;      ///< by places of the order on the chromosome
};

/// Appends the network of one family to `text`. `order` is that of the loci on the chromosome, with
/// `intervals` between. A person has at each locus the alleles from the father and from the mother,
/// and their unordered pair. A child has the grandparent from whom each allele comes (Lander and
/// Green 1987; Fishelson and Geiger 2002). These sources are a chain along the chromosome. It
/// begins at the first locus, or where the source is fixed, and goes both ways from there.
///
/// At an X-linked locus a man has the allele from his mother alone; his pair has it twice. His
/// daughters have it as it is, so that only mothers recombine.
void appendFamily(std::string &text, const FamilyNetwork &network, std::span<const size_t> order,
                  std::span<const Interval> intervals);
/// Appends `query family_NAME`, the likelihood of one family.
void appendFamilyQuery(std::string &text, const FamilyNetwork &network);

} // namespace mpf
