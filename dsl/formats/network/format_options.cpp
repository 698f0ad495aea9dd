#include "dsl/formats/network/format_options.h"

#include "dsl/support/check.h"
#include "dsl/support/files/lower_case.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/ranges.h>

namespace mpf {

namespace {

/// Returns the value of one of `words`, in letters of any case.
template <const auto &words> auto valueOfWord(std::string_view option, const std::string &text) {
  std::vector<std::string_view> all;
  for (const auto &known : words) {
    if (known.word == lowerCase(text))
      return known.value;
    all.push_back(known.word);
  }
  fail(ErrorKind::Usage, "{} {}: there are {}", option, text, fmt::join(all, ", "));
}

template <auto member> void setFileName(ModelReadOptions &options, const std::string &text) {
  options.pedigree.*member = text;
}

template <auto member> bool hasFileName(const ModelReadOptions &options) {
  return !(options.pedigree.*member).empty();
}

template <auto member> bool isPedigreeSet(const ModelReadOptions &options) {
  return (options.pedigree.*member).has_value();
}

/// Reads the frequency of the trait's allele, and the penetrances of 0, 1 and 2 of it.
void setTrait(ModelReadOptions &options, const std::string &text) {
  std::array<double, 4> numbers{};
  size_t begin = 0;
  bool isGood = true;
  for (size_t i = 0; i < numbers.size() && isGood; ++i) {
    const size_t end = i + 1 == numbers.size() ? text.size() : text.find(',', begin);
    const auto number = end == std::string::npos || begin > end
                            ? std::nullopt
                            : parseDouble(std::string_view(text).substr(begin, end - begin));
    isGood = number && *number >= 0 && *number <= 1;
    numbers[i] = number.value_or(0);
    begin = end + 1;
  }
  if (!isGood)
    fail(ErrorKind::Usage,
         "{} {}: expected four numbers from 0 to 1: the frequency of the allele, and the "
         "penetrances of people with none, one and two of it",
         kTraitOption, text);
  options.pedigree.trait = {numbers[0], {numbers[1], numbers[2], numbers[3]}};
}

void setMapFunction(ModelReadOptions &options, const std::string &text) {
  options.pedigree.mapFunction = valueOfWord<kMapFunctions>(kMapFunctionOption, text);
}

void setPosition(ModelReadOptions &options, const std::string &text) {
  const std::optional<double> position = parseDouble(text);
  if (!position || !std::isfinite(*position))
    fail(ErrorKind::Usage, "{} {}: expected a place in centimorgans", kPositionOption, text);
  options.pedigree.position = position;
}

void setTableOrder(ModelReadOptions &options, const std::string &text) {
  options.uaiTables = valueOfWord<kTableOrders>(kUaiTablesOption, text);
}

void setChannel(ModelReadOptions &options, const std::string &text) {
  options.channel = channelNamed(text);
}

void setTensors(ModelReadOptions &options, const std::string &text) { options.tensors = text; }

constexpr FormatOption kFormatOptions[] = {
    {kUaiTablesOption, "the order of entries in BAYES .uai files", setTableOrder,
     [](const ModelReadOptions &options) { return options.uaiTables.has_value(); }},
    {kLociOption, "the loci of a pedigree: LINKAGE's .dat file, or PLINK's .map file",
     setFileName<&PedigreeOptions::loci>, hasFileName<&PedigreeOptions::loci>},
    {kFrequenciesOption, "the frequencies of alleles of PLINK's markers: a .frq file",
     setFileName<&PedigreeOptions::frequencies>, hasFileName<&PedigreeOptions::frequencies>},
    {kTraitOption, "the locus behind PLINK's phenotype", setTrait,
     isPedigreeSet<&PedigreeOptions::trait>},
    {kMapFunctionOption, "how centimorgans become recombination fractions", setMapFunction,
     isPedigreeSet<&PedigreeOptions::mapFunction>},
    {kPositionOption, "where the affection locus is on the map of the markers", setPosition,
     isPedigreeSet<&PedigreeOptions::position>},
    {kChannelOption, "the channel of the words of a code: llr, bsc:P or awgn:SIGMA", setChannel,
     [](const ModelReadOptions &options) { return options.channel.has_value(); }},
    {kTensorsOption, "the tensors of an .einsum or .json model: a .npz archive", setTensors,
     [](const ModelReadOptions &options) { return !options.tensors.empty(); }},
};

} // namespace

std::span<const FormatOption> formatOptions() { return kFormatOptions; }

const FormatOption *formatOptionNamed(std::string_view name) {
  const auto *const found = std::ranges::find(kFormatOptions, name, &FormatOption::name);
  return found == std::end(kFormatOptions) ? nullptr : found;
}

std::string_view hostName(const FormatOption &option) { return option.name.substr(2); }

std::vector<std::string_view> formatOptionsOf(const ModelReadOptions &options) {
  std::vector<std::string_view> names;
  for (const FormatOption &option : kFormatOptions)
    if (option.isSet(options))
      names.push_back(option.name);
  return names;
}

} // namespace mpf
