// Builds the entries of a table from the right-hand side of a factor: array, map, expression or
// file. Tables are row-major over the scope, the last variable fastest.
#pragma once

#include "dsl/model/array_file.h"
#include "dsl/model/resolve/build_context.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/number_array.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The properties of a table beyond the doubles of its entries.
struct TableNotes {
  std::vector<FormulaPart> parts; ///< parts that depend on params that vary: disjoint, unordered
  std::vector<FarValue> far; ///< entries that no normal double holds, by their place in the table
};

/// The factor of a table. Its scope determines the size; its name and place are for messages.
struct TableOwner {
  std::string name;         ///< "f", "P(wet | rain)", "soft evidence on rain"
  std::vector<VarId> scope; ///< axes, outermost first
  SourceRange range;        ///< the name in the source
  /// The result of placesOfAxes: not empty if axes repeat a variable (diagonal.h).
  std::vector<uint32_t> places = {};
};

struct BuiltTable {
  TableValues values; ///< null for `input`; else in the form of StoredValues
  bool isNew = false; ///< no earlier declaration or instance has equal entries
  std::shared_ptr<const TableFormula> formula = {}; ///< null: no entry depends on params that vary
};

/// Builds tables one after the other. Equal tables share their values (table_pool.h). A declaration
/// under `for` whose table does not depend on the indices is evaluated only once. Not thread-safe;
/// the context must outlive the builder.
class TableBuilder {
public:
  explicit TableBuilder(BuildContext &context) : context_(context) {}

  /// Builds the table of `owner` from `value`, or its diagonal if axes repeat a variable. Returns
  /// nothing after reporting one of these faults:
  /// - values that are not numbers, or have a wrong number or shape
  /// - unknown labels, or entries given twice or not at all
  /// - unreadable files, or sizes beyond the limits
  /// - a row in `normalise(...)` whose sum is not positive
  std::optional<BuiltTable> build(const ast::Value &value, const TableOwner &owner);

private:
  /// The last table of a declaration, with everything on which its entries depend.
  struct Remembered {
    std::vector<uint32_t> extents, places; ///< of each axis
    Expression expression;
    std::optional<ArrayView> view; ///< an array of numbers that gives all entries
    TableValues values;
    std::shared_ptr<const TableFormula> formula;
  };
  /// The entries of a table under construction.
  struct Entries {
    std::vector<double> values;
    TableNotes notes;
    TableValues ofFile = {}; ///< not null: the entries are these, and `values` is empty

    /// Copies ofFile to `values`, which may be changed.
    void own();
  };

  std::optional<Entries> entries(const ast::Value &value, const TableOwner &owner,
                                 std::span<const uint32_t> extents);
  std::optional<Entries> readFile(const ast::FileValue &file, const TableOwner &owner,
                                  std::span<const uint32_t> extents);
  std::optional<Entries> wholeValue(const ast::Expr &expr, const TableOwner &owner,
                                    std::span<const uint32_t> extents);
  /// Returns false after reporting an axis whose labels differ from those of its variable.
  bool labelsFit(const ArrayView &view, const ast::Expr &expr, const TableOwner &owner);
  /// The values are as StoredValues reads them; `far` counts no more.
  BuiltTable intern(Entries entries, std::vector<uint32_t> extents,
                    const std::vector<uint32_t> &places);

  BuildContext &context_;
  std::unordered_map<const void *, Remembered> remembered_; ///< by declaration; looked up only
};

/// How the axes of an array relate to those of the scope. Files may merge neighbouring axes (a
/// matrix of rows over several parents) and omit axes of one state.
enum class Axes { Same, Merged };

/// Returns whether an array of `shape` with `count` values fits a table over `extents`: flat, or
/// nested like the scope. Reports if it does not.
bool fits(BuildContext &context, std::span<const uint64_t> shape, Axes axes, uint64_t count,
          const TableOwner &owner, std::span<const uint32_t> extents, SourceRange range);
/// Whether an array of `shape` covers the last of several axes: [q, 1 - q] for P(y | x). None does
/// if axes repeat a variable: it could be meant as the diagonal.
bool coversLast(const TableOwner &owner, std::span<const uint64_t> shape,
                std::span<const uint32_t> extents);
uint64_t elemsOf(std::span<const uint32_t> extents); ///< saturating
/// Returns a hint for a table that is too large because of its many parents: noisyor or noisymax.
std::string causesHint(const TableOwner &owner);

/// Writes the entries of an array literal, also computed ones, to `out`, the block of the table
/// from entry `begin` on. Adds their notes to `notes`. The array is flat, or nested like `extents`,
/// or it covers the last axes: its elements are expressions over the variables in front. Returns
/// false after reporting another shape or an element with an error.
bool fillArray(BuildContext &context, const ast::ArrayLiteral &array, const TableOwner &owner,
               std::span<const uint32_t> extents, uint64_t begin, std::span<double> out,
               TableNotes &notes);

/// Whether an array gives all entries: a param with axes, or a function whose body is an array.
bool isWholeValue(const BuildContext &context, const ast::Expr &expr);
/// Whether the value of a compiled expression depends on states of variables.
bool readsStates(const Expression &expression);

/// Returns the function that `expr` calls if its body is an array; null: any other expression.
const FunctionSymbol *arrayFunction(const BuildContext &context, const ast::Expr &expr);
/// Writes the table that a call of such a function gives to `out` and `notes`. Returns false after
/// reporting.
bool fillCall(BuildContext &context, const FunctionSymbol &function, const ast::Expr &call,
              const TableOwner &owner, std::span<double> out, TableNotes &notes);

/// The entries first, first + stride, ... of a table, which follow from one expression over the
/// first variables of its scope.
struct EntryRun {
  std::span<const VarId> scope; ///< the variables in front
  uint64_t begin = 0;           ///< the first entry, in a table over these alone
  uint64_t count = 0;
  uint64_t first = 0, stride = 1; ///< in the table
};
/// Writes the values of `expr`, compiled to `expression` over run.scope, to their entries of `out`,
/// the block of the table from entry `begin` on. Otherwise as fillExpression().
bool fillRun(BuildContext &context, const Expression &expression, const ast::Expr &expr,
             const TableOwner &owner, const EntryRun &run, uint64_t begin, std::span<double> out,
             TableNotes &notes);

/// Writes the values of `expr`, compiled to `expression`, to `out`, the block of the table from
/// entry `begin` on. Adds to `notes` values that no normal double holds, and the expression if it
/// depends on params that vary. Returns false after reporting a value that is not a number or
/// exceeds all exponents, or too many operations (ModelLimits::maxExpressionSteps).
bool fillExpression(BuildContext &context, const Expression &expression, const ast::Expr &expr,
                    const TableOwner &owner, uint64_t begin, std::span<double> out,
                    TableNotes &notes);

/// Writes the entries of a map literal over the owner's whole scope to `out` and `notes`. Returns
/// false after reporting.
bool fillMap(BuildContext &context, const ast::MapLiteral &map, const TableOwner &owner,
             std::span<double> out, TableNotes &notes);

/// The numbers of notes before a block of a table was written.
struct NotesBefore {
  size_t parts = 0, far = 0;
  explicit NotesBefore(const TableNotes &notes)
      : parts(notes.parts.size()), far(notes.far.size()) {}
};
/// Replaces logarithms by the numbers whose logarithms they are. They are a block of a table from
/// entry `begin` on: `out`, and the notes added after `first`. Returns false after reporting, at
/// `range`, a number that exceeds all exponents.
bool exponentiate(BuildContext &context, SourceRange range, const TableOwner &owner, uint64_t begin,
                  std::span<double> out, TableNotes &notes, NotesBefore first);

/// Returns the value inside of `normalise(...)`; any other value unchanged.
const ast::Value &normalisedValue(const ast::Value &value);

/// Returns the place of row `row` of a table over its last variable, of `extent` states, if the
/// source lists the rows. Otherwise returns the place of the owner's name or of the file's.
SourceRange rowRange(const ast::Value &value, const TableOwner &owner, uint64_t row,
                     uint64_t extent);

/// Divides each row over the last variable, of `extent` states, by its sum. `stored` has the
/// `elems` entries as StoredValues reads them, `parts` those that depend on params that vary.
/// Returns false after reporting such a part, an entry below 0, or a row that has no sum or share
/// that tables hold.
bool normaliseRows(BuildContext &context, const ast::Value &value, const TableOwner &owner,
                   std::span<const FormulaPart> parts, uint64_t elems, uint64_t extent,
                   std::vector<double> &stored);

/// Returns the states at entry `index` of a table over `scope`, "(rain=yes, wet=0)", for messages.
std::string entryText(const Model &model, std::span<const VarId> scope, uint64_t index);

} // namespace mpf
