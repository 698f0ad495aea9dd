#include "dsl/formats/pedigree/plink_map.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace mpf {

namespace {

constexpr double kFarthestCentimorgans = 1e9;
constexpr std::array<std::string_view, 9> kSexChromosomes = {"23", "24", "25", "26", "X",
                                                             "Y",  "XY", "MT", "M"};

struct MapRow {
  size_t locus = 0;
  size_t chromosome = 0; ///< in the order of the file
  double centimorgans = 0;
};

class PlinkMap {
public:
  PlinkMap(WordReader &words, LocusMap &map, PedigreeColumns &columns)
      : words_(words), map_(map), columns_(columns) {}

  bool read(MapFunction function) {
    bool isGood = true;
    while (words_.nextLine() && !words_.diagnostics().full())
      isGood &= readRow();
    if (isGood && rows_.empty())
      isGood = words_.error(words_.end(), "the map has no marker");
    return isGood && isMapped() && (order(function), true);
  }

private:
  bool readRow();
  bool isMapped();
  void order(MapFunction function);

  WordReader &words_;
  LocusMap &map_;
  PedigreeColumns &columns_;
  std::vector<MapRow> rows_;
  std::vector<SourceRange> places_; ///< of the chromosome of each row
  TextMap<SourceRange> names_;
  TextMap<size_t> chromosomes_;
};

bool PlinkMap::readRow() {
  std::vector<PlacedText> line;
  for (PlacedText word = words_.next(); !word.text.empty(); word = words_.next())
    line.push_back(word);
  if (line.size() != 3 && line.size() != 4)
    return words_.error(line.front().range,
                        "the line has {} columns: a line of a map has the chromosome, the marker, "
                        "its place in centimorgans (which may be missing) and in base pairs",
                        line.size());
  const PlacedText &chromosome = line[0], &name = line[1];
  const auto basePairs = words_.numberOf(line.back(), "the place in base pairs", -1e18, 1e18);
  const auto centimorgans = line.size() == 3
                                ? std::optional(0.0)
                                : words_.numberOf(line[2], "the place in centimorgans",
                                                  -kFarthestCentimorgans, kFarthestCentimorgans);
  if (!basePairs || !centimorgans)
    return false;
  if (const auto [first, isNew] = names_.try_emplace(std::string(name.text), name.range); !isNew) {
    words_.error(name.range, "the marker {} is listed twice", excerpt(name.text));
    words_.diagnostics().note(words_.placeOf(first->second), "the first line is here");
    return false;
  }
  if (name.text.size() > kMostNameBytes)
    return words_.error(name.range, "the name {} has {} bytes, the limit is {}", excerpt(name.text),
                        name.text.size(), kMostNameBytes);
  if (*basePairs < 0) {
    columns_.markers.emplace_back();
    return true;
  }
  if (std::ranges::count(kSexChromosomes, chromosome.text) != 0)
    return words_.errorWithHint(
        chromosome.range,
        fmt::format("the marker {} is on chromosome {}: only autosomes are supported",
                    excerpt(name.text), excerpt(chromosome.text)),
        "a negative place in base pairs leaves a marker out");
  columns_.markers.emplace_back(map_.loci.size());
  rows_.push_back(
      {map_.loci.size(),
       chromosomes_.try_emplace(std::string(chromosome.text), chromosomes_.size()).first->second,
       *centimorgans});
  places_.push_back(chromosome.range);
  map_.loci.push_back({.name = std::string(name.text), .alleles = {}, .frequencies = {}});
  return true;
}

/// Whether the places of each chromosome say how far its markers are apart.
bool PlinkMap::isMapped() {
  std::vector<size_t> markers(chromosomes_.size(), 0);
  std::vector<bool> hasPlaces(chromosomes_.size(), false);
  for (const MapRow &row : rows_) {
    ++markers[row.chromosome];
    if (row.centimorgans != 0)
      hasPlaces[row.chromosome] = true;
  }
  for (size_t r = 0; r < rows_.size(); ++r)
    if (markers[rows_[r].chromosome] > 1 && !hasPlaces[rows_[r].chromosome])
      return words_.errorWithHint(
          places_[r],
          fmt::format("the {} markers of this chromosome are all at 0 cM: without distances there "
                      "is no answer about several markers",
                      markers[rows_[r].chromosome]),
          "the third of four columns is the place in centimorgans; a negative place in base pairs "
          "leaves a marker out");
  return true;
}

/// Puts the markers in their order on the chromosomes.
void PlinkMap::order(MapFunction function) {
  std::ranges::stable_sort(rows_, [](const MapRow &a, const MapRow &b) {
    return std::pair(a.chromosome, a.centimorgans) < std::pair(b.chromosome, b.centimorgans);
  });
  for (size_t r = 0; r < rows_.size(); ++r) {
    if (r != 0)
      map_.fractions.push_back(
          rows_[r].chromosome != rows_[r - 1].chromosome
              ? 0.5
              : recombinationFraction(rows_[r].centimorgans - rows_[r - 1].centimorgans, function));
    map_.order.push_back(rows_[r].locus);
  }
  map_.start = rows_.front().centimorgans;
}

/// Counts the alleles at one locus, of founders or of all people.
std::vector<double> alleleCounts(const std::vector<Family> &families, size_t locus, size_t alleles,
                                 bool ofFounders) {
  std::vector<double> counts(alleles, 0);
  for (const Family &family : families)
    for (const Person &person : family.people) {
      const Phenotype &seen = person.seen[locus];
      if (!seen.isKnown || (ofFounders && !person.isFounder()))
        continue;
      ++counts[seen.first];
      ++counts[seen.second];
    }
  return counts;
}

} // namespace

bool readPlinkMap(WordReader &words, MapFunction function, LocusMap &map,
                  PedigreeColumns &columns) {
  return PlinkMap(words, map, columns).read(function);
}

bool readPlinkFrequencies(WordReader &words, LocusMap &map) {
  TextMap<size_t> names;
  for (size_t l = 0; l < map.loci.size(); ++l)
    names.emplace(map.loci[l].name, l);
  std::array<PlacedText, 5> line; // CHR SNP A1 A2 MAF
  bool isHeader = true;
  while (words.nextLine()) {
    for (PlacedText &word : line)
      word = words.next();
    if (isHeader && line[0].text != "CHR")
      return words.error(line[0].range, "expected the line CHR SNP A1 A2 MAF NCHROBS, found '{}'",
                         excerpt(line[0].text));
    const auto found = names.find(line[1].text);
    if (std::exchange(isHeader, false) || found == names.end() || line[4].text == "NA")
      continue;
    const auto frequency = words.numberOf(line[4], "the frequency of A1", 0, 1);
    if (!frequency)
      return false;
    Locus &locus = map.loci[found->second];
    if (!locus.frequencies.empty() || line[2].text == line[3].text)
      return words.error(line[1].range, "{} is listed twice, or has one name for both alleles",
                         excerpt(line[1].text));
    locus.alleles = {std::string(line[2].text), std::string(line[3].text)};
    locus.frequencies = {*frequency, 1 - *frequency};
  }
  return true;
}

void countFrequencies(WordReader &words, const std::vector<Family> &families, LocusMap &map) {
  size_t ofFounders = 0, ofAll = 0;
  for (size_t l = 0; l < map.loci.size(); ++l) {
    Locus &locus = map.loci[l];
    if (!locus.frequencies.empty())
      continue;
    if (locus.alleles.empty()) { // no person is typed, so any allele will do
      locus.alleles = {"1"};
      locus.frequencies = {1};
      continue;
    }
    std::vector<double> counts = alleleCounts(families, l, locus.alleles.size(), true);
    const bool areFounders = std::ranges::count(counts, 0) == 0;
    if (!areFounders)
      counts = alleleCounts(families, l, locus.alleles.size(), false);
    ++(areFounders ? ofFounders : ofAll);
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (const double count : counts)
      locus.frequencies.push_back(count / sum);
  }
  if (ofFounders + ofAll != 0)
    words.diagnostics().warning(
        words.placeOf({0, 0}),
        "no file has the frequencies of the alleles of {} markers: for {} they are those among the "
        "founders, for {} those among all people, because no founder has some allele",
        ofFounders + ofAll, ofFounders, ofAll);
}

} // namespace mpf
