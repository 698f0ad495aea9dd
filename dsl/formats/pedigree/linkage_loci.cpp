#include "dsl/formats/pedigree/linkage_loci.h"

#include "dsl/support/numbers/row_sums.h"

#include <cmath>
#include <fmt/core.h>

namespace mpf {

namespace {

constexpr uint64_t kMostLoci = 100'000, kMostClasses = 10'000, kMostFactors = 64;
/// The most alleles that one number may announce; the file lists a frequency for each.
constexpr uint64_t kMostAlleles = 10'000;
/// The most alleles of a locus whose phenotypes are a table over two of them.
constexpr uint64_t kMostTableAlleles = 32;
/// A row of frequencies that is further from 1 is an error (row_sums.h).
constexpr double kFarthestSum = kMostRounding;
/// The kinds of loci by their numbers in the file.
enum : uint64_t { kQuantitative = 0, kAffection = 1, kFactors = 2, kNumbered = 3 };
/// How recombination fractions of mothers are given.
enum : uint64_t { kEqual = 0, kConstantRatio = 1, kGiven = 2 };

class LinkageLoci {
public:
  LinkageLoci(WordReader &words, bool normalises) : words_(words), normalises_(normalises) {}

  bool readStart() { return readHead() && readOrder(); }
  std::optional<LocusMap> read() {
    if (!readStart())
      return std::nullopt;
    for (uint64_t i = 0; i < count_; ++i)
      if (!readLocus(i))
        return std::nullopt;
    return readFractions() ? std::optional(std::move(map_)) : std::nullopt;
  }

private:
  /// Goes to the next line, where numbers begin; what is left of this one is a comment.
  bool startRecord(std::string_view what) {
    return words_.nextLine() ||
           words_.error(words_.end(), "the file ends where {} is expected", what);
  }
  bool readHead();
  bool readOrder();
  bool readLocus(uint64_t index);
  bool readFrequencies(Locus &locus, uint64_t alleles);
  bool readPenetrances(Locus &locus);
  bool readFactors(Locus &locus);
  bool readFractions();
  bool readFractionList(std::vector<double> &fractions, std::string_view what);

  WordReader &words_;
  const bool normalises_;
  LocusMap map_;
  uint64_t count_ = 0;
  bool isXLinked_ = false;
  uint64_t risk_ = 0; ///< the locus that a line with its risk allele follows, from 1; 0: none
};

bool LinkageLoci::readHead() {
  if (!startRecord("the number of loci"))
    return false;
  const auto count = words_.count("the number of loci", 1, kMostLoci);
  const auto risk = count ? words_.count("the risk locus", 0, *count) : std::nullopt;
  if (!risk)
    return false;
  risk_ = *risk;
  const auto sexLinked = words_.count("the mark of X-linked loci", 0, 1);
  if (!sexLinked)
    return false;
  isXLinked_ = *sexLinked == 1;
  count_ = *count;

  if (!startRecord("the locus that mutates"))
    return false;
  const auto mutates = words_.nextOfRecord("the locus that mutates, or 0");
  if (!mutates || !words_.countOf(*mutates, "the locus that mutates", 0, count_))
    return false;
  if (mutates->text != "0")
    return words_.error(mutates->range, "mutation is not supported: write 0 for no locus");
  if (!words_.number("the mutation rate of men", 0, 1) ||
      !words_.number("the mutation rate of women", 0, 1))
    return false;
  const auto haplotypes = words_.nextOfRecord("0, or 1 for frequencies of haplotypes");
  if (!haplotypes)
    return false;
  return haplotypes->text == "0" ||
         words_.error(haplotypes->range,
                      "linkage disequilibrium (frequencies of haplotypes) is not supported: write "
                      "0 for loci in equilibrium");
}

bool LinkageLoci::readOrder() {
  if (!startRecord("the order of the loci"))
    return false;
  std::vector<bool> isPlaced(count_, false);
  for (uint64_t i = 0; i < count_; ++i) {
    const auto word = words_.nextOfRecord("a locus of the order on the chromosome");
    const auto number =
        word ? words_.countOf(*word, "a locus of the order on the chromosome", 1, count_)
             : std::nullopt;
    if (!number)
      return false;
    if (isPlaced[*number - 1])
      return words_.error(word->range, "the order on the chromosome has locus {} twice", *number);
    isPlaced[*number - 1] = true;
    map_.order.push_back(*number - 1);
  }
  return true;
}

bool LinkageLoci::readLocus(uint64_t index) {
  const std::string what = fmt::format("the kind of locus {}", index + 1);
  if (!startRecord(what))
    return false;
  const auto word = words_.nextOfRecord(what);
  const auto kind = word ? words_.countOf(*word, what, 0, kNumbered) : std::nullopt;
  if (!kind)
    return false;
  if (*kind == kQuantitative)
    return words_.error(word->range,
                        "locus {} is a quantitative trait (kind 0), which is not supported: the "
                        "kinds are 1 (affection), 2 (binary factors) and 3 (numbered alleles)",
                        index + 1);
  const auto alleles = words_.count("the number of alleles", 1,
                                    *kind == kNumbered ? kMostAlleles : kMostTableAlleles);
  if (!alleles)
    return false;
  Locus locus{.name = fmt::format("l{}", index + 1),
              .alleles = {},
              .frequencies = {},
              .isXLinked = isXLinked_};
  locus.kind = *kind == kAffection ? LocusKind::Affection
               : *kind == kFactors ? LocusKind::Factors
                                   : LocusKind::Numbered;
  if (!readFrequencies(locus, *alleles) ||
      (locus.kind == LocusKind::Affection && !readPenetrances(locus)) ||
      (locus.kind == LocusKind::Factors && !readFactors(locus)))
    return false;
  map_.loci.push_back(std::move(locus));
  return risk_ != index + 1 ||
         (startRecord("the risk allele") && words_.count("the risk allele", 1, *alleles));
}

bool LinkageLoci::readFrequencies(Locus &locus, uint64_t alleles) {
  if (!startRecord("the frequencies of alleles"))
    return false;
  double sum = 0;
  SourceRange place;
  for (uint64_t a = 0; a < alleles; ++a) {
    const auto word = words_.nextOfRecord("the frequency of an allele");
    const auto frequency =
        word ? words_.numberOf(*word, "the frequency of an allele", 0, 1) : std::nullopt;
    if (!frequency)
      return false;
    place = a == 0 ? word->range : SourceRange{place.begin, word->range.end};
    sum += *frequency;
    locus.alleles.push_back(fmt::format("{}", a + 1));
    locus.frequencies.push_back(*frequency);
  }
  if (std::abs(sum - 1) > kFarthestSum)
    return words_.error(place,
                        "the frequencies of the {} alleles of locus {} have the sum {}, not 1",
                        alleles, locus.name.substr(1), sum);
  if (normalises_)
    for (double &frequency : locus.frequencies)
      frequency /= sum;
  if (std::abs(sum - 1) > kRowSumTolerance)
    words_.diagnostics().report(
        {normalises_ ? Severity::Note : Severity::Warning, words_.placeOf(place),
         fmt::format(
             "the frequencies of the {} alleles of locus {} have the sum {:.9g}, and are {}",
             alleles, locus.name.substr(1), sum,
             normalises_ ? "divided by it" : "taken as they are"),
         normalises_ ? "" : "--normalise divides them by their sum"});
  return true;
}

bool LinkageLoci::readPenetrances(Locus &locus) {
  if (!startRecord("the number of liability classes"))
    return false;
  const auto classes = words_.count("the number of liability classes", 1, kMostClasses);
  if (!classes)
    return false;
  const size_t alleles = locus.alleles.size();
  for (uint64_t c = 0; c < *classes; ++c) {
    if (!startRecord("the penetrances of a liability class"))
      return false;
    std::vector<double> &row = locus.penetrances.emplace_back(genotypeIndex(0, alleles));
    for (size_t a = 0; a < alleles; ++a)
      for (size_t b = a; b < alleles; ++b) {
        const auto penetrance = words_.number("a penetrance", 0, 1);
        if (!penetrance)
          return false;
        row[genotypeIndex(a, b)] = *penetrance;
      }
    if (!locus.isXLinked)
      continue;
    if (!startRecord("the penetrances of men of a liability class"))
      return false;
    std::vector<double> &men = locus.malePenetrances.emplace_back();
    for (size_t a = 0; a < alleles; ++a) {
      const auto penetrance = words_.number("a penetrance of men", 0, 1);
      if (!penetrance)
        return false;
      men.push_back(*penetrance);
    }
  }
  return true;
}

bool LinkageLoci::readFactors(Locus &locus) {
  if (!startRecord("the number of factors"))
    return false;
  const auto factors = words_.count("the number of factors", 1, kMostFactors);
  if (!factors)
    return false;
  locus.factorCount = *factors;
  for (size_t a = 0; a < locus.alleles.size(); ++a) {
    if (!startRecord("the factors of an allele"))
      return false;
    uint64_t bits = 0;
    for (uint64_t f = 0; f < *factors; ++f) {
      const auto bit = words_.count("a factor of an allele", 0, 1);
      if (!bit)
        return false;
      bits |= *bit << f;
    }
    locus.factors.push_back(bits);
  }
  return true;
}

bool LinkageLoci::readFractionList(std::vector<double> &fractions, std::string_view what) {
  if (count_ == 1)
    return true;
  if (!startRecord(what))
    return false;
  for (uint64_t i = 1; i < count_; ++i) {
    const auto fraction = words_.number(what, 0, 0.5);
    if (!fraction)
      return false;
    fractions.push_back(*fraction);
  }
  return true;
}

bool LinkageLoci::readFractions() {
  if (count_ == 1) // LINKAGE has nothing to say about one locus, and files may end here
    return true;
  if (!startRecord("the sex difference"))
    return false;
  const auto difference = words_.count("the sex difference", kEqual, kGiven);
  const auto interference =
      difference ? words_.nextOfRecord("the mark of interference") : std::nullopt;
  if (!interference)
    return false;
  if (interference->text != "0")
    return words_.error(interference->range, "interference is not supported: write 0 for none");
  if (!readFractionList(map_.fractions, "a recombination fraction"))
    return false;
  if (*difference == kGiven)
    return readFractionList(map_.femaleFractions, "a recombination fraction of mothers");
  if (*difference == kConstantRatio) {
    if (!startRecord("the ratio of distances of mothers to those of fathers"))
      return false;
    map_.femaleRatio =
        words_.number("the ratio of distances of mothers to those of fathers", 0, 1e6);
    return map_.femaleRatio.has_value();
  }
  return true;
}

} // namespace

std::optional<LocusMap> readLinkageLoci(WordReader &words, bool normalises) {
  return LinkageLoci(words, normalises).read();
}

bool startsAsLinkageLoci(std::shared_ptr<const SourceBuffer> text) {
  Diagnostics unused;
  WordReader words(std::move(text), unused);
  return LinkageLoci(words, false).readStart();
}

} // namespace mpf
