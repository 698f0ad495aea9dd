// The compiler behind language_expression.h makes a stack program of an expression.
//
// Operators are in compile_expression.cpp, names and labels in compile_reference.cpp, and entries
// of arrays in compile_array.cpp. Folds are in compile_fold.cpp, calls and `where` in
// compile_function.cpp.
#pragma once

#include "dsl/model/resolve/check_comparison.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/local_names.h"
#include "dsl/model/resolve/state_ref.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Counts one fold, call or name that is written out around others.
class Expanding {
public:
  explicit Expanding(Expansion &expansion) : expansion_(expansion) { ++expansion_.expanding; }
  ~Expanding() { --expansion_.expanding; }
  Expanding(const Expanding &) = delete;
  Expanding &operator=(const Expanding &) = delete;

private:
  Expansion &expansion_;
};

/// Compiles one expression. Functions that return bool or nothing have reported an error.
class ExpressionCompiler {
public:
  ExpressionCompiler(BuildContext &context, std::span<const VarId> scope, ParamUse use,
                     std::span<const uint32_t> states = {})
      : context_(context), scope_(scope), use_(use), states_(states) {}

  /// Appends code that computes `expr`.
  bool compile(const ast::Expr &expr);
  /// Appends code that computes an index of the axis. An index that is a state of the axis's domain
  /// may be a label. The value may be outside of the axis.
  bool compileIndexOf(const ast::Expr &expr, const NumberArray &array, size_t axis,
                      const std::string &name);
  /// Appends code that computes the argument `name` of a function, a state of `domain` if it is not
  /// null.
  bool compileArgumentOf(const ast::Expr &expr, const DomainInfo *domain, const std::string &name);
  Expression take() { return {std::move(code_)}; }

private:
  void push(double value) { code_.push_back({OpCode::Constant, 0, value}); }
  /// Returns the constant to which all code since `start` was folded; null if it was not.
  const double *constantSince(size_t start) const;
  /// Evaluates the code since `start`, which reads no state, param or array, and replaces it by its
  /// value if a normal double holds that. Leaves other code as it is.
  void settle(size_t start);
  /// Replaces all code from `start` on by the constant `value`. Returns false if no normal double
  /// holds it: the evaluation of the expression decides then.
  bool fold(size_t start, const WideValue &value);
  /// Appends or folds an operation on the value whose code starts at `start`.
  void apply(OpCode code, size_t start);
  /// Appends or folds an operation on the two values whose code starts at `left` and `right`.
  void combine(OpCode code, size_t left, size_t right);

  bool compileBinary(const ast::Expr &expr);
  /// `place`: not null if both branches stand in a place of states.
  bool compileConditional(const ast::Expr &expr, const StatePlace *place = nullptr);
  bool compileCall(const ast::Expr &expr);

  // Functions of the text, and `where`.
  bool compileDefined(const ast::Expr &call);
  bool compileArgument(const ast::Expr &expr, const CallArgument &argument);
  bool compileBinding(const ast::Expr &expr, size_t binding);
  /// Appends code that was compiled before.
  bool append(const std::vector<Instruction> &code, SourceRange range);
  /// Returns false after reporting that calls, names and ranges are nested too deep.
  bool checkNesting(SourceRange range);

  // Names and labels.
  /// Compiles `s[i][j] == up`, in either order: the label becomes the number of its state. Returns
  /// nothing for other comparisons, else the result of compile().
  std::optional<bool> compileLabelComparison(OpCode code, const ast::Expr &a, const ast::Expr &b);
  bool compileRef(const ast::Expr &expr);
  bool compileParam(const ast::Expr &expr, const ParamSymbol &param);
  bool compileVariable(const ast::Expr &expr);
  bool noIndices(const ast::Expr &expr, const char *what);
  void reportUnknown(const ast::Expr &expr, const Symbol *symbol);
  /// Whether the expression can be a label: a string, or a bare name that is no number here.
  bool canBeLabel(const ast::Expr &expr) const;
  /// Returns false after reporting a name that is both a number and a label of `variable`, which
  /// is in a state.
  bool checkMeaning(const ast::Expr &name, const ast::Expr &variable);
  /// Something that is in a state: a variable, or an argument with a domain.
  struct Stated {
    StatePlace place;
    const CallArgument *argument = nullptr; ///< null: a variable
  };
  std::optional<Stated> statedOf(const ast::Expr &expr) const;
  bool compileStated(const ast::Expr &expr, const Stated &stated);
  /// Returns the place of `other`, a state, if `expr` is a choice with a label, `c ? yes : no`:
  /// then its branches are states there. Else null.
  const StatePlace *choicePlace(const ast::Expr &expr, const std::optional<Stated> &other) const;
  /// Compiles an operand. `stated`: one of a comparison that is in a state. It skips checkNumber():
  /// checkComparison() looks at both sides instead. `choice`: of choicePlace().
  bool compileOperand(const ast::Expr &expr, const std::optional<Stated> &stated,
                      const StatePlace *choice) {
    if (choice)
      return compileState(expr, *choice);
    return stated ? compileStated(expr, *stated) : compile(expr);
  }

  // Arrays.
  bool compileEntry(const ast::Expr &expr, const ArrayPtr &array);
  bool compileState(const ast::Expr &expr, const StatePlace &place);
  bool checkNoParam(size_t index, const ast::Expr &expr);
  bool isAlwaysWithin(size_t index, uint64_t length) const;

  // Folds.
  struct FoldState;
  bool compileFold(const ast::Expr &expr);
  bool foldRange(const ast::Expr &expr, size_t range, FoldState &state);
  bool foldRound(const ast::Expr &expr, size_t range, FoldState &state);
  bool foldBody(const ast::Expr &expr, FoldState &state);
  /// Counts one more step of an expansion.
  bool countStep(SourceRange range);

  BuildContext &context_;
  std::span<const VarId> scope_;
  ParamUse use_;
  std::span<const uint32_t> states_; ///< of scope_; empty: any
  std::vector<Instruction> code_;
};

/// Compiles an index without variables, as compileIndexOf() does.
std::optional<Expression> compileIndex(BuildContext &context, const ast::Expr &expr,
                                       const NumberArray &array, size_t axis,
                                       const std::string &name);

} // namespace mpf
