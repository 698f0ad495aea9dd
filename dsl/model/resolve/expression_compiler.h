// The compiler behind language_expression.h makes a stack program of an expression.
//
// Operators are in compile_expression.cpp, names and labels in compile_reference.cpp, and entries
// of arrays in compile_array.cpp. Folds are in compile_fold.cpp, calls and `where` in
// compile_function.cpp.
#pragma once

#include "dsl/model/resolve/check_comparison.h"
#include "dsl/model/resolve/folded_code.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/states_in_scope.h"

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

/// Counts one more step of an expansion. Returns false after reporting too many.
bool countStep(BuildContext &context, SourceRange range);
/// Returns false after reporting that calls, names and ranges are nested too deep.
bool checkNesting(BuildContext &context, SourceRange range);
/// Returns false after reporting indices behind a name that takes none.
bool checkNoIndices(BuildContext &context, const ast::Expr &expr, const char *what);

/// Compiles one expression. Functions that return bool or nothing have reported an error.
class ExpressionCompiler {
public:
  ExpressionCompiler(BuildContext &context, std::span<const VarId> scope, ParamUse use,
                     std::span<const uint32_t> states = {})
      : context_(context), scope_(scope), use_(use), states_(states), meanings_(context, scope) {}

  /// Appends code that computes `expr`.
  bool compile(const ast::Expr &expr);
  /// Appends code that computes an index of the axis. An index that is a state of the axis's domain
  /// may be a label. The value may be outside of the axis.
  bool compileIndexOf(const ast::Expr &expr, const NumberArray &array, size_t axis,
                      const std::string &name);
  /// Appends code that computes the argument `name` of a function, a state of `domain` if it is not
  /// null.
  bool compileArgumentOf(const ast::Expr &expr, const DomainInfo *domain, const std::string &name);
  Expression take() { return code_.take(); }

private:
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

  // Names and labels.
  /// Compiles `s[i][j] == up`, in either order: the label becomes the number of its state. Returns
  /// nothing for other comparisons, else the result of compile().
  std::optional<bool> compileLabelComparison(OpCode code, const ast::Expr &a, const ast::Expr &b);
  bool compileRef(const ast::Expr &expr);
  bool compileParam(const ast::Expr &expr, const ParamSymbol &param);
  bool compileVariable(const ast::Expr &expr);
  bool compileStated(const ast::Expr &expr, const Stated &stated);
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

  // Folds.
  struct FoldState;
  bool compileFold(const ast::Expr &expr);
  bool foldRange(const ast::Expr &expr, size_t range, FoldState &state);
  bool foldRound(const ast::Expr &expr, size_t range, FoldState &state);
  bool foldBody(const ast::Expr &expr, FoldState &state);

  BuildContext &context_;
  std::span<const VarId> scope_;
  ParamUse use_;
  std::span<const uint32_t> states_; ///< of scope_; empty: any
  StatesInScope meanings_;
  FoldedCode code_;
};

/// Compiles an index without variables, as compileIndexOf() does.
std::optional<Expression> compileIndex(BuildContext &context, const ast::Expr &expr,
                                       const NumberArray &array, size_t axis,
                                       const std::string &name);

} // namespace mpf
