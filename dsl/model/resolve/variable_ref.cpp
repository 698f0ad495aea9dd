#include "dsl/model/resolve/variable_ref.h"

#include "dsl/model/resolve/index_list.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <unordered_set>

namespace mpf {

namespace {

/// The longest list without a hash set; most scopes are short.
constexpr size_t kQuadraticLimit = 16;

const VariableSymbol *findVariable(BuildContext &context, const std::string &name,
                                   SourceRange range) {
  const Symbol *symbol = context.symbols.find(name);
  if (!symbol) {
    reportUnknown(context, range, fmt::format("no variable is called '{}'", excerpt(name)),
                  context.symbols.hintFor<VariableSymbol>(name));
    return nullptr;
  }
  const auto *variable = std::get_if<VariableSymbol>(&symbol->what);
  if (!variable && !symbol->isBroken())
    context.error(range, "'{}' is {}, a variable is needed here", excerpt(name),
                  symbol->kindName());
  return variable;
}

/// Returns false after reporting a number of indices that is not that of the array.
bool checkIndexCount(BuildContext &context, const VariableSymbol &symbol, const std::string &name,
                     size_t count, SourceRange range) {
  if (count == symbol.dims.size())
    return true;
  if (symbol.dims.empty())
    context.error(range, "'{}' is one variable, not an array: it takes no index", excerpt(name));
  else
    context.error(range, "'{}' has {} indices, it is an array of {} and needs {}", excerpt(name),
                  count, dimsText(symbol.dims), symbol.dims.size());
  return false;
}

/// Counts the `total` variables that `refs` name; returns false after reporting that the model
/// names too many.
bool countNamed(BuildContext &context, std::span<const ast::VarRef> refs, uint64_t total) {
  context.totals.references += total;
  if (context.totals.references <= context.options.limits.maxQueryEntries)
    return true;
  context.beyondLimit(refs.front().range,
                      fmt::format("{} variables are named in all, the limit is {}",
                                  context.totals.references,
                                  context.options.limits.maxQueryEntries));
  return false;
}

class DuplicateFinder {
public:
  explicit DuplicateFinder(size_t expected) : hashed_(expected > kQuadraticLimit) {}
  /// Returns true if `id` was added before.
  bool add(VarId id, const std::vector<VarId> &before) {
    return hashed_ ? !seen_.insert(id.value).second : std::ranges::find(before, id) != before.end();
  }

private:
  bool hashed_;
  std::unordered_set<uint32_t> seen_;
};

} // namespace

std::optional<VarId> resolveVariable(BuildContext &context, const std::string &name,
                                     std::span<const ast::Expr> indices, SourceRange range) {
  const VariableSymbol *symbol = findVariable(context, name, range);
  if (!symbol || !checkIndexCount(context, *symbol, name, indices.size(), range))
    return std::nullopt;
  uint64_t offset = 0;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const uint64_t dim = symbol->dims[axis];
    const auto index = foldInteger(context, indices[axis], "an index", INT64_MIN, INT64_MAX);
    if (!index)
      return std::nullopt;
    if (*index < 0 || static_cast<uint64_t>(*index) >= dim) {
      context.error(indices[axis].range, "index {} of '{}' is outside 0..{} (the array is {})",
                    *index, excerpt(name), dim - 1, dimsText(symbol->dims));
      return std::nullopt;
    }
    offset = offset * dim + static_cast<uint64_t>(*index);
  }
  return VarId(symbol->first.index() + offset);
}

namespace {

/// The elements of an array that a reference names.
struct NamedVariables {
  const VariableSymbol *symbol = nullptr;
  std::vector<IndexList> axes{}; ///< empty: the whole array, or a single variable
  uint64_t count = 0;

  /// Calls add(VarId) for each of them, the last index fastest, until it returns false.
  template <class Add> void forEach(const Add &add) const {
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t offset = axes.empty() ? i : 0, rest = i, stride = 1;
      for (size_t axis = axes.size(); axis-- > 0;) {
        const IndexList &list = axes[axis];
        offset += stride * static_cast<uint64_t>(list.at(rest % list.count));
        rest /= list.count;
        stride *= symbol->dims[axis];
      }
      if (!add(VarId(symbol->first.index() + offset)))
        return;
    }
  }
};

/// A name alone, where it may be an array.
enum class NameAlone { IsArray, IsOneVariable };

/// Returns the variables that `ref` names; nothing after reporting.
std::optional<NamedVariables> namedBy(BuildContext &context, const ast::VarRef &ref,
                                      NameAlone alone) {
  const std::string &name = ref.name.text;
  NamedVariables named{findVariable(context, name, ref.range)};
  if (named.symbol == nullptr)
    return std::nullopt;
  const std::vector<uint64_t> &dims = named.symbol->dims;
  named.count = 1;
  if (ref.indices.empty() && !dims.empty() && alone == NameAlone::IsArray) {
    named.count = named.symbol->count;
    return named;
  }
  if (!checkIndexCount(context, *named.symbol, name, ref.indices.size(), ref.range))
    return std::nullopt;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    auto list = foldIndices(context, ref.indices[axis], dims[axis], name, dims);
    if (!list)
      return std::nullopt;
    named.count = saturatingMul(named.count, list->count);
    named.axes.push_back(std::move(*list));
  }
  return named;
}

/// Returns what each of `refs` names, and adds their number to `total`; nothing after reporting one
/// that is wrong, or too many variables. No list of variables is made before.
std::optional<std::vector<NamedVariables>> namedByAll(BuildContext &context,
                                                      std::span<const ast::VarRef> refs,
                                                      NameAlone alone, uint64_t &total) {
  std::vector<NamedVariables> all;
  for (const ast::VarRef &ref : refs)
    if (auto named = namedBy(context, ref, alone)) {
      total = saturatingAdd(total, named->count);
      all.push_back(std::move(*named));
    }
  if (all.size() != refs.size() || !countNamed(context, refs, total))
    return std::nullopt;
  return all;
}

} // namespace

std::optional<VarId> resolveVariable(BuildContext &context, const ast::VarRef &ref) {
  const auto named = namedBy(context, ref, NameAlone::IsOneVariable);
  if (!named)
    return std::nullopt;
  if (named->count != 1) {
    context.error(ref.range, "this names {} variables, one is needed here", named->count);
    return std::nullopt;
  }
  std::optional<VarId> one;
  named->forEach([&](VarId id) { return (one = id).has_value(); });
  return one;
}

std::optional<std::vector<VarId>> resolveVariables(BuildContext &context,
                                                   std::span<const ast::VarRef> refs,
                                                   const std::string &where) {
  uint64_t total = 0;
  const auto named = namedByAll(context, refs, NameAlone::IsArray, total);
  if (!named)
    return std::nullopt;
  std::vector<VarId> ids;
  DuplicateFinder duplicates(total);
  bool ok = true;
  for (size_t i = 0; i < refs.size(); ++i)
    (*named)[i].forEach([&](VarId id) {
      if (duplicates.add(id, ids)) {
        context.error(refs[i].range, "'{}' occurs twice in {}", context.model.variable(id).name,
                      where);
        return ok = false;
      }
      ids.push_back(id);
      return true;
    });
  if (!ok)
    return std::nullopt;
  return ids;
}

std::optional<WrittenScope> resolveScope(BuildContext &context, std::span<const ast::VarRef> refs,
                                         SourceRange owner) {
  uint64_t total = 0;
  const auto named = namedByAll(context, refs, NameAlone::IsOneVariable, total);
  if (!named)
    return std::nullopt;
  if (const uint64_t most = context.options.limits.maxScope; total > most) {
    context.error(owner, "a scope of {} variables, the limit is {}", total, most);
    return std::nullopt;
  }
  WrittenScope scope;
  DuplicateFinder duplicates(total);
  for (const NamedVariables &each : *named)
    each.forEach([&](VarId id) {
      scope.axes.push_back(id);
      if (!duplicates.add(id, scope.variables))
        scope.variables.push_back(id);
      return true;
    });
  return scope;
}

std::string scopeText(const Model &model, std::span<const VarId> scope) {
  constexpr size_t kMaxShown = 12;
  std::string text = "(";
  for (size_t i = 0; i < std::min(scope.size(), kMaxShown); ++i) {
    const Variable &variable = model.variable(scope[i]);
    text += fmt::format("{}{}:{}", i == 0 ? "" : ", ", excerpt(variable.name), variable.extent);
  }
  if (scope.size() > kMaxShown)
    text += fmt::format(", and {} more", scope.size() - kMaxShown);
  return text + ')';
}

} // namespace mpf
