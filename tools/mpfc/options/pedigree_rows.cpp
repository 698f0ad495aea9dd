// Options for files of families.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

#include <array>
#include <cmath>

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<MapFunction> kMapFunctions[] = {{"haldane", MapFunction::Haldane},
                                                    {"kosambi", MapFunction::Kosambi}};

template <auto member>
void readPedigreeFileName(Options &options, const OptionRow &, const std::string &text) {
  options.reading.pedigree.*member = text;
}

void readMapFunction(Options &options, const OptionRow &row, const std::string &text) {
  options.reading.pedigree.mapFunction = valueOfWord<kMapFunctions>(row, text);
}

void readPosition(Options &options, const OptionRow &row, const std::string &text) {
  const std::optional<double> position = parseDouble(text);
  if (!position || !std::isfinite(*position))
    fail(ErrorKind::Usage, "{} {}: expected a place in centimorgans", row.name, text);
  options.reading.pedigree.position = position;
}

/// Reads the frequency of the trait's allele, and the penetrances of 0, 1 and 2 of it.
void readTrait(Options &options, const OptionRow &row, const std::string &text) {
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
         row.name, text);
  options.reading.pedigree.trait = {numbers[0], {numbers[1], numbers[2], numbers[3]}};
}

constexpr OptionRow kPedigreeRows[] = {
    {.name = kLociOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "FILE",
     .brief = "the loci of a pedigree: LINKAGE's .dat file, or PLINK's .map file",
     .text = "The ending .map means PLINK. Without a file of loci all columns are markers.",
     .value = {readPedigreeFileName<&PedigreeOptions::loci>, Completion::File},
     .effects = {&effect::kTextOnly}},
    {.name = kFrequenciesOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "FILE",
     .brief = "the frequencies of alleles of PLINK's markers: a .frq file",
     .text = "Without it they are those of the founders.",
     .value = {readPedigreeFileName<&PedigreeOptions::frequencies>, Completion::File},
     .effects = {&effect::kTextOnly}},
    {.name = kTraitOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "NUMBERS",
     .brief = "the locus behind PLINK's phenotype",
     .text = "Four numbers with commas between: the frequency of its second allele, and the "
             "probability that someone with none, one and two of it is affected. The locus is "
             "unlinked, unless -D theta1 or --position says where it is.",
     .value = {readTrait},
     .effects = {&effect::kTextOnly}},
    {.name = kMapFunctionOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "NAME",
     .brief = "how centimorgans become recombination fractions",
     .preset = "haldane",
     .value = {readMapFunction, Completion::Choices, wordsOf<kMapFunctions>},
     .effects = {&effect::kTextOnly}},
    {.name = kPositionOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "CM",
     .brief = "where the affection locus is on the map of the markers",
     .text = "In centimorgans. The param position moves it between the same two markers; -D "
             "position=NUMBER moves it anywhere. The first "
             "marker of a "
             ".dat file is at 0.",
     .value = {readPosition},
     .effects = {&effect::kTextOnly}},
};

} // namespace

std::span<const OptionRow> pedigreeRows() { return kPedigreeRows; }

} // namespace mpf::driver
