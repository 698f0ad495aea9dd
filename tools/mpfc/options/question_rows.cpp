// Options about the question: the model, its params, evidence and queries.
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<UaiTask> kTasks[] = {{"PR", UaiTask::Pr},
                                         {"MAR", UaiTask::Mar},
                                         {"MPE", UaiTask::Mpe},
                                         {"MAP", UaiTask::Mpe},
                                         {"MMAP", UaiTask::Mmap}};

/// Adds a text in the words of a model, which messages call `row.name`.
template <auto member>
void addModelText(Options &options, const OptionRow &row, const std::string &text) {
  (options.questions.*member)
      .push_back(std::make_shared<const SourceBuffer>(std::string(row.name), text));
}

void readEvidenceFile(Options &options, const OptionRow &, const std::string &text) {
  if (text == "none")
    options.noEvidence = true;
  else
    options.evidence = text;
}

/// Returns the text without blanks at its ends.
std::string withoutBlanks(const std::string &text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

void addParam(ParamSettings &params, const std::string &name, const std::string &option,
              const std::string &text, const std::string &shown) {
  auto source = std::make_shared<const SourceBuffer>(option, text);
  if (!params.values.try_emplace(name, OutsideValue(std::move(source))).second)
    fail(ErrorKind::Usage, "{}: the param is given twice", shown);
}

/// Adds a param: n=32, n=2*k, w=[1, 2], beta=linspace(0, 1, 64), beta in [0.1, 0.2].
template <auto member>
void readParam(Options &options, const OptionRow &row, const std::string &text) {
  const size_t in = text.find(" in "), equals = text.find('=');
  const size_t end = std::min(in, equals);
  const std::string name = end == std::string::npos ? "" : withoutBlanks(text.substr(0, end));
  if (name.empty())
    fail(ErrorKind::Usage, "{} {}: expected NAME=NUMBER, NAME=ARRAY or NAME=SWEEP", row.name, text);
  addParam(options.*member, name.front() == '`' ? unspell(name) : name, std::string(row.name), text,
           fmt::format("{} {}", row.name, text));
}

/// Adds a param with the value of a file: w=w.npy.
void readData(Options &options, const OptionRow &, const std::string &text) {
  const size_t equals = text.find('=');
  const std::string name = withoutBlanks(text.substr(0, equals));
  const std::string path = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (name.empty() || path.empty())
    fail(ErrorKind::Usage, "--data {}: expected NAME=FILE; a list of cases is --cases {}", text,
         text);
  addParam(options.params, name.front() == '`' ? unspell(name) : name, "--data",
           fmt::format("{} = file({})", name, spellString(path)), "--data " + text);
}

void readNormalise(Options &options, const OptionRow &, const std::string &) {
  options.reading.build.normalise = true;
}

constexpr OptionRow kQuestionRows[] = {
    {.name = "MODEL",
     .commands = kOnModels,
     .group = Question,
     .metavar = "MODEL",
     .brief = "the model; -: standard input",
     .text = "mpfc help formats lists what it may be.",
     .value = textIn<&Options::input>(Completion::File),
     .count = OptionCount::Required},
    {.name = "--query",
     .commands = {Command::Run, Command::Check, Command::Explain, Command::Build, Command::Emit},
     .group = Question,
     .metavar = "QUERY",
     .brief = "a query of the model by its name, or one in the words of a model",
     .text =
         "It replaces the queries of the model: evidence, marginals, best, 'P(a, b)'. It may be "
         "given several times. If only one is given, it may have conditions: "
         "'P(a | b = yes)'. A name that starts with one of these words is in backquotes.",
     .value = {addModelText<&ModelQuestions::queries>, Completion::Queries},
     .count = OptionCount::Any,
     .effects = {&effect::kChoosing, &effect::kAsking, &effect::kLoaded}},
    {.name = "--observe",
     .commands = kOnModels,
     .group = Question,
     .metavar = "EVIDENCE",
     .brief = "evidence in the words of a model: 'wet=yes, rain ~ [0.3, 0.7]'",
     .text = "It replaces what the model observes of these variables; a note says so.",
     .value = {addModelText<&ModelQuestions::observe>, Completion::Evidence},
     .count = OptionCount::Any,
     .effects = {&effect::kEvidence, &effect::kLoaded}},
    {.name = "--unobserve",
     .commands = kOnModels,
     .group = Question,
     .metavar = "NAMES",
     .brief = "variables whose evidence is taken away: 'wet, x[3]'",
     .value = {addModelText<&ModelQuestions::unobserve>, Completion::Variables},
     .count = OptionCount::Any,
     .effects = {&effect::kEvidence, &effect::kLoaded}},
    {.name = "--evidence",
     .commands = kOnModels,
     .group = Question,
     .metavar = "FILE",
     .brief = "an evidence file of the UAI competitions, or none",
     .text = "Without this option the file NAME.uai.evid beside NAME.uai is taken, else NAME.evid; "
             "a note says which.",
     .value = {readEvidenceFile, Completion::File},
     .effects = {&effect::kEvidence}},
    {.name = "-D",
     .commands = kOnModels,
     .group = Question,
     .metavar = "NAME=VALUE",
     .brief = "a param of the .mpf model: n=12, p=1/3, 'beta=linspace(0, 1, 64)'",
     .text =
         "VALUE is an expression, as behind '=' in a model. It may use params that are declared "
         "above NAME. A sweep makes a case for each of its values: linspace(FIRST, LAST, COUNT), "
         "FIRST..END or [A, B, ...]. An array takes [A, B], [[A, B], [C, D]] or file(...).",
     .value = {readParam<&Options::params>, Completion::Params},
     .count = OptionCount::Any,
     .effects = {&effect::kParams, &effect::kLoaded}},
    {.name = "--lod",
     .commands = {Command::Run},
     .group = Cases,
     .metavar = "NAME=VALUE",
     .brief = "columns of log-odds against this value of a swept param",
     .text = "lod(evidence) is log10 of the evidence over that with the value: the LOD scores of a "
             "pedigree are --lod theta=0.5. Each swept param has one.",
     .value = {readParam<&Options::lod>, Completion::Params},
     .count = OptionCount::Any,
     .effects = {&effect::kRunning}},
    {.name = "--data",
     .commands = kOnModels,
     .group = Question,
     .metavar = "NAME=FILE",
     .brief = "a param of the .mpf model, with the value of a file: w=w.npy",
     .text = "The same as -D 'NAME=file(\"FILE\")'. A file of several arrays has one called NAME.",
     .value = {readData, Completion::File},
     .count = OptionCount::Any,
     .effects = {&effect::kParams, &effect::kLoaded}},
    {.name = "--normalise",
     .commands = kOnModels,
     .group = Numbers,
     .brief = "divide rows of conditional tables by their sums",
     .text = "Without it a row within 0.01 of 1 is taken unchanged, with a warning.",
     .value = {readNormalise},
     .effects = {&effect::kTextOnly}},
    {.name = "--task",
     .commands = kOnQueries,
     .group = Uai,
     .metavar = "TASK",
     .brief = "a query by its name in the UAI competitions",
     .text = "PR is evidence, MAR marginals, MPE and MAP are best. MMAP is read, not yet answered.",
     .value = wordIn<kTasks, &Options::task>(),
     .effects = {&effect::kChoosing}},
    {.name = "--uai-query",
     .commands = kOnQueries,
     .group = Uai,
     .metavar = "FILE",
     .brief = "a query file of the UAI competitions",
     .text = "The query is the joint posterior of its variables, or what --task MMAP maximises "
             "over.",
     .value = textIn<&Options::queryFile>(Completion::File),
     .effects = {&effect::kChoosing}},
    {.name = "--likelihoods",
     .commands = kOnModels,
     .group = Uai,
     .metavar = "FILE",
     .brief = "likelihoods of single variables, as merlin reads them",
     .value = textIn<&Options::virtualEvidence>(Completion::File),
     .effects = {&effect::kEvidence}},
    {.name = "--uai-tables",
     .commands = kOnModels,
     .group = Uai,
     .metavar = "ORDER",
     .brief = "the order of entries in BAYES .uai files",
     .text = "aGrUM and pgmpy write other orders than the format.",
     .preset = "format",
     .value = {readFormatOption, Completion::Choices, wordsOf<kTableOrders>},
     .effects = {&effect::kTextOnly}},
};

} // namespace

std::span<const OptionRow> questionRows() { return kQuestionRows; }

} // namespace mpf::driver
