// AST: a parsed .mpf file, declaration by declaration, as written (--emit=ast prints it).
//
// Plain copyable data. Every node has its SourceRange in File::source. The grammar is in
// dsl/LANGUAGE.md. The parser guarantees the form only: lists that the grammar wants filled are not
// empty, arrays are rectangular, the depth is bounded. The model builder checks names, extents and
// numbers.
#pragma once

#include "dsl/support/query_traits.h"
#include "dsl/syntax/ast_expr.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace mpf::ast {

/// `model sprinkler`: at most one in a file, before everything else.
struct ModelDecl {
  Name name;
};

/// `{ no, yes }`, `file("words.txt")`, or an expression: a size (`2`, `n + 1`) or, as a bare Ref, a
/// domain's name.
struct DomainSpec {
  SourceRange range;
  std::vector<Name> labels;      ///< empty: `file` or `size` holds
  std::optional<FileValue> file; ///< its words are the labels
  Expr size;
  bool labelled() const { return !labels.empty(); }
};

/// `domain yesno = { no, yes }`, `domain die = 6`
struct DomainDecl {
  Name name;
  DomainSpec spec;
};

/// `x`, or the index array `s[n][n]`.
struct VarItem {
  Name name;
  std::vector<Expr> dims; ///< lengths, outermost first; empty for a scalar
  SourceRange range;
};

/// `w, x, y : 2`
struct VarGroup {
  std::vector<VarItem> items; ///< at least one
  DomainSpec domain;
};

/// `var s[n][n] : { down, up }`, `var a, b : 2, c : 3`
struct VarDecl {
  std::vector<VarGroup> groups; ///< at least one
};

enum class ParamKind {
  None, ///< `n`: a value from outside, or from the file(...) that a later item of the `param` has
  Constant, ///< `n = 32`: args = value; the command line may override it
  Given,    ///< `w[] = [1, 2]`, `n = file("code.alist")`: `given`
  Linspace, ///< `t in linspace(0, 0.5, 64)`: args = first, last, count
  Range,    ///< `k in 0..10`: args = first, one past the last
  List,     ///< `b in [0.1, 1, 10]`: args = the values, at least one
  Values,   ///< `b in file("b.npy")`, `b in betas`: `given` = the file, or the name of an array
};

/// `[3]`, `[room]`, `[]` behind a param's name.
struct ParamAxis {
  std::vector<Expr> length; ///< a length, or a domain's name; empty: as long as the data
  SourceRange range;
};

struct ParamItem {
  Name name;
  ParamKind kind = ParamKind::Constant;
  std::vector<ParamAxis> axes; ///< empty: a number
  std::vector<Expr> args;
  std::vector<Value> given; ///< Given, Values: one value
  SourceRange range;
};

/// `param n = 32, beta in [0.1, 1]`
struct ParamDecl {
  std::vector<ParamItem> items; ///< at least one
};

/// `q = 1 - p` behind `where`.
struct Binding {
  Name name;
  Expr value;
};

/// `g : geno` among the arguments of a function.
struct Argument {
  Name name;
  std::vector<DomainSpec> domain; ///< empty: a number
};

/// `def off(p) = 1 - p`, `def mendel(f, m) = [f, m - f, 1 - m]`
struct DefDecl {
  Name name;
  std::vector<Argument> arguments; ///< at least one
  Value body;                      ///< an ArrayLiteral or an Expr
};

/// `factor f(x, y, z) = ...`; an empty scope is a constant.
struct FactorDecl {
  Name name;
  std::vector<VarRef> scope;
  Value value;
  std::vector<Binding> where;
};

enum class NoisyKind { Or, Max, Min };

/// `noisyor(leak = 0.01, [0.9, 0.8])`, `noisymax(leak = [0.9, 0.1], [[1, 0], [0.2, 0.8]], ...)`,
/// `noisymin(...)` likewise.
struct NoisyValue {
  NoisyKind kind = NoisyKind::Or;
  std::vector<Value> leak;   ///< at most one
  std::vector<Value> causes; ///< at least one
  SourceRange range;
};

/// `prob P(wet | sprinkler, rain) = ...`: table axes are the parents as written, then the child
/// (last, fastest), so that an innermost row is one distribution.
struct ProbDecl {
  VarRef child;
  std::vector<VarRef> parents;
  SourceRange head; ///< `P(wet | sprinkler, rain)`
  Value value;      ///< unless there is `noisy`
  std::optional<NoisyValue> noisy;
  std::vector<Binding> where;
};

struct Decl;

/// `for i in 0..n, j in 0..n-1: decl` or `for i in 0..n { decls }`. Later ranges may use earlier
/// indices. The body holds only factor, prob, observe, order and for declarations.
struct ForDecl {
  std::vector<Expr> ranges; ///< at least one ExprKind::Range
  std::vector<Decl> body;
};

enum class ObserveKind {
  State,      ///< `wet = yes`, `x[0..3] = 1`: one state of all variables
  States,     ///< `x = [0, 1, _, yes]`, `x = file("obs.txt")`
  Likelihood, ///< `sprinkler ~ { no: 0.3, yes: 0.7 }`
  Posterior,  ///< `sprinkler ~ posterior { no: 0.3, yes: 0.7 }`
  Do,         ///< `do(sprinkler = yes)`
};

struct ObserveItem {
  VarRef variable; ///< one or several
  ObserveKind kind = ObserveKind::State;
  Expr state; ///< State, Do: a label or a state number
  /// Likelihood, Posterior: any value but `input`. States: ArrayLiteral or FileValue; `_` is
  /// a variable that is not observed.
  Value weights;
  SourceRange range;
  /// Posterior: '-' follows the word, which may also be a name then, as in `posterior - x`.
  bool readsAsName = false;
};

/// `observe wet = yes, rain ~ [0.3, 0.7]`
struct ObserveDecl {
  std::vector<ObserveItem> items; ///< at least one
};

/// `observe cases file("cases.csv")`
struct ObserveCasesDecl {
  Name path;
};

/// `order x > z > w, a > b`: each chain most significant first.
struct OrderDecl {
  std::vector<std::vector<VarRef>> chains; ///< none empty
};

enum class ReduceOp { Sum, LogSum, Max, Min, Any, Count, ArgMax, ArgMin };

/// `sum(w, y)`; no variables means every variable that is neither free nor reduced elsewhere.
struct ReductionClause {
  ReduceOp op = ReduceOp::Sum;
  std::vector<VarRef> variables;
  SourceRange range;
};

/// A factor in a product: `f`, the member `h[i][j]` of a family, or `P(child)`.
struct FactorRef {
  bool isProb = false;
  Name name;                 ///< !isProb
  std::vector<Expr> indices; ///< !isProb
  VarRef child;              ///< isProb
  SourceRange range;
};

enum class CombineOp { None, Times, Plus, And }; ///< None: a product of one factor

/// `query k(x, z) = sum(w, y) f * g * h`, or a short form: `query P(rain, wet)`.
struct QueryDecl {
  QueryKind kind = QueryKind::Expression;
  Name name;                               ///< Expression: "k"; short forms: their text
  std::vector<VarRef> output;              ///< Expression: free variables; else the arguments
  std::vector<ReductionClause> reductions; ///< Expression: outermost first, may be empty
  CombineOp combine = CombineOp::None;     ///< Expression
  std::optional<ElementType> type;         ///< element type of its tables; none: the default
  std::vector<FactorRef> product;          ///< Expression: at least one
  Expr sampleCount;                        ///< short forms: QueryArguments::Count
  std::vector<VarRef> rows;                ///< `P(x | y)`: each of their states has a row
  std::vector<ObserveItem> given;          ///< short forms: evidence of this query alone
};

/// `include "base.mpf"`, `import "net.uai"`
struct IncludeDecl {
  bool isImport = false;
  Name path;
};

struct Decl {
  SourceRange range;
  std::variant<ModelDecl, DomainDecl, VarDecl, ParamDecl, DefDecl, FactorDecl, ProbDecl, ForDecl,
               ObserveDecl, ObserveCasesDecl, OrderDecl, QueryDecl, IncludeDecl>
      node;
};

struct File {
  std::shared_ptr<const SourceBuffer> source;
  std::vector<Decl> decls; ///< in the order written
};

} // namespace mpf::ast
