// Expressions, names and factor values: the leaves of a parsed .mpf file.
//
// Plain copyable data. Every node has the range of bytes it was read from. Names are not resolved:
// the model builder finds out whether `n` is a param, a label, a loop index or a variable.
#pragma once

#include "dsl/source/source_buffer.h"

#include <cstdint>
#include <optional>
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
  Number,      ///< `number`; `name` is its spelling in the file, if it has one
  Ref,         ///< `name`, children = indices: n, yes, s[i][j+1]
  String,      ///< `name`: a label in double quotes, without quotes and escapes
  Unary,       ///< `op` children[0]
  Binary,      ///< children[0] `op` children[1]
  Conditional, ///< children[0] ? children[1] : children[2]
  Call,        ///< `function`(children...); None: the function `name` of the text
  Fold,        ///< `function`(children...): Ranges, then the expression that is folded
  Range,       ///< children: a Ref of the index, a list, and at most one condition
  Span,        ///< the list children[0]..children[1]
  List,        ///< the list [children...]
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
  Modulo,
  Power,
};

/// State: the number of a variable's state. A bare name means the same, unless labels look like
/// numbers. Sum to Count, Min and Max are the functions of folds.
enum class Function {
  None,
  Exp,
  Log,
  Log2,
  Log10,
  Sqrt,
  Abs,
  Floor,
  Ceil,
  Round,
  Erf,
  Lgamma,
  Min,
  Max,
  State,
  Size,    ///< of an array, an array of variables or a domain: one child, or a second, the axis
  Nonzero, ///< a list: the indices of an array's entries that are not 0
  Sum,
  Prod,
  Any,
  All,
  Count,
};

/// No tree is deeper than kMaxExprDepth, so recursion over one is safe. Comparisons and logical
/// operators give 1 or 0. `-2^2` is -4 and `2^3^2` is 2^9, as in mathematics.
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

/// The greatest Expr::depth; the parser reports deeper expressions.
inline constexpr uint32_t kMaxExprDepth = 1000;

/// An index of a variable: `i`, or a range, `0..3`, `2..`, `..`.
struct IndexItem {
  bool isRange = false;
  std::optional<Expr> first; ///< the index; a range: its first index, not set: 0
  std::optional<Expr> last;  ///< a range: one past the last index, not set: the length
  SourceRange range;
};

/// `name`, `name[i]`, `name[i][j+1]`, `name[0..3]` where only variables are allowed.
struct VarRef {
  Name name;
  std::vector<IndexItem> indices;
  SourceRange range; ///< name and indices
};

/// An element of an array that is not a plain number: `1 - theta`.
struct ComputedElement {
  uint64_t index = 0; ///< in ArrayLiteral::values, which holds 0 there
  Expr expr;
};

/// `[1, 2]`, `[[0.1, 0.9], [1 - theta, theta]]`: rectangular, flattened row-major. values.size() is
/// the product of `shape`; a flat array has one extent.
struct ArrayLiteral {
  SourceRange range;
  std::vector<uint64_t> shape; ///< extents, outermost first
  std::vector<double> values;
  std::vector<SourceRange> rows;         ///< one per innermost [...], in order
  std::vector<ComputedElement> computed; ///< ascending index
};

struct Value;

/// A label (a name or a string) or a number; `default` is MapEntry::isDefault, not a key.
struct MapKey {
  bool isNumber = false;
  double number = 0; ///< isNumber
  Name label;        ///< isNumber: the number as it is spelled
  SourceRange range;
};

/// `no: 0.8`, `(yes, 1): 0.3`, `no: { ... }`, `default: 0`.
struct MapEntry {
  bool isDefault = false;
  std::vector<MapKey> keys; ///< states of the first scope variables; several in (...)
  std::vector<Value> value; ///< exactly one: an Expr, ArrayLiteral, MapLiteral or ExpValue
  SourceRange range;
};

/// `{ no: 0.8, yes: 0.2 }`. The value of an entry covers the scope variables after those of its
/// keys.
struct MapLiteral {
  SourceRange range;
  std::vector<MapEntry> entries;
};

/// `file("h.npy")`, `file("tables.npz", "h")`: the path is relative to the folder of the file that
/// names it.
struct FileValue {
  Name path;
  std::optional<Name> member; ///< an array of the file, or a column
};

/// `normalise(...)`: each row over the last variable of the scope is divided by its sum.
struct NormalisedValue {
  std::vector<Value> of; ///< exactly one; no InputValue
};

/// `input`: a host program, or each case of a list, gives the values. `input default ...`: these
/// values hold if none are given.
struct InputValue {
  std::vector<Value> defaults; ///< at most one; no InputValue
};

/// `exp([-800, -801])`, `exp(file("ll.npy"))`: the written numbers are natural logarithms.
struct ExpValue {
  std::vector<Value> logarithms; ///< exactly one: an ArrayLiteral, MapLiteral or FileValue
};

/// The right-hand side of the `=` of a factor or prob, or of the `~` of soft evidence.
struct Value {
  SourceRange range;
  std::variant<Expr, ArrayLiteral, MapLiteral, FileValue, NormalisedValue, InputValue, ExpValue>
      node;
};

} // namespace mpf::ast
