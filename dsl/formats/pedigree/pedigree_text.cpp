#include "dsl/formats/pedigree/pedigree_text.h"

#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <iterator>
#include <set>
#include <span>

namespace mpf {

namespace {

/// The two alleles of a person.
struct Side {
  const char *allele, *source; ///< kinds of variables
};
constexpr Side kFromFather{"pat", "patsrc"}, kFromMother{"mat", "matsrc"};
constexpr std::array<Side, 2> kSides = {kFromFather, kFromMother};

/// The alleles that a person has at the locus.
std::span<const Side> sidesOf(const Locus &locus, const Person &person) {
  return std::span(kSides).subspan(isHemizygous(locus, person) ? 1 : 0);
}

bool isPaternal(const Side &side) { return side.allele == kFromFather.allele; }

/// Whether a child's allele comes from one of two grandparents. A father has one X-linked allele.
bool hasSource(const Locus &locus, const Side &side) {
  return !locus.isXLinked || !isPaternal(side);
}

std::string quotedList(std::span<const std::string> texts) {
  std::string list;
  for (const std::string &text : texts)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", spellString(text));
  return list;
}

std::string numberList(std::span<const double> numbers) {
  std::string list;
  for (const double number : numbers)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", formatDouble(number));
  return list;
}

/// The distinct unions of the factors of two alleles, ascending.
std::vector<uint64_t> unionsOf(const Locus &locus) {
  std::set<uint64_t> unions;
  for (const uint64_t a : locus.factors)
    for (const uint64_t b : locus.factors)
      unions.insert(a | b);
  return {unions.begin(), unions.end()};
}

/// "101": the factors in their order.
std::string factorText(uint64_t factors, size_t count) {
  std::string text;
  for (size_t f = 0; f < count; ++f)
    text += (factors >> f & 1) != 0 ? '1' : '0';
  return text;
}

/// The name of what all families share about a locus.
std::string sharedName(std::string_view kind, const Locus &locus) {
  return spellName(fmt::format("{}_{}", kind, locus.name));
}

/// A table over two alleles; `entries` has the text of the entry of each pair.
template <class Entries> std::string tableText(size_t alleles, const Entries &entries) {
  std::vector<std::string> rows;
  for (size_t a = 0; a < alleles; ++a) {
    std::vector<std::string> row;
    for (size_t b = 0; b < alleles; ++b)
      row.push_back(entries(a, b));
    rows.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
  }
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::string penetranceText(const Locus &locus) {
  std::vector<std::string> tables;
  for (const std::vector<double> &liability : locus.penetrances)
    tables.push_back(tableText(locus.alleles.size(), [&](size_t a, size_t b) {
      const double affected = liability[genotypeIndex(a, b)];
      return fmt::format("[{}, {}]", formatDouble(1 - affected), formatDouble(affected));
    }));
  return fmt::format("[{}]", fmt::join(tables, ", "));
}

/// The probabilities of a man's status for each liability class and allele.
std::string malePenetranceText(const Locus &locus) {
  std::vector<std::string> tables;
  for (const std::vector<double> &liability : locus.malePenetrances) {
    std::vector<std::string> rows;
    for (const double affected : liability)
      rows.push_back(fmt::format("[{}, {}]", formatDouble(1 - affected), formatDouble(affected)));
    tables.push_back(fmt::format("[{}]", fmt::join(rows, ", ")));
  }
  return fmt::format("[{}]", fmt::join(tables, ", "));
}

/// A row of each allele of a man: 1 for the factors that he shows.
std::string maleShownText(const Locus &locus) {
  std::vector<std::string> rows;
  for (const uint64_t allele : locus.factors) {
    std::vector<int> shown;
    for (const uint64_t factors : unionsOf(locus))
      shown.push_back(allele == factors ? 1 : 0);
    rows.push_back(fmt::format("[{}]", fmt::join(shown, ", ")));
  }
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::string shownText(const Locus &locus) {
  const std::vector<uint64_t> unions = unionsOf(locus);
  return tableText(locus.alleles.size(), [&](size_t a, size_t b) {
    std::vector<int> shown;
    for (const uint64_t factors : unions)
      shown.push_back((locus.factors[a] | locus.factors[b]) == factors ? 1 : 0);
    return fmt::format("[{}]", fmt::join(shown, ", "));
  });
}

/// The declarations of one family at one locus.
class LocusText {
public:
  LocusText(std::string &text, const FamilyNetwork &network, size_t index, size_t place)
      : text_(text), family_(network.family), fixed_(network.fixed), locus_(network.loci[index]),
        index_(index), place_(place) {}

  /// `before`: the neighbour on the chromosome, null for the first locus.
  void append(const Locus *before, const Interval *interval);

private:
  template <class... Args> void add(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  std::string name(std::string_view kind, const Person &person) const {
    return spellName(variableName(kind, family_, person, locus_));
  }
  std::string domain(std::string_view kind) const {
    return spellName(fmt::format("{}_{}_{}", kind, family_.name, locus_.name));
  }
  void addDomains();
  void addFounder(const Person &person);
  void addInherited(const Person &child, const Person &parent, const Side &side);
  void addSource(size_t child, const Side &side, const Locus *before, const Interval *interval);
  void addSeen(const Person &person);
  void addStatus(const Person &person);
  void addFactors(const Person &person);

  std::string &text_;
  const Family &family_;
  const FixedSources &fixed_;
  const Locus &locus_;
  const size_t index_, place_; ///< among the columns; on the chromosome
};

void LocusText::addDomains() {
  std::vector<std::string> pairs;
  for (size_t high = 0; high < locus_.alleles.size(); ++high)
    for (size_t low = 0; low <= high; ++low)
      pairs.push_back(fmt::format("{}/{}", locus_.alleles[low], locus_.alleles[high]));
  add("domain {} = {{ {} }}\n", domain("alleles"), quotedList(locus_.alleles));
  add("domain {} = {{ {} }}\n", domain("pairs"), quotedList(pairs));
  if (locus_.kind != LocusKind::Factors)
    return;
  const std::vector<uint64_t> unions = unionsOf(locus_);
  std::vector<std::string> shown;
  for (const uint64_t factors : unions)
    shown.push_back(factorText(factors, locus_.factorCount));
  add("domain {} = {{ {} }}\n", domain("factors"), quotedList(shown));
}

void LocusText::addFounder(const Person &person) {
  for (const Side &side : sidesOf(locus_, person))
    add("prob P({}) = [{}]\n", name(side.allele, person), numberList(locus_.frequencies));
}

/// The allele of a child is that of the parent's father or of the parent's mother. A man has one.
void LocusText::addInherited(const Person &child, const Person &parent, const Side &side) {
  const std::string allele = name(side.allele, child);
  if (!hasSource(locus_, side))
    return add("prob P({0} | {1}) = state({0}) == state({1})\n", allele,
               name(kFromMother.allele, parent));
  const std::string source = name(side.source, child);
  const std::string ofFather = name(kFromFather.allele, parent),
                    ofMother = name(kFromMother.allele, parent);
  add("prob P({0} | {1}, {2}, {3}) = state({0}) == (state({1}) == 0 ? state({2}) : state({3}))\n",
      allele, source, ofFather, ofMother);
}

/// Where the chain begins behind this locus, the source at the locus before follows from this one.
void LocusText::addSource(size_t child, const Side &side, const Locus *before,
                          const Interval *interval) {
  const Person &person = family_.people[child];
  const std::string source = name(side.source, person);
  const size_t fixed = fixed_[child][isPaternal(side) ? 0 : 1],
               start = fixed == kNotFixed ? 0 : fixed;
  if (place_ == start)
    add("prob P({}) = [{}]\n", source, fixed == kNotFixed ? "0.5, 0.5" : "1, 0");
  if (before == nullptr)
    return;
  const std::string other = spellName(variableName(side.source, family_, person, *before));
  const bool isBehind = place_ > start;
  add("prob P({0} | {1}) = [[1 - {2}, {2}], [{2}, 1 - {2}]]\n", isBehind ? source : other,
      isBehind ? other : source, isPaternal(side) ? interval->father : interval->mother);
}

void LocusText::addStatus(const Person &person) {
  const Phenotype &seen = person.seen[index_];
  const std::string status = name("status", person);
  add("var {} : {{ unaffected, affected }}\n", status);
  if (isHemizygous(locus_, person))
    add("prob P({} | {}) = {}[{}]\n", status, name(kFromMother.allele, person),
        sharedName("male_penetrance", locus_), seen.liability);
  else
    add("prob P({} | {}, {}) = {}[{}]\n", status, name(kFromFather.allele, person),
        name(kFromMother.allele, person), sharedName("penetrance", locus_), seen.liability);
  if (seen.isKnown)
    add("observe {} = {}\n", status, seen.isAffected ? "affected" : "unaffected");
}

void LocusText::addFactors(const Person &person) {
  const std::string factors = name("factors", person);
  add("var {} : {}\n", factors, domain("factors"));
  if (isHemizygous(locus_, person))
    add("prob P({} | {}) = {}\n", factors, name(kFromMother.allele, person),
        sharedName("male_shown", locus_));
  else
    add("prob P({} | {}, {}) = {}\n", factors, name(kFromFather.allele, person),
        name(kFromMother.allele, person), sharedName("shown", locus_));
  if (person.seen[index_].isKnown)
    add("observe {} = {}\n", factors,
        spellString(factorText(person.seen[index_].factors, locus_.factorCount)));
}

void LocusText::addSeen(const Person &person) {
  const std::string pair = name("geno", person), a = name(kFromFather.allele, person),
                    b = name(kFromMother.allele, person);
  add("var {} : {}\n", pair, domain("pairs"));
  if (isHemizygous(locus_, person))
    add("prob P({0} | {1}) = state({0}) == one * (one + 3) / 2 where one = state({1})\n", pair, b);
  else
    add("prob P({0} | {1}, {2}) = state({0}) == high * (high + 1) / 2 + low "
        "where high = max(state({1}), state({2})), low = min(state({1}), state({2}))\n",
        pair, a, b);
  if (const Phenotype &seen = person.seen[index_];
      locus_.kind == LocusKind::Numbered && seen.isKnown)
    add("observe {} = {}\n", pair,
        spellString(fmt::format("{}/{}", locus_.alleles[std::min(seen.first, seen.second)],
                                locus_.alleles[std::max(seen.first, seen.second)])));
  if (locus_.kind == LocusKind::Affection)
    addStatus(person);
  if (locus_.kind == LocusKind::Factors)
    addFactors(person);
}

void LocusText::append(const Locus *before, const Interval *interval) {
  addDomains();
  for (const Person &person : family_.people) {
    std::vector<std::string> alleles, sources;
    for (const Side &side : sidesOf(locus_, person)) {
      alleles.push_back(name(side.allele, person));
      if (!person.isFounder() && hasSource(locus_, side))
        sources.push_back(name(side.source, person));
    }
    add("var {} : {}\n", fmt::join(alleles, ", "), domain("alleles"));
    if (!sources.empty())
      add("var {} : {{ grandfather, grandmother }}\n", fmt::join(sources, ", "));
    if (person.isFounder())
      addFounder(person);
    addSeen(person);
  }
  for (size_t c = 0; c < family_.people.size(); ++c) {
    const Person &child = family_.people[c];
    if (child.isFounder())
      continue;
    for (const Side &side : sidesOf(locus_, child)) {
      if (hasSource(locus_, side))
        addSource(c, side, before, interval);
      addInherited(child, family_.people[isPaternal(side) ? child.father : child.mother], side);
    }
  }
}

} // namespace

std::string_view seenKind(LocusKind kind) {
  return kind == LocusKind::Affection ? "status" : kind == LocusKind::Factors ? "factors" : "geno";
}

std::string variableName(std::string_view kind, const Family &family, const Person &person,
                         const Locus &locus) {
  return fmt::format("{}_{}_{}_{}", kind, family.name, person.id, locus.name);
}

void appendLocus(std::string &text, const Locus &locus) {
  if (locus.kind == LocusKind::Affection)
    text += fmt::format("param {}[][][][] = {}\n", sharedName("penetrance", locus),
                        penetranceText(locus));
  if (locus.kind == LocusKind::Factors)
    text += fmt::format("param {}[][][] = {}\n", sharedName("shown", locus), shownText(locus));
  if (locus.kind == LocusKind::Affection && locus.isXLinked)
    text += fmt::format("param {}[][][] = {}\n", sharedName("male_penetrance", locus),
                        malePenetranceText(locus));
  if (locus.kind == LocusKind::Factors && locus.isXLinked)
    text +=
        fmt::format("param {}[][] = {}\n", sharedName("male_shown", locus), maleShownText(locus));
}

void appendFamily(std::string &text, const FamilyNetwork &network, std::span<const size_t> order,
                  std::span<const Interval> intervals) {
  for (size_t i = 0; i < order.size(); ++i)
    LocusText(text, network, order[i], i)
        .append(i == 0 ? nullptr : &network.loci[order[i - 1]],
                i == 0 ? nullptr : &intervals[i - 1]);
}

void appendFamilyQuery(std::string &text, const FamilyNetwork &network) {
  const Family &family = network.family;
  fmt::format_to(std::back_inserter(text), "query {} = sum()",
                 spellName(fmt::format("family_{}", family.name)));
  const char *separator = " ";
  for (const Locus &locus : network.loci)
    for (const Person &person : family.people) {
      const auto add = [&](std::string_view kind) {
        fmt::format_to(std::back_inserter(text), "{}P({})", separator,
                       spellName(variableName(kind, family, person, locus)));
        separator = " * ";
      };
      for (const Side &side : sidesOf(locus, person)) {
        add(side.allele);
        if (!person.isFounder() && hasSource(locus, side))
          add(side.source);
      }
      add("geno");
      if (locus.kind != LocusKind::Numbered)
        add(seenKind(locus.kind));
    }
  text += '\n';
}

} // namespace mpf
