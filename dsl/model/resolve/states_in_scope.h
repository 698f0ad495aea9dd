// Answers what an expression over a scope means in a place of states: a label, or something in a
// state.
#pragma once

#include "dsl/model/resolve/local_names.h"
#include "dsl/model/resolve/state_ref.h"

#include <optional>
#include <span>

namespace mpf {

/// Something that is in a state: a variable, or an argument with a domain.
struct Stated {
  StatePlace place;
  const CallArgument *argument = nullptr; ///< null: a variable
};

/// Answers questions; compiles nothing. Both arguments of the constructor must outlive the object.
class StatesInScope {
public:
  StatesInScope(BuildContext &context, std::span<const VarId> scope)
      : context_(context), scope_(scope) {}

  /// Whether the expression can be a label: a string, or a bare name that is no number here.
  bool canBeLabel(const ast::Expr &expr) const;
  /// Returns false after reporting a name that is both a number and a label of `variable`, which
  /// is in a state.
  bool checkMeaning(const ast::Expr &name, const ast::Expr &variable) const;
  std::optional<Stated> statedOf(const ast::Expr &expr) const;
  /// Returns the place of `other`, a state, if `expr` is a choice with a label, `c ? yes : no`:
  /// then its branches are states there. Else null.
  const StatePlace *choicePlace(const ast::Expr &expr, const std::optional<Stated> &other) const;

private:
  BuildContext &context_;
  std::span<const VarId> scope_;
};

} // namespace mpf
