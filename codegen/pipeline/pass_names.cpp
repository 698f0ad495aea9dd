#include "codegen/pipeline/pass_names.h"

#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/simplify/simplify_pipeline.h"
#include "dsl/source/suggest.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace mpf {

std::vector<std::string_view> passNames(const CompileSettings &settings) {
  std::vector<std::string_view> names;
  if (!settings.planIsGiven)
    for (const PlanPass &pass : planPasses())
      names.push_back(pass.name);
  for (const SimplifyPass &pass : simplifyPasses())
    names.push_back(pass.name);
  return names;
}

void requirePass(std::string_view asker, const std::string &name,
                 const std::vector<std::string_view> &names, const CompileSettings &settings) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string hint = suggestHint(name, names);
    fail(ErrorKind::Usage, "{} {}: no such pass{}{}; there are {}", asker, name,
         hint.empty() ? "" : ", ", hint, fmt::join(names, ", "));
  }
  if (isSimplifyPass(name) && simplificationFor(settings) == Simplification::Off)
    fail(ErrorKind::Usage, "{} {}: nothing is simplified here, --simplify says what may be", asker,
         name);
}

void checkPassNames(const CompileSettings &settings, const std::vector<std::string> &printAfter) {
  std::vector<std::string_view> names = passNames(settings);
  const std::vector<std::string> &off = settings.offPasses;
  for (const std::string &name : off)
    requirePass("--off-pass", name, names, settings);
  if (!settings.planIsGiven)
    names.insert(names.begin(), "initial-program");
  for (const std::string &name : printAfter) {
    requirePass("--print-after", name, names, settings);
    if (std::find(off.begin(), off.end(), name) != off.end())
      fail(ErrorKind::Usage, "--print-after {0}: --off-pass {0} leaves it out", name);
  }
}

void checkRunPasses(const CompileSettings &settings, bool onPlan) {
  std::vector<std::string_view> names;
  for (const PlanPass &pass : planPasses())
    names.push_back(pass.name);
  for (const SimplifyPass &pass : simplifyPasses())
    names.push_back(pass.name);
  for (const std::string &name : settings.runPasses) {
    if (onPlan && isSimplifyPass(name))
      fail(ErrorKind::Usage, "--run-pass {}: it simplifies a model, what is given is a plan", name);
    if (!onPlan && findPlanPass(name) != nullptr)
      fail(ErrorKind::Usage,
           "--run-pass {}: it works on a plan: give the text of one (--emit=plan, --print-after) "
           "with -x plan",
           name);
    requirePass("--run-pass", name, names, settings);
  }
}

} // namespace mpf
