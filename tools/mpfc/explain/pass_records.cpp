#include "tools/mpfc/explain/pass_records.h"

#include "codegen/plan/program_statistics.h"

#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

/// "2^12.3", "1", "0": figures that may pass any integer type.
std::string power(double bits) {
  return std::isinf(bits) ? (bits < 0 ? "0" : "inf") : fmt::format("2^{:.2f}", bits);
}

} // namespace

SimplifyHook SimplifyPassRecord::listening(SimplifyHook hook) {
  return [this, earlier = std::move(hook)](const SimplifyEvent &event) {
    const auto add = [this](std::string pass, const ProblemSize &size) {
      table_.rows.push_back({std::move(pass),
                             {fmt::format("{}", size.variables), fmt::format("{}", size.values),
                              fmt::format("{}", size.factors), fmt::format("{}", size.entries)}});
    };
    if (table_.rows.empty())
      add("as declared", event.before);
    if (event.changed)
      add(std::string(event.pass), event.after);
    if (earlier)
      earlier(event);
  };
}

PlanHooks PlanPassRecord::listening(PlanHooks hooks) {
  hooks.after = [this, earlier = std::move(hooks.after)](const PassEvent &event) {
    record(event);
    if (earlier)
      earlier(event);
  };
  return hooks;
}

void PlanPassRecord::record(const PassEvent &event) {
  const ProgramStatistics statistics = programStatistics(event.program, type_);
  PassRow row;
  row.pass = event.pass;
  row.values = {fmt::format("{}", event.program.operations.size()),
                fmt::format("{}", statistics.inducedWidth),
                power(statistics.log2LargestAddressCount), power(statistics.log2TotalOps),
                power(log2PeakBytes(event.program, type_))};
  if (row.pass == "initial-program") {
    row.pass = "everything at once";
    initial_ = {std::move(row)};
    rows_.clear();
    return;
  }
  if (row.pass == planPasses().front().name)
    rows_.clear(); // another order, or the same with fewer passes
  const PassRow &before = rows_.empty() ? initial_.front() : rows_.back();
  row.changed = row.values != before.values;
  rows_.push_back(std::move(row));
}

PassTable PlanPassRecord::table() const {
  PassTable table;
  table.title = "How the plan was made";
  table.columns = {"operations", "induced width", "largest bucket", "arithmetic operations",
                   "peak bytes"};
  table.rows = initial_;
  table.rows.insert(table.rows.end(), rows_.begin(), rows_.end());
  return table;
}

} // namespace mpf
