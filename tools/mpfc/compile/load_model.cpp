#include "tools/mpfc/compile/load_model.h"

#include "dsl/formats/cases/open_cases.h"
#include "dsl/formats/codes/received_words.h"
#include "dsl/formats/model_files.h"
#include "dsl/formats/model_formats.h"
#include "dsl/formats/order_file.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/formats/used_formats.h"
#include "dsl/model/build/check_algebra.h"
#include "dsl/model/read/read_model.h"
#include "dsl/source/text_error.h"
#include "dsl/support/error.h"
#include "tools/mpfc/compile/fit_model.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/options/written_files.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <utility>

namespace mpf::driver {

namespace {

/// Returns the evidence file to read, if any: that of --evidence, or the one beside the model.
std::optional<std::string> evidencePath(const Options &options) {
  if (options.evidence || options.noEvidence)
    return options.evidence;
  if (options.startStage != Stage::Source)
    return std::nullopt;
  const std::optional<std::string> beside = evidenceBeside(options.input);
  if (beside) {
    requireNotWritten(options, *beside, "the evidence beside the model");
    say("mpfc: note: evidence from {} (--evidence none: without it)\n", *beside);
  }
  return beside;
}

/// The texts that a model is read from; each is loaded once.
struct ModelTexts {
  std::shared_ptr<const SourceBuffer> model, evidence, virtualEvidence, order; ///< null: none

  explicit ModelTexts(const Options &options) : model(loadText(options.input)) {
    if (const std::optional<std::string> path = evidencePath(options))
      evidence = loadText(*path);
    if (!options.virtualEvidence.empty())
      virtualEvidence = loadText(options.virtualEvidence);
    if (!options.orderFile.empty())
      order = loadText(options.orderFile);
  }
};

/// Arrays of files that the command does not write.
class UnwrittenArrays final : public ArraySource {
public:
  UnwrittenArrays(const Options &options, std::unique_ptr<ArraySource> files)
      : options_(options), files_(std::move(files)) {}

  std::shared_ptr<const ArrayFile> numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                                           const SourcePlace &place) override {
    check(request);
    return files_->numbers(request, diagnostics, place);
  }
  std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                const SourcePlace &place) override {
    check(request);
    return files_->words(request, diagnostics, place);
  }

private:
  void check(const ArrayRequest &request) const {
    requireNotWritten(options_, request.path, "what the model reads");
  }

  const Options options_;
  std::unique_ptr<ArraySource> files_;
};

/// Returns readers of the files that a model names. They refuse files that the command writes.
ModelFiles filesToRead(const Options &options) {
  ModelFiles files = filesOnDisk(options.columns, options.reading);
  const auto unlessWritten = [options](auto read) {
    return [options, read](const std::string &path, auto &&...rest) {
      requireNotWritten(options, path, "what the model reads");
      return read(path, std::forward<decltype(rest)>(rest)...);
    };
  };
  files.readText = unlessWritten(files.readText);
  files.openArrays = [options, open = files.openArrays] {
    return std::make_unique<UnwrittenArrays>(options, open());
  };
  files.openCases = unlessWritten(files.openCases);
  files.importModel = unlessWritten(files.importModel);
  return files;
}

/// Throws if a file of evidence, whose numbers are places, is for a model whose variables have
/// other numbers for names.
void requirePlacesForNames(const Model &model, const ModelTexts &texts, const Options &options) {
  const ModelFormat *format = modelFormatOf(texts.model->name(), texts.model->text());
  if (format == nullptr || !format->hasNumbersForNames)
    return;
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (model.variables[i].name != fmt::format("x{}", i))
      fail(ErrorKind::Usage,
           "{}: variable number {} is called {}, and a file of evidence names variables by these "
           "numbers: use --observe '{} = STATE'",
           options.input, i, model.variables[i].name, model.variables[i].name);
}

/// Reads the model without the cases of --cases, which set the params of `settings`.
std::optional<Model> readTexts(const ModelTexts &texts, const Options &options,
                               const ParamSettings &settings, Diagnostics &diagnostics,
                               std::vector<RefusedQuery> *refused) {
  ModelReadOptions reading = options.reading;
  reading.build.params = settings;
  reading.build.files = filesToRead(options);
  const UsedFormats used(reading.build.files);
  std::optional<Model> model = options.startStage == Stage::Model
                                   ? readModel(texts.model, diagnostics, {}, reading.build.files)
                                   : readModelFile(texts.model, diagnostics, reading);
  used.requireUse(options.reading, modelFormatOf(texts.model->name(), texts.model->text()),
                  options.input);
  if (model && (texts.evidence || texts.virtualEvidence))
    requirePlacesForNames(*model, texts, options);
  if (!model ||
      (texts.evidence &&
       !readEvidence(texts.evidence, *model, diagnostics, options.columns.numbers)) ||
      (texts.virtualEvidence && !readVirtualEvidence(texts.virtualEvidence, *model, diagnostics)))
    return std::nullopt;
  if (!options.questions.empty() &&
      !askModel(*model, options.questions, filesToRead(options), diagnostics, refused))
    return std::nullopt;
  if (const auto kind = options.task ? queryKindOfTask(*options.task) : std::nullopt)
    warnOfCosts(model->queries, shortQuery(*model, *kind), {}, diagnostics);
  if (!texts.order)
    return model;
  std::optional<PartialOrder> order = readOrderFile(texts.order, *model, diagnostics);
  if (!order)
    return std::nullopt;
  model->orders = {std::move(*order)};
  return model;
}

/// Throws for a param that rows set and -D sweeps: one of the two would have no effect.
void requireFreeParams(const ParamSettings &given, const CaseSource &cases) {
  const std::vector<std::string> &names = cases.schema().params;
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto at = given.values.find(names[i]);
        at != given.values.end() && at->second.isSwept())
      cases.failAtParam(i, ErrorKind::BadInput, "-D sweeps it");
}

/// Throws if --states is given and no number that is read has two meanings.
void requireNumbersOfStates(const Options &options, const Model &model, bool hasEvidenceFile) {
  if (!isGiven(options, "--states"))
    return;
  if (!model.cases && !hasEvidenceFile)
    fail(ErrorKind::Usage, "--states is for lists of cases and evidence files: {} has none",
         options.input);
  const auto arePlaces = [](const Variable &variable) {
    return StateNumbers(variable.labels).arePlaces();
  };
  if (std::ranges::all_of(model.variables, arePlaces))
    fail(ErrorKind::Usage,
         "--states is for variables whose labels look like numbers: {} has none, so numbers are "
         "those of states",
         options.input);
}

/// Warns of --normalise for a model without rows to divide.
void warnOfNoRows(const Options &options, const Model &model, Diagnostics &diagnostics) {
  if (isGiven(options, "--normalise") && std::ranges::none_of(model.factors, &Factor::conditional))
    diagnostics.warning({}, "--normalise is for conditional tables: {} has none", options.input);
}

/// Throws if columns, or an engine for cases, are chosen and there is no list of cases.
void requireCasesForColumns(const Options &options, const Model &model) {
  for (const char *name : {"--ignore-columns", "--keep-columns", "--missing"})
    if (!model.cases && isGiven(options, name))
      fail(ErrorKind::Usage, "{} is for lists of cases: {} has none", name, options.input);
  if (options.caseEngine && !hasManyCases(model))
    fail(ErrorKind::Usage, "--engine is for lists of cases: {} has none", options.input);
}

/// Adds the cases of a file to the findings of the model, which hold in every case.
std::optional<Model> withCases(Model model, const ModelTexts &texts, const Options &options,
                               Diagnostics &diagnostics, std::vector<RefusedQuery> *refused) {
  if (listsCases(model)) {
    diagnostics.error(model.listedCases, "a second list of cases: {} is one too", options.cases);
    return std::nullopt;
  }
  ColumnChoice columns = options.columns;
  if (options.reading.channel)
    columns.unnamed = receivedParams(model);
  std::shared_ptr<CaseSource> cases = openCases(options.cases, model, diagnostics, columns);
  if (!cases)
    return std::nullopt;
  const CaseSchema &schema = cases->schema();
  if (options.reading.channel && schema.params.empty())
    fail(ErrorKind::BadInput,
         "{}: no column has what came over the channel: with {} these are called y0, y1, ...; a "
         "column x0 is the bit itself",
         options.cases, kChannelOption);
  if (!schema.params.empty() && options.startStage != Stage::Model) {
    // The model is read again, now that the params that the cases set are known.
    ParamSettings settings = options.params;
    settings.varying.insert(schema.params.begin(), schema.params.end());
    Diagnostics reported; // warnings and notes are there already
    std::optional<Model> again = readTexts(texts, options, settings, reported, refused);
    if (!again) {
      diagnostics.append(reported);
      return std::nullopt;
    }
    model = std::move(*again);
  }
  settleVaryingCosts(model, schema.likelihoods);
  model.cases = std::move(cases);
  return model;
}

} // namespace

LoadedModel loadModel(const Options &options, Diagnostics &diagnostics, bool mayRefuse) {
  const ModelTexts texts(options);
  LoadedModel loaded{texts.model, std::nullopt, {}};
  std::vector<RefusedQuery> *const refused = mayRefuse ? &loaded.refused : nullptr;
  loaded.model = readTexts(texts, options, options.params, diagnostics, refused);
  if (loaded.model && !options.cases.empty())
    loaded.model = withCases(std::move(*loaded.model), texts, options, diagnostics, refused);
  if (loaded.model && loaded.model->cases)
    requireFreeParams(options.params, *loaded.model->cases);
  if (loaded.model)
    requireCasesForColumns(options, *loaded.model);
  if (loaded.model)
    requireNumbersOfStates(options, *loaded.model, texts.evidence != nullptr);
  if (loaded.model)
    warnOfNoRows(options, *loaded.model, diagnostics);
  return loaded;
}

void addCasesOrFail(const Options &options, Model &model) {
  Diagnostics diagnostics;
  model.cases = openCases(options.cases, model, diagnostics, options.columns);
  printDiagnostics(diagnostics);
  if (!model.cases)
    fail(ErrorKind::Internal, "{}: no cases and no error reported", options.cases);
  requireNumbersOfStates(options, model, false);
}

namespace {

/// Whether the command prints the model as it is, or its .mpf text. These show posteriors as
/// observed; other formats have likelihoods only.
bool isPrinted(const Options &options) {
  if (options.command != "import")
    return options.emitStage == Stage::Model;
  const ModelFormat *format = writtenFormatByEnding(options.output);
  return format == nullptr || format == &defaultModelFormat();
}

} // namespace

Model loadModelOrFail(const Options &options, Refusals *refusals) {
  Diagnostics diagnostics;
  LoadedModel loaded = loadModel(options, diagnostics, refusals != nullptr);
  printDiagnostics(diagnostics);
  if (!loaded.model)
    fail(ErrorKind::Internal, "{}: no model and no error reported", options.input);
  const bool asksQueries = !options.task && options.queryFile.empty();
  for (size_t i = 0; asksQueries && i < loaded.refused.size(); ++i)
    refusals->addEarly(loaded.refused[i].name,
                       TextError(ErrorKind::BadInput, loaded.refused[i].fault));
  checkSearch(options, *loaded.model);
  return isPrinted(options) ? std::move(*loaded.model)
                            : fittedModel(std::move(*loaded.model), options);
}

} // namespace mpf::driver
