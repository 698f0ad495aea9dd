#include "dsl/model/resolve/variable_ref.h"

#include "dsl/model/resolve/language_expression.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <unordered_set>

namespace mpf {

namespace {

/// The longest list without a hash set; most scopes are short.
constexpr size_t kQuadraticLimit = 16;

std::string dimsText(const std::vector<uint64_t> &dims) {
  std::string text;
  for (const uint64_t dim : dims)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", dim);
  return text;
}

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

/// Returns the array that `ref` names without indices; null if it does not.
const VariableSymbol *wholeArray(const BuildContext &context, const ast::VarRef &ref) {
  if (!ref.indices.empty())
    return nullptr;
  const auto *symbol = context.symbols.findAs<VariableSymbol>(ref.name.text);
  return symbol && !symbol->dims.empty() ? symbol : nullptr;
}

/// Counts the `total` variables that `refs` name; returns false after reporting that the model
/// names too many.
bool countNamed(BuildContext &context, std::span<const ast::VarRef> refs, uint64_t total) {
  context.references += total;
  if (context.references <= context.options.limits.maxQueryEntries)
    return true;
  context.error(refs.front().range, "{} variables are named in all, the limit is {}",
                context.references, context.options.limits.maxQueryEntries);
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
  if (!symbol)
    return std::nullopt;
  if (indices.size() != symbol->dims.size()) {
    if (symbol->dims.empty())
      context.error(range, "'{}' is one variable, not an array: it takes no index", excerpt(name));
    else
      context.error(range, "'{}' has {} indices, it is an array of {} and needs {}", excerpt(name),
                    indices.size(), dimsText(symbol->dims), symbol->dims.size());
    return std::nullopt;
  }
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

std::optional<VarId> resolveVariable(BuildContext &context, const ast::VarRef &ref) {
  return resolveVariable(context, ref.name.text, ref.indices, ref.range);
}

std::optional<std::vector<VarId>> resolveVariables(BuildContext &context,
                                                   std::span<const ast::VarRef> refs,
                                                   const std::string &where) {
  // The size is checked first, so that nothing is allocated for a list that is too long.
  uint64_t total = refs.size();
  for (const ast::VarRef &ref : refs)
    if (const VariableSymbol *array = wholeArray(context, ref))
      total += array->count;
  if (!countNamed(context, refs, total))
    return std::nullopt;
  std::vector<VarId> ids;
  DuplicateFinder duplicates(total);
  bool ok = true;
  const auto add = [&](VarId id, SourceRange range) {
    if (duplicates.add(id, ids)) {
      context.error(range, "'{}' occurs twice in {}", context.model.variable(id).name, where);
      ok = false;
      return false;
    }
    ids.push_back(id);
    return true;
  };
  for (const ast::VarRef &ref : refs) {
    if (const VariableSymbol *array = wholeArray(context, ref)) {
      for (uint64_t i = 0; i < array->count; ++i)
        if (!add(VarId(array->first.index() + i), ref.range))
          break;
      continue;
    }
    const auto id = resolveVariable(context, ref);
    if (id)
      add(*id, ref.range);
    ok &= id.has_value();
  }
  if (!ok)
    return std::nullopt;
  return ids;
}

std::optional<WrittenScope> resolveScope(BuildContext &context, std::span<const ast::VarRef> refs) {
  if (!countNamed(context, refs, refs.size()))
    return std::nullopt;
  WrittenScope scope;
  DuplicateFinder duplicates(refs.size());
  for (const ast::VarRef &ref : refs)
    if (const auto id = resolveVariable(context, ref)) {
      scope.axes.push_back(*id);
      if (!duplicates.add(*id, scope.variables))
        scope.variables.push_back(*id);
    }
  return scope.axes.size() == refs.size() ? std::optional(std::move(scope)) : std::nullopt;
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
