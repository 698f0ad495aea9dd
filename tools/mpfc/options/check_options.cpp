#include "tools/mpfc/options/check_options.h"

#include "codegen/kernel/form/target.h"
#include "dsl/support/check.h"
#include "dsl/support/files/trusted_path.h"
#include "tools/mpfc/options/option_table.h"
#include "tools/mpfc/options/output_names.h"
#include "tools/mpfc/options/written_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>

namespace mpf::driver {

namespace {

/// "mpfc run", "--emit=plan": what the command makes, in messages.
std::string whatIsMade(const Options &options) {
  return options.emitStage ? fmt::format("--emit={}", stageInfo(*options.emitStage).name)
                           : "mpfc " + options.command;
}

void checkStart(const Options &options) {
  const Stage start = options.startStage;
  const bool planText = start >= Stage::Plan && start <= Stage::Cuda && start != Stage::Lanes;
  if (options.emitStage && *options.emitStage < start)
    fail(ErrorKind::Usage, "--emit={}: {} is {}, which comes after that stage",
         stageInfo(*options.emitStage).name, options.input, stageInfo(start).noun);
  if (planText && options.lastStage >= Stage::Bundle)
    fail(ErrorKind::Usage,
         "-x {}: {} holds no values of tables, which {} needs; give the model, and a plan with "
         "--plan FILE",
         stageInfo(start).name, stageInfo(start).noun, whatIsMade(options));
  if (start == Stage::Cuda && options.emitStage && *options.emitStage != Stage::Ptx)
    fail(ErrorKind::Usage, "--emit={}: CUDA text, which {} is said to be, is compiled to ptx only",
         stageInfo(*options.emitStage).name, options.input);
  if (start == Stage::Lanes && options.emitStage && *options.emitStage != Stage::Lanes &&
      *options.emitStage != Stage::Cuda && *options.emitStage != Stage::Ptx &&
      *options.emitStage != Stage::CompiledCpp)
    fail(ErrorKind::Usage,
         "--emit={}: of a lane program, which {} is said to be, only CUDA, PTX and C++ texts "
         "are made",
         stageInfo(*options.emitStage).name, options.input);
  if (!options.starts.has(start))
    fail(ErrorKind::Usage, "{} does not take {}, which is what {} {}{}", whatIsMade(options),
         stageInfo(start).noun, options.input,
         isGiven(options, "-x") ? "is said to be" : "is by its ending",
         start == Stage::Bundle ? ": name its model; --emit=bundle prints what it holds" : "");
}

/// Whether --plan replaces this part.
bool skippedByPlan(const Effect &effect, const Options &options) {
  if (options.plan.empty() || effect.byPlan == ByPlan::Needed)
    return false;
  const bool simplifies = options.simplify.value_or(Simplification::Off) != Simplification::Off;
  return effect.byPlan == ByPlan::Skipped || !simplifies;
}

bool acts(const Effect &effect, const Options &options) {
  return options.startStage >= effect.since && options.startStage <= effect.from &&
         options.lastStage >= effect.first && options.lastStage <= effect.last &&
         !skippedByPlan(effect, options) && (!effect.ofRunPass || !options.runPasses.empty()) &&
         (effect.command.empty() || effect.command == options.command);
}

/// Returns why the effect does not act.
std::string reason(const Effect &effect, const Options &options) {
  if (options.startStage > effect.from)
    return fmt::format("{} is {}, for which that is done", options.input,
                       stageInfo(options.startStage).noun);
  if (skippedByPlan(effect, options))
    return "--plan gives what that finds out";
  return fmt::format("{} does not come to that", whatIsMade(options));
}

const OptionRow &rowOf(std::string_view name, const Options &options) {
  const CommandRow *command = findCommand(options.command);
  const OptionRow *row = command == nullptr ? nullptr : findOption(name, command->command);
  MPF_CHECK(row != nullptr, "command {} has no option {}", options.command, name);
  return *row;
}

bool hasEffect(const OptionRow &row, const Options &options) {
  return std::ranges::any_of(row.effects, [&](const Effect *effect) {
    return effect != nullptr && acts(*effect, options);
  });
}

void checkEffects(const Options &options) {
  for (const std::string &name : options.given) {
    const OptionRow &row = rowOf(name, options);
    if (!hasEffect(row, options))
      fail(ErrorKind::Usage, "{} is for {}: {}", name, row.effects.front()->what,
           reason(*row.effects.front(), options));
  }
}

/// Throws Error(Usage) for an option about GPU kernels if the command line has no GPU kernels.
/// `run` compiles kernels for the CPU too, and `explain` says which: some options are for these as
/// well.
void checkForGpu(std::string_view name, const Options &options) {
  if (options.command == "run" && (name == "--runs" || name == "--forbid-compiling"))
    return;
  if (options.command == "explain" && name == "--runs")
    return;
  if (options.devices.excludesGpu())
    fail(ErrorKind::Usage, "{} is for GPU kernels: --device cpu has none", name);
  const bool isPlanned = name == "--runs" || name == "--autotune";
  const bool planned = !options.archs.empty() || (isPlanned && !options.target.empty());
  if (options.command == "build" && !planned)
    fail(ErrorKind::Usage, "{} is for GPU kernels: name a GPU with --arch", name);
}

/// Returns what -o of a command writes, for messages. Empty: a text that may have any name.
std::string_view writtenTo(const Options &options) {
  if (options.emitStage)
    return {};
  if (options.command == "run")
    return "-o writes .json, .csv, .npy or .npz, else a result of the UAI competitions";
  if (options.command == "show")
    return "-o writes .json or text";
  return options.command == "explain" ? "-o writes .json, .html or text" : std::string_view();
}

/// The format of the file that `option` writes; none: a text of any name.
std::optional<OutputFormat> formatWritten(std::string_view option, const Options &options) {
  return option == "--json"   ? OutputFormat::Json
         : option == "--html" ? OutputFormat::Html
                              : options.format;
}

/// Throws Error(Usage) if a file that is written would replace another that is read or written.
/// Files that the model names are checked when they are read (load_model.h).
void checkWritten(const Options &options) {
  std::vector<std::pair<std::string_view, std::string>> before;
  for (const auto &[name, path] : writtenFiles(options)) {
    requirePlainName(name, path);
    const bool isJudged = formatByEnding(path) && formatWritten(name, options); // checkEndings
    if (const std::string_view written = writtenTo(options);
        name == "-o" && !written.empty() && !isJudged)
      requireNoOtherFormat(name, path, written);
    if (options.totals)
      requireNoArrayName(name, path, "--totals writes text");
    else if (!isJudged)
      requireNoArrayName(name, path, "here none are written");
    for (const auto &[other, otherPath] : before)
      if (isSameFile(path, otherPath))
        fail(ErrorKind::Usage, "{} {} is the same file as {}", name, path, other);
    before.emplace_back(name, path);
  }
  if (options.command != "fmt")
    requireNotWritten(options, options.input, "the input");
  for (const auto &[name, path] :
       {std::pair("--evidence", options.evidence.value_or("")),
        std::pair("--likelihoods", options.virtualEvidence), std::pair("--cases", options.cases),
        std::pair("--uai-query", options.queryFile), std::pair("--order", options.orderFile),
        std::pair("--plan", options.plan), std::pair("--launches", options.launches)})
    requireNotWritten(options, path, name);
}

/// Throws Error(Usage) if the ending of a file names another format than what is written.
void checkEndings(const Options &options) {
  for (const auto &[name, path] : writtenFiles(options)) {
    const std::optional<OutputFormat> said = formatByEnding(path),
                                      written = formatWritten(name, options);
    if (said && written && *said != *written)
      fail(ErrorKind::Usage, "{} {}: the name says {}, {} {}", name, path, formatName(*said),
           name == "-o" ? "--format says" : "the option writes", formatName(*written));
  }
}

/// Throws Error(Usage) for a finding as the value of --evidence, which takes a file, and for a file
/// as the value of --query, which took one in earlier versions.
void checkAsked(const Options &options) {
  std::error_code ignored;
  if (const std::string file = options.evidence.value_or("");
      file.find('=') != std::string::npos && file.find('/') == std::string::npos &&
      !std::filesystem::exists(file, ignored))
    fail(ErrorKind::Usage, "--evidence {}: there is no such file; by name it is --observe '{}'",
         file, file);
  for (const ModelQuestions::Text &text : options.questions.queries)
    if (const std::string path(text->text()); path.find_first_of("./") != std::string::npos &&
                                              std::filesystem::is_regular_file(path, ignored))
      fail(ErrorKind::Usage, "--query {}: that is a file: --uai-query takes one", path);
}

/// Whether the file of -o has become that of --json or --html (output_names.h).
bool isMoved(const Options &options) {
  return (options.format == OutputFormat::Json && options.json != "-") ||
         (options.format == OutputFormat::Html && options.html != "-");
}

void checkFiles(const Options &options) {
  for (const auto &[name, path] :
       {std::pair("-o", options.output), std::pair("--json", options.json),
        std::pair("--html", options.html)})
    if (path.empty() && isGiven(options, name) && !isMoved(options))
      fail(ErrorKind::Usage, "{} needs the name of a file", name);
  checkWritten(options);
  checkEndings(options);
  size_t fromStdin = 0;
  for (const std::string &path :
       {options.input, options.evidence.value_or(""), options.virtualEvidence, options.cases,
        options.queryFile, options.orderFile, options.plan, options.launches})
    fromStdin += path == "-";
  if (fromStdin > 1)
    fail(ErrorKind::Usage, "- stands for {} files: there is one standard input", fromStdin);
  if (options.startStage == Stage::Bundle && options.input == "-")
    fail(ErrorKind::Usage, "a bundle is read from its file, not from the standard input");
  if (options.overrideKernels.empty())
    return;
  std::error_code status;
  if (!std::filesystem::is_directory(options.overrideKernels, status))
    fail(ErrorKind::BadInput, "--override-kernels {}: there is no such folder",
         options.overrideKernels);
  requireTrust(TrustedPath(options.overrideKernels, PathKind::Folder), options.overrideKernels);
}

void checkConflicts(const Options &options) {
  options.devices.check();
  for (const OptionConflict &conflict : optionConflicts())
    if (isGiven(options, conflict.name) && isGiven(options, conflict.other))
      fail(ErrorKind::Usage, "{} and {} exclude each other: {}", conflict.name, conflict.other,
           conflict.why);
  for (const char *name :
       {"--runs", "--autotune", "--dump-kernels", "--override-kernels", "--forbid-compiling"})
    if (isGiven(options, name))
      checkForGpu(name, options);
  const bool predicts =
      options.command == "explain" || (options.emitStage && *options.emitStage >= Stage::Schedule);
  if (predicts && options.target == kCpuTarget)
    fail(ErrorKind::Usage,
         "--target cpu: here a target is a GPU beside the CPU, {}; --device cpu "
         "leaves GPUs out",
         fmt::join(gpuTargetNames(), ", "));
  if (isGiven(options, "--pages-per-block") && !options.tagDigits)
    fail(ErrorKind::Usage, "--pages-per-block is for kernels with a cache tag: add --tag-digits");
  if (!options.orderFile.empty() && options.startStage == Stage::Plan)
    fail(ErrorKind::Usage, "--order {}: a file is for planning: {} is a plan", options.orderFile,
         options.input);
  if (isGiven(options, "--plan-rounds") && options.order != OrderMethod::Auto)
    fail(ErrorKind::Usage, "--plan-rounds is for a search: --order names one way to find an order");
  if (isGiven(options, "--launches") && !options.devices.requiresGpu())
    fail(ErrorKind::Usage, "--launches is for what a GPU launches: add --device gpu");
  if (options.trust && options.startStage != Stage::Bundle)
    fail(ErrorKind::Usage, "--trust is for bundles: {} is {}", options.input,
         stageInfo(options.startStage).noun);
  const bool isOnStdout = options.output == "-" || (options.output.empty() && options.format &&
                                                    options.format != OutputFormat::Text);
  if (isOnStdout && options.json == "-" && isGiven(options, "--json"))
    fail(ErrorKind::Usage, "{} and --json - exclude each other: there is one stdout",
         options.output == "-" ? "-o -" : "--format");
}

} // namespace

bool isGiven(const Options &options, std::string_view name) {
  return std::ranges::find(options.given, name) != options.given.end();
}

void checkSearch(const Options &options, const Model &model) {
  const auto isComplete = [&](const PartialOrder &chain) {
    return chain.size() == model.variables.size();
  };
  const bool given = std::any_of(model.orders.begin(), model.orders.end(), isComplete);
  const bool byFile = !options.orderFile.empty();
  for (const char *name : {"--order", "--seed", "--plan-rounds"})
    if (given && isGiven(options, name) && !(byFile && name == std::string_view("--order")))
      fail(ErrorKind::Usage, "{} is for the search for an order: {} gives the whole of it", name,
           byFile ? "--order " + options.orderFile : "the model");
  if (isGiven(options, "--seed") && options.order == OrderMethod::Sweep && model.orders.empty())
    fail(ErrorKind::Usage,
         "--seed is for the search for an order: --order sweep has no chance in it");
}

bool mayAdd(std::string_view option, const Options &options) {
  const auto excludes = [&](const OptionConflict &conflict) {
    return (conflict.name == option && isGiven(options, conflict.other)) ||
           (conflict.other == option && isGiven(options, conflict.name));
  };
  return hasEffect(rowOf(option, options), options) &&
         std::ranges::none_of(optionConflicts(), excludes);
}

void checkOptions(const Options &options) {
  checkStart(options);
  checkEffects(options);
  checkConflicts(options);
  checkAsked(options);
  checkFiles(options);
}

} // namespace mpf::driver
