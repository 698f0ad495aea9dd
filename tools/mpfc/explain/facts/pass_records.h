// What every pass did, collected through the pipelines' hooks: the tables "what simplification
// removed" and "how the plan was made".
#pragma once

#include "codegen/pipeline/pipeline_hooks.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Collects what every simplification pass took away, all its rounds together. Keep it alive as
/// long as the hooks are used.
class SimplifyPassRecord {
public:
  PipelineHooks hooks();

  /// First row: as declared; then the passes that changed something, by their first change, with
  /// signed differences; last row: what is left. Empty when no pass ran.
  PassTable table() const;

private:
  struct Effect {
    std::string pass;
    unsigned rounds = 0;
    SimplifySize before, after; ///< sums over the rounds in which it changed something
  };
  void record(const SimplifyEvent &event);

  std::vector<Effect> effects_;
  std::optional<SimplifySize> declared_;
  SimplifySize left_;
};

/// Collects one row per plan pass. Keep it alive as long as the hooks are used.
class PlanPassRecord {
public:
  explicit PlanPassRecord(ElementType type) : type_(type) {}

  PipelineHooks hooks();

  /// The passes of the last trial: the planner may try several orders.
  PassTable table() const;

  /// What the last search for an order took.
  const SearchEffort &effort() const { return effort_; }

private:
  void record(const PassEvent &event);

  ElementType type_;
  std::vector<PassRow> initial_, rows_;
  SearchEffort effort_;
};

} // namespace mpf
