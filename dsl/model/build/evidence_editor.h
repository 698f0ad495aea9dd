// Changes the evidence of a model that was read, by texts in the language of .mpf files.
#pragma once

#include "dsl/model/build/build_factor.h"
#include "dsl/model/build/settle_query.h"
#include "dsl/model/resolve/build_context.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace mpf {

/// Takes evidence away, adds other, and gives the model what came of it. Errors are reported to the
/// context, in which the model was declared (declare_model.h).
class EvidenceEditor {
public:
  using Text = std::shared_ptr<const SourceBuffer>;

  explicit EvidenceEditor(BuildContext &context);

  /// Variables, whose evidence goes: what is observed, soft evidence, and what do() set.
  void unobserve(const Text &text);
  /// Replaces what the model observes or sets of the same variables. unobserve() must not have
  /// named one of them.
  void observe(const Text &text);
  /// Requires that the model observes or sets nothing else of the same variables.
  void condition(const Text &text, const std::vector<ast::ObserveItem> &items);
  /// Gives the model what was observed, and its queries their semirings; nothing more can be
  /// observed then. Queries have no soft evidence until settleQueries.
  void finish();
  /// Gives queries, which may be others by now, the soft evidence on their variables. Reports those
  /// that do not go with the evidence. With `refused` these leave the model instead, if others
  /// stay, and are added there.
  void settleQueries(std::vector<RefusedQuery> *refused);

private:
  bool resolveAll(const std::vector<ast::ObserveItem> &items);
  bool requireKept(const std::vector<ast::ObserveItem> &items);
  bool isObserved(VarId id) const;
  bool isOfModel(VarId id) const;
  void unobserve(const ast::VarRef &ref, const std::vector<VarId> &named);
  std::string observedNames() const;
  std::string evidenceText(VarId id) const;
  void replaceEvidence(const ast::ObserveItem &item, const std::vector<VarId> &replaced);
  void forget(VarId id);
  bool requireSame(const ast::ObserveItem &item, VarId id, const std::map<VarId, uint32_t> &states);
  void place(Factor factor);

  BuildContext &context_;
  Model &model_;
  FactorBuilder factors_;
  const size_t factorsBefore_;
  std::map<VarId, FactorId> soft_;   ///< likelihoods of the model, also those that were taken away
  std::set<VarId> gone_;             ///< variables whose evidence in the model is taken away
  std::set<VarId> unobserved_;       ///< variables that unobserve() named
  std::map<VarId, FactorId> cuts_;   ///< tables that the model's do() cut off
  std::vector<size_t> varyingCosts_; ///< queries whose semiring depends on soft evidence
  /// A variable, and the item of a text that names it.
  std::vector<std::pair<size_t, VarId>> resolved_;
};

} // namespace mpf
