#include "codegen/pipeline/pass_report.h"

#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/simplify/print_simplified.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

namespace mpf {

namespace {

/// Returns the sizes of a program after a pass: operations and input tables, without those that are
/// the same as others.
std::string sizesOf(const TableProgram &program) {
  size_t operations = 0, inputs = 0, kept = 0;
  for (const ProgramTable &table : program.tables) {
    (table.isInput() ? inputs : operations) += !table.sameAs.valid();
    kept += table.kept;
  }
  return fmt::format("operations={} inputs={} kept={} addresses={:.6g}", operations, inputs, kept,
                     totalAddresses(program));
}

class Reporter {
public:
  explicit Reporter(PassReport report) : report_(std::move(report)) {}

  void after(const SimplifyEvent &event) const {
    if ((names(event.pass) && (event.changed || event.round == 1)) ||
        (report_.printChanged && event.changed))
      write("# after {}, round {}\n{}", event.pass, event.round,
            printSimplified(stateToModel(event.state)));
    if (report_.timePasses)
      write("# {} round={} time_us={:.0f} variables={}->{} values={}->{} factors={}->{} "
            "entries={}->{}\n",
            event.pass, event.round, event.seconds * 1e6, event.before.variables,
            event.after.variables, event.before.values, event.after.values, event.before.factors,
            event.after.factors, event.before.entries, event.after.entries);
  }

  void begin(const PlanningEvent &event) {
    type_ = event.type;
    inTrials_ = false;
    last_ = Clock::now();
  }

  void searched(const SearchEffort &effort) {
    const double timeUs = lapUs();
    inTrials_ = true;
    if (report_.timePasses)
      write("# order-search time_us={:.0f} rounds={} steps={} log2_cost={:.2f}\n", timeUs,
            effort.rounds, effort.steps, std::log2(effort.cost));
  }

  void after(const PassEvent &event) {
    if (report_.timePasses)
      writeTrials(event);
    if (names(event.pass) || (report_.printChanged && event.changed))
      write("# after {}\n{}", event.pass, printProgram(event.program, type_));
    else if (report_.printChanged)
      write("# after {}: unchanged\n", event.pass);
    if (report_.timePasses)
      write("# {} time_us={:.0f} {}\n", event.pass, event.seconds * 1e6, sizesOf(event.program));
  }

private:
  using Clock = std::chrono::steady_clock;

  bool names(std::string_view pass) const {
    return std::find(report_.printAfter.begin(), report_.printAfter.end(), pass) !=
           report_.printAfter.end();
  }

  template <class... Args> void write(fmt::format_string<Args...> format, Args &&...args) const {
    report_.write(fmt::format(format, std::forward<Args>(args)...));
  }

  /// Microseconds since the last call, or since planning began.
  double lapUs() {
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double, std::micro> passed = now - std::exchange(last_, now);
    return passed.count();
  }

  /// Writes the time between search and passes: the trials of the orders found, with slices if the
  /// memory bound needs them. They end with the first pass of the plan.
  void writeTrials(const PassEvent &event) {
    const double timeUs = lapUs();
    if (std::exchange(inTrials_, false))
      write("# plan-trials time_us={:.0f}\n", std::max(0.0, timeUs - event.seconds * 1e6));
  }

  const PassReport report_;
  ElementType type_ = ElementType::F64; ///< for the memory figures of printed programs
  bool inTrials_ = false; ///< the search is over, the passes of the plan have not begun
  Clock::time_point last_ = Clock::now();
};

} // namespace

PipelineHooks reportHooks(PassReport report) {
  PipelineHooks hooks;
  if (report.printAfter.empty() && !report.printChanged && !report.timePasses)
    return hooks;
  hooks.compareText = report.printChanged;
  const auto reporter = std::make_shared<Reporter>(std::move(report));
  hooks.afterSimplifyPass = [reporter](const SimplifyEvent &event) { reporter->after(event); };
  hooks.planningBegins = [reporter](const PlanningEvent &event) { reporter->begin(event); };
  hooks.searched = [reporter](const SearchEffort &effort) { reporter->searched(effort); };
  hooks.afterPlanPass = [reporter](const PassEvent &event) { reporter->after(event); };
  return hooks;
}

} // namespace mpf
