// Options for files of families.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr OptionRow kPedigreeRows[] = {
    {.name = kLociOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "FILE",
     .brief = "the loci of a pedigree: LINKAGE's .dat file, or PLINK's .map file",
     .text = "The ending .map means PLINK. Without a file of loci all columns are markers.",
     .value = {readFormatOption, Completion::File},
     .effects = {&effect::kTextOnly}},
    {.name = kFrequenciesOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "FILE",
     .brief = "the frequencies of alleles of PLINK's markers: a .frq file",
     .text = "Without it they are those of the founders.",
     .value = {readFormatOption, Completion::File},
     .effects = {&effect::kTextOnly}},
    {.name = kTraitOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "NUMBERS",
     .brief = "the locus behind PLINK's phenotype",
     .text = "Four numbers with commas between: the frequency of its second allele, and the "
             "probability that someone with none, one and two of it is affected. The locus is "
             "unlinked, unless -D theta1 or --position says where it is.",
     .value = {readFormatOption},
     .effects = {&effect::kTextOnly}},
    {.name = kMapFunctionOption,
     .commands = kOnModels,
     .group = Pedigrees,
     .metavar = "NAME",
     .brief = "how centimorgans become recombination fractions",
     .preset = "haldane",
     .value = {readFormatOption, Completion::Choices, wordsOf<kMapFunctions>},
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
     .value = {readFormatOption},
     .effects = {&effect::kTextOnly}},
};

} // namespace

std::span<const OptionRow> pedigreeRows() { return kPedigreeRows; }

} // namespace mpf::driver
