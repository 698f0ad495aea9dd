// Expressions, names and factor values: the leaves of a parsed .mpf file.
//
// Plain copyable data. Every node carries the range of bytes it was read from. Nothing here is
// resolved: whether `n` is a param, a label, a loop index or a variable is the checker's business.
#pragma once

#include "dsl/source/source_buffer.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace mpf::ast {

/// An identifier or a string literal, without its quotes and escapes.
struct Name {
  std::string text;
  SourceRange range;
};

enum class ExprKind {
  Number,      ///< `number`
  Ref,         ///< `name`, children = indices: n, yes, s[i][j+1]
  Unary,       ///< `op` children[0]
  Binary,      ///< children[0] `op` children[1]
  Conditional, ///< children[0] ? children[1] : children[2]
  Call,        ///< `function`(children...): one child, min and max one or more
};

enum class Operator {
  None,
  Negate,
  Not,
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  Power,
};

enum class Function { None, Exp, Log, Log2, Sqrt, Abs, Min, Max };

/// No tree is deeper than kMaxExprDepth, so recursion over one is safe. Comparisons and logic give
/// 1 or 0; `-2^2` is -4 and `2^3^2` is 2^9, as in mathematics.
struct Expr {
  ExprKind kind = ExprKind::Number;
  Operator op = Operator::None;
  Function function = Function::None;
  uint32_t depth = 1; ///< levels of this tree, 1 for a leaf
  SourceRange range;
  double number = 0;
  std::string name;
  std::vector<Expr> children;
};

/// The bound on Expr::depth; the parser refuses what is deeper.
inline constexpr uint32_t kMaxExprDepth = 1000;

/// `name`, `name[i]`, `name[i][j+1]` where only a variable (or a whole index array) can stand.
struct VarRef {
  Name name;
  std::vector<Expr> indices;
  SourceRange range; ///< name and indices
};

/// An element of an array that is not a plain number: `1 - theta`.
struct ComputedElement {
  uint64_t index = 0; ///< into ArrayLiteral::values, which holds 0 there
  Expr expr;
};

/// `[1, 2]`, `[[0.1, 0.9], [1 - theta, theta]]`: rectangular, flattened row-major.
/// values.size() == product of `shape` always; a flat array has one extent.
struct ArrayLiteral {
  SourceRange range;
  std::vector<uint64_t> shape; ///< extents, outermost first
  std::vector<double> values;
  std::vector<SourceRange> rows;         ///< one per innermost [...], in order
  std::vector<ComputedElement> computed; ///< ascending index
};

struct Value;

/// A label (by name) or a state number; `default` is MapEntry::isDefault, not a key.
struct MapKey {
  bool isIndex = false;
  uint64_t index = 0; ///< isIndex
  Name label;         ///< !isIndex
  SourceRange range;
};

/// `no: 0.8`, `(yes, 1): 0.3`, `no: { ... }`, `default: 0`.
struct MapEntry {
  bool isDefault = false;
  std::vector<MapKey> keys; ///< one state per scope variable from the first on; more with (...)
  std::vector<Value> value; ///< exactly one: an Expr, ArrayLiteral or MapLiteral
  SourceRange range;
};

/// `{ no: 0.8, yes: 0.2 }`. A nested map or array covers the scope variables its keys leave over.
struct MapLiteral {
  SourceRange range;
  std::vector<MapEntry> entries;
};

/// `file("h.npy")`: relative to the file it is written in.
struct FileValue {
  Name path;
};

/// `input`: bound by the host program before a run.
struct InputValue {};

/// What stands right of the `=` of a factor or prob, or of the `~` of soft evidence.
struct Value {
  SourceRange range;
  std::variant<Expr, ArrayLiteral, MapLiteral, FileValue, InputValue> node;
};

} // namespace mpf::ast
