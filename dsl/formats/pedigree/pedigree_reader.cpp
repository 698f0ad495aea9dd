#include "dsl/formats/pedigree/pedigree_reader.h"

#include "dsl/formats/pedigree/family_builder.h"
#include "dsl/formats/pedigree/phenotype_reader.h"
#include "dsl/syntax/spelling.h"

#include <span>

namespace mpf {

namespace {

/// The columns in front of what was seen: before makeped, after it, and of PLINK.
constexpr size_t kBefore = 5, kAfter = 9, kPlink = 6;

class PedigreeParser {
public:
  PedigreeParser(WordReader &words, const PedigreeColumns &columns, LocusMap &map)
      : words_(words), columns_(columns), map_(map), families_(words), phenotypes_(words, map) {}

  std::optional<std::vector<Family>> parse() {
    while (words_.nextLine() && !words_.diagnostics().full()) {
      line_.clear();
      for (PlacedText word = words_.next(); !word.text.empty(); word = words_.next())
        line_.push_back(word);
      if (front_ == 0 && !findLayout())
        return std::nullopt;
      if (!parseLine())
        families_.markIncomplete();
    }
    if (front_ == 0) {
      words_.error(words_.end(), "the file has no person");
      return std::nullopt;
    }
    return families_.finish();
  }

private:
  bool findLayout();
  bool listLoci();
  bool hasColumns();
  bool parseLine();
  bool parseSex(PersonRecord &record, const PlacedText &word);
  bool parseLinkageSeen(PersonRecord &record);
  bool parsePlinkSeen(PersonRecord &record);

  WordReader &words_;
  const PedigreeColumns &columns_;
  LocusMap &map_;
  FamilyBuilder families_;
  PhenotypeReader phenotypes_;
  std::vector<PlacedText> line_;
  size_t front_ = 0; ///< columns in front of what was seen; 0: no line was read
  size_t width_ = 0; ///< columns of what was seen
};

/// Reads from the first line how many columns there are, and whether makeped wrote it.
bool PedigreeParser::findLayout() {
  const size_t count = line_.size();
  if (columns_.dialect == PedigreeDialect::Plink) {
    front_ = kPlink;
    width_ = 2 * columns_.markers.size();
    return true;
  }
  front_ = kBefore;
  if (columns_.dialect == PedigreeDialect::Unlisted)
    return listLoci();
  for (const Locus &locus : map_.loci)
    width_ += columnsOf(locus);
  if (count >= kAfter + width_)
    front_ = kAfter;
  return true;
}

/// Makes a locus of each two columns.
bool PedigreeParser::listLoci() {
  constexpr const char *kLociHint =
      "--loci FILE says what the columns are: a .dat file of LINKAGE, "
      "or a .map file of PLINK";
  if (line_.size() < kBefore + 2 || (line_.size() - kBefore) % 2 != 0)
    return words_.errorWithHint(line_.front().range,
                                fmt::format("the line has {} columns: without a file of loci it "
                                            "has family, person, father, mother, sex and two "
                                            "alleles for each marker",
                                            line_.size()),
                                kLociHint);
  width_ = line_.size() - kBefore;
  for (size_t l = 0; l < width_ / 2; ++l) {
    map_.loci.push_back({.name = fmt::format("l{}", l + 1), .alleles = {}, .frequencies = {}});
    map_.order.push_back(l);
    if (l != 0)
      map_.fractions.push_back(0.5);
  }
  phenotypes_.addLoci();
  if (map_.loci.size() > 1)
    words_.diagnostics().report(
        {Severity::Warning, words_.placeOf(line_.front().range),
         fmt::format("no file says how the {} markers are linked: they are read as unlinked",
                     map_.loci.size()),
         kLociHint});
  return true;
}

bool PedigreeParser::hasColumns() {
  const size_t count = line_.size(), needed = front_ + width_;
  if (count == needed || (front_ == kAfter && count > needed))
    return true;
  const SourceRange place = count > needed ? line_[needed].range : line_.back().range;
  if (columns_.dialect != PedigreeDialect::Linkage)
    return words_.error(place, "the line has {} columns, {} in front and {} for {} markers are {}",
                        count, front_, width_, width_ / 2, needed);
  return words_.error(place,
                      "the line has {} columns; with {} for the loci of the .dat file it has {} "
                      "before makeped, and {} or more after makeped",
                      count, width_, kBefore + width_, kAfter + width_);
}

bool PedigreeParser::parseLine() {
  if (!hasColumns())
    return false;
  PersonRecord record{.family = line_[0], .id = line_[1], .father = line_[2], .mother = line_[3]};
  record.seen.resize(map_.loci.size());
  for (const PlacedText *name : {&record.family, &record.id})
    if (name->text.size() > kMostNameBytes)
      return words_.error(name->range, "the name {} has {} bytes, the limit is {}",
                          excerpt(name->text), name->text.size(), kMostNameBytes);
  if (record.id.text == "0")
    return words_.error(record.id.range, "a person is called 0, which is an unknown parent");
  if (front_ == kAfter) {
    const auto proband = words_.countOf(line_[8], "the proband number", 0, UINT32_MAX);
    if (!proband)
      return false;
    record.proband = *proband;
    record.firstChild = line_[4];
  }
  const bool isSeen = columns_.dialect == PedigreeDialect::Linkage ? parseLinkageSeen(record)
                                                                   : parsePlinkSeen(record);
  if (!parseSex(record, line_[front_ == kAfter ? 7 : 4]) || !isSeen)
    return false;
  families_.add(std::move(record));
  return true;
}

bool PedigreeParser::parseSex(PersonRecord &record, const PlacedText &word) {
  record.sexPlace = word.range;
  record.sex = word.text == "1" ? Sex::Male : word.text == "2" ? Sex::Female : Sex::Unknown;
  return record.sex != Sex::Unknown || word.text == "0" ||
         columns_.dialect == PedigreeDialect::Plink ||
         words_.error(word.range, "expected the sex (1: man, 2: woman, 0: unknown), found '{}'",
                      excerpt(word.text));
}

bool PedigreeParser::parseLinkageSeen(PersonRecord &record) {
  size_t column = front_;
  for (size_t l = 0; l < map_.loci.size(); ++l) {
    const auto columns =
        std::span<const PlacedText>(line_).subspan(column, columnsOf(map_.loci[l]));
    if (!phenotypes_.readColumns(map_.loci[l], columns, record.seen[l]))
      return false;
    column += columns.size();
  }
  return true;
}

bool PedigreeParser::parsePlinkSeen(PersonRecord &record) {
  if (columns_.trait &&
      !phenotypes_.readPlinkStatus(line_[kPlink - 1], record.seen[*columns_.trait]))
    return false;
  const std::span<const PlacedText> line(line_);
  for (size_t m = 0; m < width_ / 2; ++m) {
    const std::optional<size_t> locus =
        columns_.dialect == PedigreeDialect::Plink ? columns_.markers[m] : std::optional(m);
    if (locus &&
        !phenotypes_.readTexts(*locus, line.subspan(front_ + 2 * m, 2), record.seen[*locus]))
      return false;
  }
  return true;
}

} // namespace

std::optional<std::vector<Family>> readPedigree(WordReader &words, const PedigreeColumns &columns,
                                                LocusMap &map) {
  return PedigreeParser(words, columns, map).parse();
}

} // namespace mpf
