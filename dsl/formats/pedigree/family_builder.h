// Joins the records of a pedigree file to families.
#pragma once

#include "dsl/formats/pedigree/pedigree.h"
#include "dsl/formats/pedigree/word_reader.h"

#include <unordered_map>
#include <vector>

namespace mpf {

/// One line of a pedigree file.
struct PersonRecord {
  PlacedText family, id, father, mother;
  Sex sex = Sex::Unknown;
  SourceRange sexPlace;
  uint64_t proband = 0;       ///< 2 or more: the records with this number are one person
  PlacedText firstChild = {}; ///< of makeped; empty: not given
  std::vector<Phenotype> seen;
};

/// Collects records, whose texts stay valid. Not thread-safe.
class FamilyBuilder {
public:
  explicit FamilyBuilder(WordReader &words) : words_(words) {}

  /// Adds a person. Reports one who is listed twice.
  void add(PersonRecord record);
  /// Notes that a line could not be read. Unknown parents are not reported from then on.
  void markIncomplete() { failed_ = true; }
  /// Finds the parents of all people. Returns nothing after an error, or markIncomplete.
  std::optional<std::vector<Family>> finish();

private:
  struct OpenFamily {
    std::vector<PersonRecord> records;
    TextMap<size_t> ids;                        ///< the record of an id
    TextMap<std::string_view> children;         ///< the id of a child of each id
    std::unordered_map<uint64_t, size_t> loops; ///< the person of a proband number from 2 on
    std::vector<size_t> personOf;               ///< of each record
    std::vector<std::vector<size_t>> recordsOf; ///< of each person
  };

  void join(OpenFamily &family, const PersonRecord &record);
  bool finishFamily(const OpenFamily &open, Family &family);
  bool setParents(const OpenFamily &open, const PersonRecord &record, Family &family,
                  size_t person);
  std::optional<size_t> findParent(const OpenFamily &open, const Family &family,
                                   const PlacedText &id, Sex sex);
  bool hasFirstChild(const OpenFamily &open, const PersonRecord &record);
  bool isAcyclic(const Family &family);

  WordReader &words_;
  bool failed_ = false;
  std::vector<std::pair<std::string, OpenFamily>> families_;
  TextMap<size_t> names_;
};

} // namespace mpf
