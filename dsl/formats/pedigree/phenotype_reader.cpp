#include "dsl/formats/pedigree/phenotype_reader.h"

#include "dsl/syntax/spelling.h"

#include <array>

namespace mpf {

size_t columnsOf(const Locus &locus) {
  switch (locus.kind) {
  case LocusKind::Affection:
    return locus.penetrances.size() > 1 ? 2 : 1;
  case LocusKind::Factors:
    return locus.factorCount;
  case LocusKind::Numbered:
    break;
  }
  return 2;
}

PhenotypeReader::PhenotypeReader(WordReader &words, LocusMap &map)
    : words_(words), map_(map), alleles_(map.loci.size()) {
  for (size_t l = 0; l < map.loci.size(); ++l)
    for (const std::string &allele : map.loci[l].alleles)
      alleles_[l].emplace(allele, static_cast<uint32_t>(alleles_[l].size()));
}

bool PhenotypeReader::readColumns(const Locus &locus, std::span<const PlacedText> columns,
                                  Phenotype &seen) {
  seen.place = columns[0].range;
  switch (locus.kind) {
  case LocusKind::Affection:
    return readStatus(locus, columns, seen);
  case LocusKind::Factors:
    return readFactors(locus, columns, seen);
  case LocusKind::Numbered:
    break;
  }
  return readNumbers(locus, columns, seen);
}

bool PhenotypeReader::readStatus(const Locus &locus, std::span<const PlacedText> columns,
                                 Phenotype &seen) {
  const auto status =
      words_.countOf(columns[0], "the status (0: unknown, 1: unaffected, 2: affected)", 0, 2);
  if (!status)
    return false;
  seen.isKnown = *status != 0;
  seen.isAffected = *status == 2;
  if (locus.penetrances.size() == 1)
    return true;
  const uint64_t least = seen.isKnown ? 1 : 0; // the class of an unknown status is not used
  const auto liability =
      words_.countOf(columns[1], "the liability class", least, locus.penetrances.size());
  if (!liability)
    return false;
  seen.liability = static_cast<uint32_t>(*liability == 0 ? 0 : *liability - 1);
  return true;
}

bool PhenotypeReader::readFactors(const Locus &locus, std::span<const PlacedText> columns,
                                  Phenotype &seen) {
  for (size_t f = 0; f < locus.factorCount; ++f) {
    const auto bit = words_.countOf(columns[f], "a factor", 0, 1);
    if (!bit)
      return false;
    seen.factors |= *bit << f;
  }
  seen.isKnown = seen.factors != 0;
  for (size_t a = 0; a < locus.alleles.size(); ++a)
    for (size_t b = 0; b <= a; ++b)
      if (mayShow(locus, seen, a, b))
        return true;
  return words_.error(columns[0].range, "no pair of alleles of locus {} has these factors",
                      locus.name.substr(1));
}

/// Whether both alleles are known; reports a person of whom one is.
bool PhenotypeReader::isTyped(std::span<const PlacedText> columns, bool &isKnown) {
  const bool first = columns[0].text != "0", second = columns[1].text != "0";
  isKnown = first && second;
  return first == second ||
         words_.errorWithHint(columns[first ? 1 : 0].range,
                              "one allele of the person is unknown, the other one is known",
                              "write 0 0 for a genotype that is not known");
}

bool PhenotypeReader::readNumbers(const Locus &locus, std::span<const PlacedText> columns,
                                  Phenotype &seen) {
  const auto first = words_.countOf(columns[0], "an allele", 0, locus.alleles.size());
  const auto second = words_.countOf(columns[1], "an allele", 0, locus.alleles.size());
  if (!first || !second || !isTyped(columns, seen.isKnown))
    return false;
  if (seen.isKnown) {
    seen.first = static_cast<uint32_t>(*first - 1);
    seen.second = static_cast<uint32_t>(*second - 1);
  }
  return true;
}

bool PhenotypeReader::readTexts(size_t locus, std::span<const PlacedText> columns,
                                Phenotype &seen) {
  seen.place = columns[0].range;
  if (!isTyped(columns, seen.isKnown))
    return false;
  if (!seen.isKnown)
    return true;
  std::array<uint32_t, 2> found{};
  for (size_t i = 0; i < found.size(); ++i) {
    const PlacedText &word = columns[i];
    Locus &row = map_.loci[locus];
    const auto [allele, isNew] = alleles_[locus].try_emplace(
        std::string(word.text), static_cast<uint32_t>(row.alleles.size()));
    if (isNew && !row.frequencies.empty())
      return words_.error(word.range, "the file of frequencies has no allele {} of {}",
                          excerpt(word.text), excerpt(row.name));
    if (isNew && (word.text.find('/') != word.text.npos || word.text.size() > kMostNameBytes))
      return words_.error(word.range, "an allele is a text without / of at most {} bytes",
                          kMostNameBytes);
    if (isNew)
      row.alleles.emplace_back(word.text);
    found[i] = allele->second;
  }
  seen.first = found[0];
  seen.second = found[1];
  return true;
}

bool PhenotypeReader::readPlinkStatus(const PlacedText &column, Phenotype &seen) {
  seen.place = column.range;
  seen.isAffected = column.text == "2";
  seen.isKnown = seen.isAffected || column.text == "1";
  return seen.isKnown || column.text == "0" || column.text == "-9" ||
         words_.error(column.range,
                      "the phenotype {} is none of 1 (unaffected), 2 (affected), 0 and -9 "
                      "(unknown): quantitative traits are not supported",
                      excerpt(column.text));
}

} // namespace mpf
