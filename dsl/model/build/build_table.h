// The right-hand side of a factor: from arrays, maps, expressions and files to table entries.
// Tables are row-major over the scope, the last variable fastest.
#pragma once

#include "dsl/model/resolve/build_context.h"
#include "dsl/model/resolve/language_expression.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// Parts of a table that depend on params that vary: disjoint, in any order.
using FormulaParts = std::vector<FormulaPart>;

/// The factor that a table is for: its scope gives the size, its name and place go into messages.
struct TableOwner {
  std::string name;         ///< "f", "P(wet | rain)", "soft evidence on rain"
  std::vector<VarId> scope; ///< axes, outermost first
  SourceRange range;        ///< the name in the source
  /// By axis, if some repeat a variable: its place among the distinct ones (diagonal.h).
  std::vector<uint32_t> places = {};
};

struct BuiltTable {
  TableValues values; ///< null for `input`
  bool isNew = false; ///< no earlier declaration or instance has equal entries
  std::shared_ptr<const TableFormula> formula = {}; ///< null: no entry depends on params that vary
};

/// Builds tables one after the other. Equal tables share their values (table_pool.h). An instance
/// of a declaration under `for` whose table does not depend on the indices is not even evaluated
/// again. Not thread-safe; the context must outlive the builder.
class TableBuilder {
public:
  explicit TableBuilder(BuildContext &context) : context_(context) {}

  /// The table of `owner` with the entries that `value` gives, or its diagonal, where axes repeat a
  /// variable. Nothing after reporting: a wrong number or shape of values, unknown labels, entries
  /// given twice or not at all, values that are not numbers, unreadable files, sizes beyond the
  /// limits, a row in `normalise(...)` whose sum is not positive.
  std::optional<BuiltTable> build(const ast::Value &value, const TableOwner &owner);

private:
  /// The last table of one declaration, with everything that its entries depend on.
  struct Remembered {
    std::vector<uint32_t> extents, places; ///< by axis
    Expression expression;
    TableValues values;
    std::shared_ptr<const TableFormula> formula;
  };
  /// The entries of a table that is being built.
  struct Entries {
    std::vector<double> values;
    FormulaParts parts;
  };

  std::optional<Entries> entries(const ast::Value &value, const TableOwner &owner,
                                 std::span<const uint32_t> extents);
  std::optional<std::vector<double>> readFile(const ast::FileValue &file, const TableOwner &owner,
                                              std::span<const uint32_t> extents);
  BuiltTable intern(Entries entries, std::vector<uint32_t> extents,
                    const std::vector<uint32_t> &places);

  BuildContext &context_;
  std::unordered_map<const void *, Remembered> remembered_; ///< by declaration; looked up only
};

/// Writes the entries of an array literal, computed elements included, to `out`, the block of the
/// table from entry `begin` on, and what of them depends on params that vary to `parts`. The array
/// is flat, or nested like `extents`; false after reporting that it is neither, or that an element
/// has an error.
bool fillArray(BuildContext &context, const ast::ArrayLiteral &array, const TableOwner &owner,
               std::span<const uint32_t> extents, uint64_t begin, std::span<double> out,
               FormulaParts &parts);

/// Writes the values of `expr`, compiled to `expression`, at the table entries begin, begin + 1,
/// ... to `out`, and the expression to `parts` if it depends on params that vary. False after
/// reporting a value that is not a number, or too many operations
/// (ModelLimits::maxExpressionSteps).
bool fillExpression(BuildContext &context, const Expression &expression, const ast::Expr &expr,
                    const TableOwner &owner, uint64_t begin, std::span<double> out,
                    FormulaParts &parts);

/// Writes the entries of a map literal over the owner's whole scope to `out`, and what of them
/// depends on params that vary to `parts`; false after reporting.
bool fillMap(BuildContext &context, const ast::MapLiteral &map, const TableOwner &owner,
             std::span<double> out, FormulaParts &parts);

/// What stands inside of `normalise(...)`; any other value is its own.
const ast::Value &normalisedValue(const ast::Value &value);

/// The place in the source of row `row` of a table, over its last variable of `extent` states, if
/// the rows are written out; else the place of the owner's name or of the file's.
SourceRange rowRange(const ast::Value &value, const TableOwner &owner, uint64_t row,
                     uint64_t extent);

/// Divides each row over the last variable, which has `extent` states, by its sum. `parts` is what
/// depends on params that vary. False after reporting a row whose sum is not positive and finite,
/// or a part.
bool normaliseRows(BuildContext &context, const ast::Value &value, const TableOwner &owner,
                   uint64_t extent, std::span<double> values, const FormulaParts &parts);

/// "(rain=yes, wet=0)": the states at entry `index` of a table over `scope`, for messages.
std::string entryText(const Model &model, std::span<const VarId> scope, uint64_t index);

} // namespace mpf
