#include "dsl/formats/pedigree/pedigree_format.h"

#include "dsl/formats/network/made_text.h"
#include "dsl/formats/network/model_name.h"
#include "dsl/formats/pedigree/family_loci.h"
#include "dsl/formats/pedigree/founder_phase.h"
#include "dsl/formats/pedigree/genotype_elimination.h"
#include "dsl/formats/pedigree/linkage_loci.h"
#include "dsl/formats/pedigree/pedigree_text.h"
#include "dsl/formats/pedigree/plink_map.h"
#include "dsl/model/build/build_model.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/growth_guard.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/ranges.h>
#include <unordered_map>

namespace mpf {

namespace {

/// The most alleles at a locus that people of one family were seen to have: a table over three
/// people's has their cube.
constexpr size_t kMostFamilyAlleles = 32;
/// The memory for each word of a file of loci.
constexpr uint64_t kFileBytesPerWord = 48;
/// The pairs of genotypes that the search for contradictions looks at, in a whole file.
constexpr uint64_t kContradictionWork = uint64_t{1} << 28;
/// The most people that a message about a contradiction names.
constexpr size_t kMostNamed = 12;

class PedigreeModel {
public:
  PedigreeModel(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                const ModelReadOptions &options)
      : buffer_(std::move(buffer)), options_(options), words_(buffer_, diagnostics) {}

  std::optional<Model> read() {
    if (!isText() || !readLoci())
      return std::nullopt;
    if (startsAsLinkageLoci(buffer_)) {
      words_.error({0, 0}, "this is a file of loci, for --loci: the model is a file of families");
      return std::nullopt;
    }
    std::optional<std::vector<Family>> families = readPedigree(words_, columns_, map_);
    if (!families)
      return std::nullopt;
    if (!areHemizygous(*families))
      return std::nullopt;
    countFrequencies(words_, *families, map_);
    const std::optional<MapText> map = placeLoci();
    if (!map || !areNamesDistinct(*families))
      return std::nullopt;
    return build(*families, *map);
  }

private:
  bool isText();
  bool readLoci();
  bool readPlinkFiles(std::shared_ptr<const SourceBuffer> loci);
  std::shared_ptr<const SourceBuffer> open(const std::string &path) const;
  std::optional<MapText> placeLoci();
  bool areHemizygous(const std::vector<Family> &families);
  bool areNamesDistinct(const std::vector<Family> &families);
  std::optional<FamilyNetwork> networkOf(Family &family, uint64_t &workLeft);
  void warnOfContradiction(const Family &family, const Locus &locus, size_t index,
                           std::span<const size_t> people);
  std::optional<Model> build(std::vector<Family> &families, const MapText &map);
  std::optional<Model> readText(std::shared_ptr<const SourceBuffer> text,
                                const std::vector<Family> &families);
  void placeFindings(const std::vector<Family> &families, Model &model);

  const std::shared_ptr<const SourceBuffer> buffer_;
  const ModelReadOptions &options_;
  WordReader words_;
  LocusMap map_;
  PedigreeColumns columns_;
};

bool PedigreeModel::isText() {
  const std::optional<size_t> bad = firstInvalidUtf8(buffer_->text());
  const auto at = static_cast<uint32_t>(bad.value_or(0));
  return !bad || words_.error({at, at + 1}, "this byte is not UTF-8");
}

std::shared_ptr<const SourceBuffer> PedigreeModel::open(const std::string &path) const {
  if (!options_.build.files.readText)
    fail(ErrorKind::BadInput, "{}: no other file is read here", path);
  std::string text = options_.build.files.readText(path);
  requireMemoryToParse(path, text, kFileBytesPerWord);
  return std::make_shared<const SourceBuffer>(path, std::move(text));
}

bool PedigreeModel::readLoci() {
  const PedigreeOptions &given = options_.pedigree;
  const bool isPlink = hasEnding(withoutCompressionSuffix(given.loci), ".map");
  if (!isPlink && (given.trait || !given.frequencies.empty()))
    fail(ErrorKind::Usage, "{} is for files of PLINK, with {} x.map",
         given.trait ? kTraitOption : kFrequenciesOption, kLociOption);
  if (!isPlink && given.mapFunction && !given.position)
    fail(ErrorKind::Usage, "{} is for a .map file, and for {}", kMapFunctionOption,
         kPositionOption);
  if (given.loci.empty()) {
    columns_.dialect = PedigreeDialect::Unlisted;
    return true;
  }
  if (isPlink)
    return readPlinkFiles(open(given.loci));
  WordReader loci(open(given.loci), words_.diagnostics());
  std::optional<LocusMap> map = readLinkageLoci(loci, options_.build.normalise);
  if (map)
    map_ = std::move(*map);
  return map.has_value();
}

bool PedigreeModel::readPlinkFiles(std::shared_ptr<const SourceBuffer> loci) {
  const PedigreeOptions &given = options_.pedigree;
  columns_.dialect = PedigreeDialect::Plink;
  WordReader words(std::move(loci), words_.diagnostics());
  if (!readPlinkMap(words, given.mapFunction.value_or(MapFunction::Haldane), map_, columns_))
    return false;
  if (!given.frequencies.empty()) {
    WordReader frequencies(open(given.frequencies), words_.diagnostics());
    if (!readPlinkFrequencies(frequencies, map_))
      return false;
  }
  if (!given.trait)
    return true;
  columns_.trait = map_.loci.size();
  const auto &pen = given.trait->penetrances;
  map_.order.insert(map_.order.begin(), map_.loci.size());
  map_.fractions.insert(map_.fractions.begin(), 0.5);
  map_.loci.push_back({.name = "trait",
                       .kind = LocusKind::Affection,
                       .alleles = {"1", "2"},
                       .frequencies = {1 - given.trait->frequency, given.trait->frequency},
                       .penetrances = {{pen.begin(), pen.end()}}});
  return true;
}

/// Returns the place on the map at which the trait gets its neighbours: that of -D position=NUMBER,
/// else that of --position.
double traitPlace(const ModelReadOptions &options) {
  const auto &values = options.build.params.values;
  if (const auto given = values.find("position"); given != values.end()) {
    std::string_view text = given->second.source()->text();
    text.remove_prefix(std::min(text.find('=') + 1, text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (const std::optional<double> number = parseDouble(text); number && std::isfinite(*number))
      return *number;
  }
  return *options.pedigree.position;
}

/// Makes the params of the map; moves the trait to its position.
std::optional<MapText> PedigreeModel::placeLoci() {
  if (!options_.pedigree.position)
    return mapText(map_);
  const auto isTrait = [](const Locus &locus) { return locus.kind == LocusKind::Affection; };
  const auto trait = std::ranges::find_if(map_.loci, isTrait);
  if (std::ranges::count_if(map_.loci, isTrait) != 1 || map_.loci.size() == 1)
    fail(ErrorKind::Usage,
         "{} puts one affection locus on the map of other loci: there are {} of {} "
         "loci",
         kPositionOption, std::ranges::count_if(map_.loci, isTrait), map_.loci.size());
  if (map_.femaleRatio || !map_.femaleFractions.empty())
    fail(ErrorKind::Usage, "{} takes no file with a difference of the sexes", kPositionOption);
  return positionText(map_, static_cast<size_t>(trait - map_.loci.begin()), traitPlace(options_),
                      options_.pedigree.mapFunction.value_or(MapFunction::Haldane));
}

/// Whether all sexes are known and men have one allele, where loci are X-linked.
bool PedigreeModel::areHemizygous(const std::vector<Family> &families) {
  for (const Family &family : families)
    for (const Person &person : family.people)
      for (size_t l = 0; l < map_.loci.size(); ++l) {
        const Locus &locus = map_.loci[l];
        const Phenotype &seen = person.seen[l];
        if (locus.isXLinked && person.sex == Sex::Unknown)
          return words_.error(person.place, "the sex of {} is unknown: X-linked loci need it",
                              excerpt(person.id));
        if (isHemizygous(locus, person) && seen.isKnown && seen.first != seen.second)
          return words_.errorWithHint(
              seen.place,
              fmt::format("the man {} has two alleles at the X-linked locus {}", excerpt(person.id),
                          excerpt(locus.name)),
              "both columns have the one allele of a man");
      }
  return true;
}

/// Whether different people have variables of different names.
bool PedigreeModel::areNamesDistinct(const std::vector<Family> &families) {
  std::unordered_map<std::string, const Person *> names, domains;
  for (const Family &family : families) {
    const Person &head = family.people.front();
    for (const Locus &locus : map_.loci)
      if (const auto [other, isNew] =
              domains.try_emplace(fmt::format("{}_{}", family.name, locus.name), &head);
          !isNew)
        return words_.error(head.place,
                            "the family {} and the locus {} make the name {} of "
                            "another family and locus: rename one",
                            excerpt(family.name), excerpt(locus.name), excerpt(other->first));
    for (const Person &person : family.people)
      for (const Locus &locus : map_.loci) {
        const auto [first, isNew] =
            names.try_emplace(variableName("geno", family, person, locus), &person);
        if (isNew)
          continue;
        words_.errorWithHint(
            person.place,
            fmt::format("two people have variables of the name '{}'", excerpt(first->first)),
            "a name is made of the family, the person and the locus, with _ "
            "between: rename one");
        words_.diagnostics().note(words_.placeOf(first->second->place), "the other one is here");
        return false;
      }
  }
  return true;
}

void PedigreeModel::warnOfContradiction(const Family &family, const Locus &locus, size_t index,
                                        std::span<const size_t> people) {
  std::vector<std::string> named;
  for (const size_t p : people.first(std::min(people.size(), kMostNamed)))
    named.push_back(excerpt(family.people[p].id));
  words_.diagnostics().warning(
      words_.placeOf(family.people[people.back()].seen[index].place),
      "no inheritance explains locus {} of family {}: what is seen of {}{} contradicts itself, and "
      "the likelihood is 0",
      excerpt(locus.name), excerpt(family.name), fmt::join(named, ", "),
      people.size() > kMostNamed ? fmt::format(" and {} others", people.size() - kMostNamed) : "");
}

std::optional<FamilyNetwork> PedigreeModel::networkOf(Family &family, uint64_t &workLeft) {
  std::vector<Locus> loci;
  std::vector<Genotypes> possible;
  const GenotypeElimination elimination(family);
  for (size_t l = 0; l < map_.loci.size(); ++l) {
    loci.push_back(lumpAlleles(map_.loci[l], l, family));
    if (loci[l].alleles.size() > kMostFamilyAlleles + 1) {
      words_.error(family.people.front().place,
                   "family {} has {} alleles at locus {}, the limit is {}", excerpt(family.name),
                   loci[l].alleles.size(), excerpt(loci[l].name), kMostFamilyAlleles);
      return std::nullopt;
    }
    const std::optional<Genotypes> left = elimination.possible(loci[l], l, workLeft);
    if (!left)
      warnOfContradiction(family, loci[l], l, elimination.contradiction(loci[l], l, workLeft));
    possible.push_back(left.value_or(Genotypes()));
  }
  FixedSources fixed = fixFounders(family, loci, map_.order, possible);
  return FamilyNetwork{.family = family, .loci = std::move(loci), .fixed = std::move(fixed)};
}

std::optional<Model> PedigreeModel::build(std::vector<Family> &families, const MapText &map) {
  std::string text =
      fmt::format("model {}\n{}", spellName(modelNameFor(buffer_->name())), map.params);
  for (const Locus &locus : map_.loci)
    appendLocus(text, locus);
  GrowthGuard guard(buffer_->name());
  std::string queries;
  uint64_t workLeft = kContradictionWork;
  for (Family &family : families) {
    const std::optional<FamilyNetwork> network = networkOf(family, workLeft);
    if (!network)
      return std::nullopt;
    appendFamily(text, *network, map_.order, map.intervals);
    guard.mayGrow(text);
    if (families.size() > 1)
      appendFamilyQuery(queries, *network);
  }
  text += queries + "query evidence\n";
  return readText(madeText(buffer_->name(), buffer_->name() + " as .mpf", std::move(text)),
                  families);
}

/// Reads the model as text. Of the errors in it, which follow from values of params, the first is
/// enough: each child has a table of each param. Its warnings are of frequencies, of which the
/// file of loci was told.
std::optional<Model> PedigreeModel::readText(std::shared_ptr<const SourceBuffer> text,
                                             const std::vector<Family> &families) {
  Diagnostics found;
  std::optional<Model> model = readMpf(text, found, options_.build);
  bool isFirst = true;
  for (Diagnostic diagnostic : found.all()) {
    const bool isInText = diagnostic.place.buffer == text,
               isHere = isInText && diagnostic.severity == Severity::Error;
    if (isInText && diagnostic.severity == Severity::Warning)
      continue;
    if (isHere && diagnostic.message.starts_with("row "))
      diagnostic.hint = "recombination fractions are from 0 to 0.5";
    if (!isHere || std::exchange(isFirst, false))
      words_.diagnostics().report(std::move(diagnostic));
  }
  if (model)
    placeFindings(families, *model);
  return model;
}

/// Sets the places of findings to where the pedigree has them.
void PedigreeModel::placeFindings(const std::vector<Family> &families, Model &model) {
  std::unordered_map<std::string_view, uint32_t> variables;
  for (const auto &[variable, place] : model.findingPlaces)
    variables.emplace(model.variables[variable].name, variable);
  for (const Family &family : families)
    for (const Person &person : family.people)
      for (size_t l = 0; l < map_.loci.size(); ++l)
        if (const auto found = variables.find(
                variableName(seenKind(map_.loci[l].kind), family, person, map_.loci[l]));
            found != variables.end())
          model.findingPlaces[found->second] = words_.placeOf(person.seen[l].place);
}

} // namespace

std::optional<Model> readPedigreeFile(std::shared_ptr<const SourceBuffer> buffer,
                                      Diagnostics &diagnostics, const ModelReadOptions &options) {
  return PedigreeModel(std::move(buffer), diagnostics, options).read();
}

bool startsAsPedigree(std::string_view text) {
  constexpr std::string_view kBlanksOfLine = " \t\r\v\f";
  text = text.substr(0, text.find('\n'));
  std::array<std::string_view, 9> words{};
  size_t count = 0;
  for (size_t at = text.find_first_not_of(kBlanksOfLine); at != text.npos && count < words.size();
       at = text.find_first_not_of(kBlanksOfLine, at)) {
    const size_t end = std::min(text.find_first_of(kBlanksOfLine, at), text.size());
    words[count++] = text.substr(at, end - at);
    at = end;
  }
  const auto isSex = [](std::string_view word) {
    return word == "1" || word == "2" || word == "0";
  };
  const auto isId = [](std::string_view word) {
    return word.find_first_of("\"'(){}[],;=<>/|") == word.npos;
  };
  return count >= 6 && std::all_of(words.begin(), words.begin() + 4, isId) &&
         (isSex(words[4]) || (count == words.size() && isSex(words[7])));
}

} // namespace mpf
