// What every pass did, collected through the pipelines' hooks: the tables "what simplification
// removed" and "how the plan was made".
#pragma once

#include "codegen/plan/plan_pipeline.h"
#include "codegen/simplify/simplify_pipeline.h"
#include "tools/mpfc/explain/explanation.h"

namespace mpf {

/// Collects one row per simplification pass that changed the network. As above, keep it alive.
class SimplifyPassRecord {
public:
  /// `hook`, which may be empty, with this record listening too.
  SimplifyHook listening(SimplifyHook hook);
  PassTable table() const { return table_; }

private:
  PassTable table_{
      "What simplification removed", {"variables", "states", "factors", "entries"}, {}};
};

/// Collects one row per plan pass. Keep it alive as long as the hooks are used.
class PlanPassRecord {
public:
  explicit PlanPassRecord(ElementType type) : type_(type) {}

  /// `hooks` with this record listening too.
  PlanHooks listening(PlanHooks hooks);

  /// Of the last way the passes were run: the planner may try several orders.
  PassTable table() const;

private:
  void record(const PassEvent &event);

  ElementType type_;
  std::vector<PassRow> initial_, rows_;
};

} // namespace mpf
