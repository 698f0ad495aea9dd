// The right-hand side of a factor: from arrays, maps, expressions and files to table entries.
#pragma once

#include "dsl/model/resolve/build_context.h"
#include "dsl/model/resolve/expression.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// What a table belongs to, for its messages and its size.
struct TableOwner {
  std::string name;         ///< "f", "P(wet | rain)", "soft evidence on rain"
  std::vector<VarId> scope; ///< axes, outermost first
  SourceRange range;        ///< the name in the source
};

struct BuiltTable {
  TableValues values; ///< null for `input`
  bool isNew = false; ///< not one that an earlier declaration or instance made already
};

/// Builds tables one after the other. Instances of one declaration under `for` share the table when
/// it does not depend on the indices. Not thread-safe; the context must outlive it.
class TableBuilder {
public:
  explicit TableBuilder(BuildContext &context) : context_(context) {}

  /// Nothing after reporting: wrong number or shape of values, unknown labels, entries given twice
  /// or not at all, values that are not numbers, unreadable files, limits.
  std::optional<BuiltTable> build(const ast::Value &value, const TableOwner &owner);

private:
  /// The last table of one declaration, and all that it depended on.
  struct Remembered {
    std::vector<uint32_t> extents;
    Expression expression;
    TableValues values;
  };

  std::optional<std::vector<double>> entries(const ast::Value &value, const TableOwner &owner,
                                             std::span<const uint32_t> extents);
  std::optional<std::vector<double>> readFile(const ast::FileValue &file, const TableOwner &owner,
                                              std::span<const uint32_t> extents);
  std::optional<BuiltTable> remember(const ast::Value &value, std::vector<uint32_t> extents,
                                     Expression expression, std::vector<double> entries);

  BuildContext &context_;
  std::unordered_map<const void *, Remembered> remembered_; ///< by declaration; looked up only
};

/// Entries of an array literal, computed elements included, appended at `out`; false after
/// reporting that its shape is not `extents` (flat or nested).
bool fillArray(BuildContext &context, const ast::ArrayLiteral &array, const TableOwner &owner,
               std::span<const uint32_t> extents, std::span<double> out);

/// Entries of `expr` over the whole table, of which `out` holds those from `begin` on.
bool fillExpression(BuildContext &context, const Expression &expression, const ast::Expr &expr,
                    const TableOwner &owner, uint64_t begin, std::span<double> out);

/// Entries of a map literal over all of the owner's scope.
bool fillMap(BuildContext &context, const ast::MapLiteral &map, const TableOwner &owner,
             std::span<double> out);

/// "(rain=yes, wet=0)": the states at entry `index` of a table over `scope`.
std::string entryText(const Model &model, std::span<const VarId> scope, uint64_t index);

} // namespace mpf
