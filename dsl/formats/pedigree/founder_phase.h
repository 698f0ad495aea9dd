// Chooses for each founder where the order of the two alleles is fixed.
#pragma once

#include "dsl/formats/pedigree/genotype_elimination.h"

#include <array>
#include <span>
#include <vector>

namespace mpf {

/// Where sources are fixed. By person: the places on the chromosome at which the alleles from the
/// father and from the mother come from the grandfather. kNotFixed: at none.
using FixedSources = std::vector<std::array<size_t, 2>>;
inline constexpr size_t kNotFixed = SIZE_MAX;

/// Fixes one source for each founder who has children. Both alleles of a founder have the same
/// distribution, at all loci together. So the likelihood stays as it is if one child gets the
/// grandfather's allele at one locus.
///
/// The child and the locus are those that leave the smallest share of the ordered pairs of alleles
/// which the founder may have. That is half of them, where both differ and the child shows which it
/// got. Among equals the place nearest to the middle is taken: there it splits the chain of loci.
///
/// `possible` has the genotypes left at each of `loci` (GenotypeElimination::possible), empty where
/// they are unknown. `loci` are those of the family, `order` is that on the chromosome.
FixedSources fixFounders(const Family &family, std::span<const Locus> loci,
                         std::span<const size_t> order, std::span<const Genotypes> possible);

} // namespace mpf
