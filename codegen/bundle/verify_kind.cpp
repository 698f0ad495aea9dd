#include "codegen/bundle/verify_kind.h"

#include "codegen/bundle/held_variables.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <span>
#include <vector>

namespace mpf {

namespace {

class KindRules {
public:
  explicit KindRules(const Bundle &bundle) : bundle_(bundle), traits_(traitsOf(bundle.kind)) {}

  void check() const {
    for (const BundleOutput &output : bundle_.outputs)
      checkRows(output);
    if (traits_.outputs == QueryOutputs::Joints)
      checkJoined();
    else if (traits_.asksEachVariable())
      checkEach();
  }

private:
  template <class... Args>
  static void require(bool condition, fmt::format_string<Args...> format, Args &&...args) {
    if (!condition)
      fail(ErrorKind::BadInput, "bundle: {}", fmt::format(format, std::forward<Args>(args)...));
  }

  void checkRows(const BundleOutput &output) const {
    const bool mayHaveRows = output.normalised && traits_.restored == Restored::Posterior;
    require(output.rowVariables <= (mayHaveRows ? output.scope.size() : 0),
            "output {} has rows for {} variables", output.name, output.rowVariables);
  }

  void checkJoined() const {
    require(bundle_.outputs.size() > 1 && bundle_.outputs.front().scope.empty(),
            "joined queries have the evidence and their posteriors");
    for (size_t i = 1; i < bundle_.outputs.size(); ++i)
      require(bundle_.outputs[i].normalised, "output {} is no posterior", bundle_.outputs[i].name);
  }

  /// Checks that each open variable has one answer.
  void checkEach() const {
    std::vector<int> asked(bundle_.variables.size(), 0); // how often a variable has an answer
    require(!bundle_.outputs.empty(), "it has no output");
    const std::span<const VarId> held = heldVariables(bundle_);
    if (traits_.decoding) {
      require(held.empty() || bundle_.sliced.empty(), "it holds variables, and runs in slices");
      for (const BundleTraceback &step : bundle_.traceback)
        ++asked[step.variable.index()];
      for (const VarId id : bundle_.sliced)
        ++asked[id.index()];
    } else {
      for (const BundleOutput &output : std::span(bundle_.outputs).subspan(1)) {
        const auto own = std::ranges::find_if(
            output.scope, [&held](VarId id) { return std::ranges::find(held, id) == held.end(); });
        require(output.scope.end() - own == 1 && output.normalised,
                "output {} is no posterior of one variable", output.name);
        ++asked[own->index()];
      }
    }
    for (size_t i = 0; i < asked.size(); ++i) {
      const HeadVariable &variable = bundle_.variables[i];
      const bool isHeld = std::ranges::find(held, VarId{i}) != held.end();
      const int most = bundle_.evidence.observes(VarId{i}) || isHeld ? 0 : 1;
      // Posteriors that the postsolve map restores need no output.
      const bool isNeeded = traits_.decoding || (!bundle_.answer && variable.hasPosterior());
      require(asked[i] <= most && (asked[i] == most || !isNeeded), "variable {} is {} {} times",
              variable.name, traits_.decoding ? "decided" : "put out", asked[i]);
    }
  }

  const Bundle &bundle_;
  const QueryTraits &traits_;
};

} // namespace

void verifyKind(const Bundle &bundle) { KindRules(bundle).check(); }

} // namespace mpf
