// The right-hand side of a factor: from arrays, maps, expressions and files to table entries.
// Tables are row-major over the scope, the last variable fastest.
#pragma once

#include "dsl/model/resolve/build_context.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/table_file.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// What a table has beside the doubles of its entries.
struct TableNotes {
  std::vector<FormulaPart> parts; ///< that depend on params that vary: disjoint, in any order
  std::vector<FarValue> far; ///< entries that no normal double holds, by their place in the table
};

/// The factor that a table is for: its scope gives the size, its name and place go into messages.
struct TableOwner {
  std::string name;         ///< "f", "P(wet | rain)", "soft evidence on rain"
  std::vector<VarId> scope; ///< axes, outermost first
  SourceRange range;        ///< the name in the source
  /// By axis, if some repeat a variable: its place among the distinct ones (diagonal.h).
  std::vector<uint32_t> places = {};
};

struct BuiltTable {
  TableValues values; ///< null for `input`; else as StoredValues reads them
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
    TableNotes notes;
  };

  std::optional<Entries> entries(const ast::Value &value, const TableOwner &owner,
                                 std::span<const uint32_t> extents);
  std::optional<TableFile> readFile(const ast::FileValue &file, const TableOwner &owner,
                                    std::span<const uint32_t> extents);
  BuiltTable intern(Entries entries, std::vector<uint32_t> extents,
                    const std::vector<uint32_t> &places);

  BuildContext &context_;
  std::unordered_map<const void *, Remembered> remembered_; ///< by declaration; looked up only
};

/// Writes the entries of an array literal, computed elements included, to `out`, the block of the
/// table from entry `begin` on, and what more is to be said of them to `notes`. The array
/// is flat, or nested like `extents`; false after reporting that it is neither, or that an element
/// has an error.
bool fillArray(BuildContext &context, const ast::ArrayLiteral &array, const TableOwner &owner,
               std::span<const uint32_t> extents, uint64_t begin, std::span<double> out,
               TableNotes &notes);

/// Writes the values of `expr`, compiled to `expression`, at the table entries begin, begin + 1,
/// ... to `out`, and to `notes` the expression if it depends on params that vary, and what no
/// normal double holds. False after reporting a value that is not a number or beyond any exponent,
/// or too many operations (ModelLimits::maxExpressionSteps).
bool fillExpression(BuildContext &context, const Expression &expression, const ast::Expr &expr,
                    const TableOwner &owner, uint64_t begin, std::span<double> out,
                    TableNotes &notes);

/// Writes the entries of a map literal over the owner's whole scope to `out` and `notes`; false
/// after reporting.
bool fillMap(BuildContext &context, const ast::MapLiteral &map, const TableOwner &owner,
             std::span<double> out, TableNotes &notes);

/// A block of a table, from entry `begin` on, whose entries are logarithms: `out`, and what of
/// `notes` is not older than `first`. They become what they are the logarithms of. False after
/// reporting one that is beyond any exponent, at `range`.
struct NotesBefore {
  size_t parts = 0, far = 0;
  explicit NotesBefore(const TableNotes &notes)
      : parts(notes.parts.size()), far(notes.far.size()) {}
};
bool exponentiate(BuildContext &context, SourceRange range, const TableOwner &owner, uint64_t begin,
                  std::span<double> out, TableNotes &notes, NotesBefore first);

/// What stands inside of `normalise(...)`; any other value is its own.
const ast::Value &normalisedValue(const ast::Value &value);

/// The place in the source of row `row` of a table, over its last variable of `extent` states, if
/// the rows are written out; else the place of the owner's name or of the file's.
SourceRange rowRange(const ast::Value &value, const TableOwner &owner, uint64_t row,
                     uint64_t extent);

/// Divides each row over the last variable, which has `extent` states, by its sum. Entries that
/// no double holds are in `notes`, and parts that depend on params that vary. False after reporting
/// a row whose sum is not positive and finite, or a part.
bool normaliseRows(BuildContext &context, const ast::Value &value, const TableOwner &owner,
                   uint64_t extent, std::span<double> values, TableNotes &notes);

/// "(rain=yes, wet=0)": the states at entry `index` of a table over `scope`, for messages.
std::string entryText(const Model &model, std::span<const VarId> scope, uint64_t index);

} // namespace mpf
