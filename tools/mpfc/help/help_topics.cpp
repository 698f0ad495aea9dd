#include "tools/mpfc/help/help_topics.h"

#include "dsl/formats/model_formats.h"
#include "dsl/support/files/file_input.h"
#include "tools/mpfc/explain/facts/report_words.h"
#include "tools/mpfc/help/command_page.h"
#include "tools/mpfc/help/option_text.h"
#include "tools/mpfc/help/text_block.h"
#include "tools/mpfc/options/option_table.h"

#include <fmt/ranges.h>
#include <vector>

namespace mpf::driver {

namespace {

constexpr const char *kLanguage = R"(A model in the language .mpf:

  model sprinkler
  domain yesno = { no, yes }
  var rain, sprinkler, wet : yesno
  var x[100] : 2                                    # an array; states 0 and 1
  param beta = 0.4                                  # -D beta=0.5
  prob P(rain) = { no: 0.8, yes: 0.2 }              # rows of prob sum to 1
  prob P(sprinkler | rain) = [[0.6, 0.4], [0.99, 0.01]]
  prob P(wet | sprinkler, rain) = [[[1, 0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]]
  for i in 0..99: factor f(x[i], x[i+1]) = exp(beta * (x[i] == x[i+1]))
  factor differ(rain, sprinkler) = rain != sprinkler
  observe wet = yes, x[0] = 1
  query evidence                                    # ln P(wet = yes), or ln Z
  query marginals                                   # each variable, given the evidence
  query P(rain, sprinkler)
  query best                                        # the most probable explanation
  query ways : u64 = count() differ                 # exact whole numbers

Values may come from files: prob P(wet | sprinkler, rain) = file("wet.npy"), .csv or numbers.
--observe, --query and -D speak the same language, for models of every format:

  mpfc run net.bif --observe 'wet=yes, rain ~ [0.3, 0.7]' --query 'P(rain | x[3] = 1)'

Names with blanks or signs, and reserved words, are in backquotes. mpfc check says what is wrong
with a model; mpfc fmt prints its canonical form. The whole grammar is in dsl/LANGUAGE.md.
)";

constexpr const char *kCases =
    R"(A list of cases is a table with one case a row: --cases FILE, or `observe cases file(...)` in a
model. FILE is CSV with a header, or .npy; packed or not; - is the standard input.

Columns   A variable's column has labels or state numbers. An empty cell is not observed.
          Columns wet=no and wet=yes are weights of a likelihood. A param's column sets the param.
          theta[yes][2] is an entry of a factor that is declared `input`.
          --keep-columns writes columns in front of the answers, --ignore-columns leaves them out.
Cells     --missing NA,? names texts that mean the same as an empty cell. Where labels look like
          numbers, --states says what a number means.
Sweeps    -D 'beta=linspace(0, 1, 9)' makes a case for each value, with each row of a list.
Bad rows  A row that cannot be understood ends the list, with exit code 1. With --on-error skip
          it is answered with empty cells.
Answers   -o FILE.csv, -o FILE.npy, or --json FILE for JSON Lines: the queries side by side, in
          the order of the rows. --totals gives the number of cases and the sum of logarithms.
The end   Ctrl-C and --time-limit complete the file with the rows that are answered by then.
)";

constexpr const char *kOutput = R"(Answers go to stdout, errors, warnings and notes to stderr.

-o FILE writes the answers to a file in place of stdout, in the format of its ending:

  .json   all answers: a list with an object for each query, with the labels of states; of a list
          of cases a line with an object for each row
  .csv    the entries of one query, a line each: variables, value. Marginals: variable, state,
          probability. A best assignment: variable, state. Of a list: a line for each row
  .npy    one array: a table in its shape, the states of a best assignment, or the rows of a list
  .npz    arrays of all queries by their names; marginals have one for each variable
  .sol    the states of a best assignment, as toulbar2 reads them
  mc, wmc, pmc, pwmc (--format): a count, in the lines of the model counting competitions
  other   a result of one query in the UAI competitions' format; of a list CSV

--format NAME says the format (text, json, csv, npy, npz, uai, sol, mc, wmc, pmc, pwmc) of another
name; without -o it goes to stdout. An ending that names another format is refused. --json FILE
writes JSON beside the text. Answers name the params and the evidence that the command line sets.

Arrays have doubles. A table with a number that no double holds, or a count above 2^53, is left out
of a .npz, with exit code 1; a row of a list with such a number is a bad row of a .npy.

A result file is moved into place when it is complete, so it is whole or not there. JSON has no
infinite numbers: they are the texts "inf" and "-inf". Files are written plain; a name that says
something else (.gz, .xlsx) is refused. If one of several queries is refused, the others are
answered, and the exit code is that of the first refusal.
)";

constexpr size_t kWordColumn = 26; ///< where the meaning of a word starts

constexpr const char *kExitCodes = R"(0    ok
1    bad input; a whole number that does not fit its type; what this version refuses
2    wrong usage
3    the memory bound cannot be met
4    time limit; a run above a day without consent
5    device not available
6    verification mismatch
70   internal error: always a bug of mpf
129  ended by SIGHUP: the terminal is gone
130  ended by SIGINT: Ctrl-C
141  ended by SIGPIPE: nobody reads stdout any more
143  ended by SIGTERM

The codes from 129 on are those that a shell shows for a process that a signal ended. While an
order is searched for, the first Ctrl-C ends only the search.
)";

constexpr const char *kEnvironment =
    R"(MPF_CACHE_DIR   the kernel cache; else XDG_CACHE_HOME/mpf, ~/.cache/mpf
MPF_LIBCUDA     the CUDA driver's library, in place of libcuda.so.1
MPF_NVRTC       the CUDA compiler's library, in place of libnvrtc.so
CXX             the compiler of CPU kernels; else c++, clang++ or g++ on PATH
TMPDIR          where CPU kernels are compiled; else /tmp
)";

/// The formats of model files, from their table.
std::string formatsText() {
  std::string text = "MODEL may be:\n\n";
  for (const ModelFormat &format : modelFormats()) {
    std::string endings;
    for (const std::string_view ending : format.endings)
      if (!ending.empty())
        endings += fmt::format("{}{}", endings.empty() ? "" : " ", ending);
    text += fmt::format("  {}\n", endings);
    text += textBlock(
        "", 6,
        fmt::format("{}: {}.{}{}", format.name, format.holds,
                    format.loses == "nothing" ? "" : fmt::format(" Lost: {}.", format.loses),
                    format.write == nullptr ? "" : " mpfc import -o writes it."));
  }
  return text + fmt::format("  .mpfb\n      a bundle of mpfc build\n\n"
                            "A file may be packed ({}). - is the standard input, in the format "
                            "that its first\nword tells. A .mpf text may include a network of "
                            "another format.\n\n"
                            "--cases FILE: CSV with a header, or .npy. --evidence FILE: evidence "
                            "of the UAI competitions.\n--order FILE: an elimination order "
                            "(toulbar2), or a tree decomposition (PACE .td).\n",
                            fmt::join(kCompressionEndings, " "));
}

/// The words of the report of mpfc explain.
std::string wordsText() {
  std::string text = "Words in the report of mpfc explain:\n\n";
  for (const ReportWord &word : reportWords())
    text += textBlock(fmt::format("  {}", word.word), kWordColumn,
                      fmt::format("{}{}", word.ofGpu ? "(GPU) " : "", word.meaning));
  text += "\nPasses, which simplify a model and make its plan:\n\n";
  for (const ReportWord &pass : passWords())
    text += textBlock(fmt::format("  {}", pass.word), kWordColumn, pass.meaning);
  return text;
}

/// Commands and options that the help for users leaves out.
std::string developersText() {
  std::string text = "Commands for developers (mpfc help COMMAND):\n" + commandsText(true);
  text += "\nOptions of the commands for users that their help leaves out:\n";
  for (const OptionRow *row : optionTable()) {
    if (row->group != OptionGroup::Developers)
      continue;
    std::vector<std::string_view> having;
    for (const CommandRow &command : commandTable())
      if (row->commands.has(command.command))
        having.push_back(command.name);
    text += textBlock("  " + optionTitle(*row), kOptionColumn,
                      fmt::format("{} [{}]", optionText(*row), fmt::join(having, ", ")));
  }
  return text;
}

constexpr HelpTopic kTopics[] = {
    {"language", "models, evidence and queries in the words of .mpf",
     [] { return std::string(kLanguage); }},
    {"cases", "lists of cases: columns, cells, bad rows", [] { return std::string(kCases); }},
    {"output", "what is written where", [] { return std::string(kOutput); }},
    {"formats", "files that mpfc reads and writes", formatsText},
    {"words", "the words of mpfc explain", wordsText},
    {"exit-codes", "what an exit code means", [] { return std::string(kExitCodes); }},
    {"environment", "variables that mpfc reads", [] { return std::string(kEnvironment); }},
    {"developers", "commands and options about stages, passes and kernels", developersText},
    {"commands", "every command and option, as a page in Markdown", commandPage, true},
};

} // namespace

std::span<const HelpTopic> helpTopics() { return kTopics; }

} // namespace mpf::driver
