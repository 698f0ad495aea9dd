// Builds any bytes as a .mpf model. They are built or refused with a message. A built model has
// passed verifyModel, which the builder calls, and comes back unchanged from both of its text
// forms.
#include "dsl/model/build/build_model.h"
#include "dsl/model/print/print_model.h"
#include "dsl/model/print/print_mpf.h"
#include "dsl/model/read/read_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/memory_cases.h"

using namespace mpf;

namespace {

/// Limits that are small enough that no input is slow; the checks are the usual ones.
ModelLimits smallLimits() {
  ModelLimits limits;
  limits.maxVariables = 1000;
  limits.maxExtent = 1000;
  limits.maxLabels = 10'000;
  limits.maxFactors = 1000;
  limits.maxScope = 100;
  limits.maxScopeEntries = 10'000;
  limits.maxTableElems = 4096;
  limits.maxTotalElems = 1u << 16;
  limits.maxTemplateSteps = 5000;
  limits.maxExpressionSteps = 1u << 18;
  limits.maxExpandedSteps = 1000;
  limits.maxQueryEntries = 10'000;
  limits.maxSweepValues = 1000;
  limits.maxIncludeDepth = 4;
  limits.maxIncludes = 8;
  return limits;
}

/// Every array has the same four numbers, of the shape that is wanted, and the same words.
class FourNumbers final : public ArraySource {
public:
  std::shared_ptr<const ArrayFile> numbers(const ArrayRequest &request, Diagnostics &,
                                           const SourcePlace &) override {
    ArrayFile array{
        {2, 2}, std::make_shared<const std::vector<double>>(std::vector<double>{0.5, 1, 0, 0.75})};
    if (request.axes == 1u)
      array.shape = {4};
    return std::make_shared<const ArrayFile>(std::move(array));
  }
  std::optional<WordFile> words(const ArrayRequest &, Diagnostics &, const SourcePlace &) override {
    return WordFile{nullptr, {{"0"}, {"_"}, {"yes"}, {"-1"}}};
  }
};

/// A file system in which every path exists: ".mpf" files hold the text itself, tables have four
/// values.
BuildOptions fuzzOptions(const std::string &text) {
  BuildOptions options;
  options.limits = smallLimits();
  options.files.readText = [text](const std::string &) { return text; };
  options.files.openArrays = [] { return std::make_unique<FourNumbers>(); };
  options.files.openCases = [](const std::string &, const Model &model, Diagnostics &) {
    std::vector<CaseVariable> columns;
    if (!model.variables.empty())
      columns.push_back({VarId(0), model.variables[0].extent});
    return std::make_shared<test::MemoryCases>("cases.csv", columns);
  };
  options.files.importModel = [](const std::string &, Diagnostics &) {
    Model model;
    model.variables = {{"x0", 2, {}}, {"x1", 2, {}}};
    model.factors = {{"f0", "f0", {VarId(size_t{0})}, nullptr, false}};
    return std::optional(std::move(model));
  };
  return options;
}

/// Returns the text of a model without formulas: .mpf writes the entries of such tables.
std::string numbersOf(Model model) {
  for (Factor &factor : model.factors)
    factor.formula = nullptr;
  return printModel(model);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto source = fuzzSource(data, size);
  const BuildOptions options = fuzzOptions(std::string(source->text()));
  Diagnostics diagnostics;
  const auto model = readMpf(source, diagnostics, options);
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (!model)
    return 0;
  const std::string text = printModel(*model);
  Diagnostics again;
  const auto read = readModel(std::make_shared<const SourceBuffer>("model", text), again,
                              options.limits, options.files);
  MPF_CHECK(read.has_value(), "{}\n{}", renderDiagnostics(again), text);
  MPF_CHECK(printModel(*read) == text, "the model prints differently after reading:\n{}", text);
  if (listsCases(*model))
    return 0;
  const std::string mpf = printMpf(*model);
  const auto built = readMpf(std::make_shared<const SourceBuffer>("mpf", mpf), again, options);
  MPF_CHECK(built.has_value(), "{}\n{}", renderDiagnostics(again), mpf);
  MPF_CHECK(numbersOf(*built) == numbersOf(*model),
            "the .mpf form means something else:\n{}\n{}\n{}", mpf, text, printModel(*built));
  return 0;
}
