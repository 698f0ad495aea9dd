#include "tools/mpfc/explain/facts/pass_records.h"

#include "codegen/plan/program/program_statistics.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

void add(SimplifySize &sum, const SimplifySize &size) {
  sum.variables += size.variables;
  sum.values += size.values;
  sum.factors += size.factors;
  sum.entries += size.entries;
}

/// Returns "-12", "+3" or "": sums over many rounds stay far below 2^63.
std::string difference(uint64_t before, uint64_t after) {
  return before == after ? "" : fmt::format("{:+}", static_cast<int64_t>(after - before));
}

} // namespace

PipelineHooks SimplifyPassRecord::hooks() {
  PipelineHooks hooks;
  hooks.afterSimplifyPass = [this](const SimplifyEvent &event) { record(event); };
  return hooks;
}

void SimplifyPassRecord::record(const SimplifyEvent &event) {
  if (!declared_)
    declared_ = event.before;
  left_ = event.after;
  if (!event.changed)
    return;
  auto effect = std::find_if(effects_.begin(), effects_.end(),
                             [&event](const Effect &e) { return e.pass == event.pass; });
  if (effect == effects_.end())
    effect = effects_.insert(effect, {std::string(event.pass), 0, {}, {}});
  ++effect->rounds;
  add(effect->before, event.before);
  add(effect->after, event.after);
}

PassTable SimplifyPassRecord::table() const {
  PassTable table;
  table.title = "What simplification removed";
  table.columns = {"rounds", "variables", "states", "factors", "entries"};
  table.differences = true;
  if (!declared_)
    return table;
  const auto total = [&table](const char *name, const SimplifySize &size) {
    table.rows.push_back({name,
                          {"", fmt::format("{}", size.variables), fmt::format("{}", size.values),
                           fmt::format("{}", size.factors), fmt::format("{}", size.entries)}});
  };
  total("as declared", *declared_);
  for (const Effect &effect : effects_)
    table.rows.push_back({effect.pass,
                          {fmt::format("{}", effect.rounds),
                           difference(effect.before.variables, effect.after.variables),
                           difference(effect.before.values, effect.after.values),
                           difference(effect.before.factors, effect.after.factors),
                           difference(effect.before.entries, effect.after.entries)}});
  total("left", left_);
  return table;
}

PipelineHooks PlanPassRecord::hooks() {
  PipelineHooks hooks;
  hooks.afterPlanPass = [this](const PassEvent &event) { record(event); };
  hooks.searched = [this](const SearchEffort &effort) { effort_ = effort; };
  return hooks;
}

void PlanPassRecord::record(const PassEvent &event) {
  const ProgramStatistics statistics = programStatistics(event.program, type_);
  PassRow row;
  row.pass = event.pass;
  row.values = {
      fmt::format("{}", statistics.runOperations), fmt::format("{}", statistics.inducedWidth),
      formatPower(statistics.log2LargestAddressCount), formatPower(statistics.log2TotalOps),
      formatPower(statistics.memory.peakBytes == UINT64_MAX
                      ? log2PeakBytes(event.program, type_)
                      : std::log2(static_cast<double>(statistics.memory.peakBytes)))};
  if (row.pass == "initial-program") {
    row.pass = "everything at once";
    initial_ = {std::move(row)};
    rows_.clear();
    return;
  }
  // The passes begin again for a different order, or repeat from here on with fewer or other
  // passes.
  rows_.erase(std::find_if(rows_.begin(), rows_.end(),
                           [&row](const PassRow &other) { return other.pass == row.pass; }),
              rows_.end());
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
