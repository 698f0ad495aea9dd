#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/model/edit_evidence.h"
#include "dsl/support/numbers/table_number.h"

#include <utility>

namespace mpf {

namespace {

class VirtualEvidenceParser {
public:
  VirtualEvidenceParser(std::shared_ptr<const SourceBuffer> buffer, const Model &model,
                        Diagnostics &diagnostics)
      : scan_(std::move(buffer), diagnostics), model_(model), diagnostics_(diagnostics),
        seen_(ownVariableCount(model), false) {}

  /// Returns false after an error that makes the rest of the file unreadable.
  bool parse() {
    if (scan_.atEnd()) {
      diagnostics_.report({Severity::Error,
                           {scan_.buffer(), {0, 0}},
                           "the file is empty: the number of variables with virtual evidence is "
                           "expected",
                           "0 says that there is none"});
      return false;
    }
    uint64_t count = 0;
    if (!take(count, "the number of variables with virtual evidence"))
      return false;
    if (count > ownVariableCount(model_)) {
      diagnostics_.error(scan_.lastPlace(), "virtual evidence for {} variables, the model has {}",
                         count, ownVariableCount(model_));
      return false;
    }
    for (uint64_t i = 0; i < count && !diagnostics_.full(); ++i)
      if (!parseOne())
        return false;
    if (scan_.atEnd())
      return true;
    scan_.scanWord();
    diagnostics_.error(scan_.lastPlace(),
                       "expected the end of the file after {} variables, found '{}'", count,
                       scan_.lastText());
    return false;
  }

  std::vector<Factor> factors; ///< one per variable of the file, in the order of the file

private:
  bool take(uint64_t &value, const char *what) {
    const Scan status = scan_.scanUnsigned(value);
    if (status == Scan::End)
      diagnostics_.error(scan_.endPlace(), "the file ends where {} is expected", what);
    else if (status != Scan::Ok)
      diagnostics_.error(scan_.lastPlace(), "expected {}, found '{}'", what, scan_.lastText());
    return status == Scan::Ok;
  }

  bool parseOne() {
    uint64_t variable = 0, extent = 0;
    if (!take(variable, "a variable"))
      return false;
    const SourcePlace variablePlace = scan_.lastPlace();
    if (variable >= ownVariableCount(model_)) {
      diagnostics_.error(variablePlace,
                         "variable {} has virtual evidence, the model has {} variables, numbered "
                         "from 0",
                         variable, ownVariableCount(model_));
      return false;
    }
    if (seen_[variable])
      diagnostics_.error(variablePlace, "variable {} has virtual evidence twice", variable);
    seen_[variable] = true;
    if (!take(extent, "the number of states"))
      return false;
    const Variable &target = model_.variables[variable];
    if (extent != target.extent) {
      diagnostics_.error(scan_.lastPlace(),
                         "virtual evidence for variable {} has {} states, the variable has {}",
                         variable, extent, target.extent);
      return false;
    }
    return parseLikelihoods(VarId(variable), target, variablePlace);
  }

  bool parseLikelihoods(VarId variable, const Variable &target, const SourcePlace &place) {
    std::vector<double> values;
    std::vector<FarValue> far;
    bool allZero = true;
    for (uint32_t state = 0; state < target.extent; ++state) {
      double value = 0;
      const Scan status = scan_.scanDouble(value);
      if (status == Scan::End) {
        diagnostics_.error(scan_.endPlace(),
                           "the file ends after {} of the {} likelihoods of variable {}", state,
                           target.extent, variable);
        return false;
      }
      if (status == Scan::Far)
        far.push_back({state, scan_.lastFar()});
      if ((status != Scan::Ok && status != Scan::Far) || value < 0) {
        diagnostics_.error(scan_.lastPlace(), "likelihood {} of variable {} is {}, {}", state,
                           variable, scan_.lastText(),
                           status == Scan::TooLarge ? tableRangeText()
                                                    : "it must be finite and not negative");
        return false;
      }
      allZero = allZero && value == 0;
      values.push_back(value);
    }
    if (allZero)
      diagnostics_.error(place, "all {} likelihoods of variable {} are zero", target.extent,
                         variable);
    Factor factor;
    factor.name = fmt::format("soft({})", target.name);
    factor.family = factor.name;
    factor.scope = {variable};
    (far.empty() ? factor.values : factor.wide) = std::make_shared<const std::vector<double>>(
        far.empty() ? std::move(values) : widened(values, far));
    factors.push_back(std::move(factor));
    return true;
  }

  TokenScanner scan_;
  const Model &model_;
  Diagnostics &diagnostics_;
  std::vector<bool> seen_;
};

} // namespace

bool readVirtualEvidence(std::shared_ptr<const SourceBuffer> buffer, Model &model,
                         Diagnostics &diagnostics) {
  const size_t errorsBefore = diagnostics.errorCount();
  VirtualEvidenceParser parser(std::move(buffer), model, diagnostics);
  if (!parser.parse() || diagnostics.errorCount() != errorsBefore)
    return false;
  for (Factor &factor : parser.factors)
    addLikelihood(model, std::move(factor));
  return true;
}

} // namespace mpf
