// Map literals: `{ no: 0.8, yes: 0.2 }`, `{ (yes, 1): 3, no: [1, 2], default: 0 }`.
//
// The keys of an entry fix the first axes that are left, so an entry is a contiguous block of the
// table; its value covers the other axes. `default` covers what no entry of its map does.
#include "dsl/model/resolve/state_ref.h"
#include "dsl/model/tables/build_table.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

class MapFiller {
public:
  MapFiller(BuildContext &context, const TableOwner &owner, TableNotes &notes)
      : context_(context), owner_(owner), notes_(notes) {
    for (const VarId id : owner.scope)
      extents_.push_back(context.model.variable(id).extent);
  }

  /// Fills the block `out`, which starts at entry `begin` and spans the axes from `axis` on.
  bool fillMapBlock(const ast::MapLiteral &map, size_t axis, uint64_t begin,
                    std::span<double> out) {
    std::vector<bool> given(out.size(), false);
    const ast::MapEntry *rest = nullptr;
    bool ok = true;
    for (const ast::MapEntry &entry : map.entries) {
      if (!entry.isDefault) {
        ok &= fillEntry(entry, axis, begin, out, given);
      } else if (rest) {
        context_.error(entry.range, "a map has one default, this is the second");
        ok = false;
      } else {
        rest = &entry;
      }
    }
    if (!ok)
      return false;
    const auto missing = std::ranges::find(given, false);
    if (missing == given.end())
      return true;
    if (rest)
      return fillDefault(*rest, axis, begin, out, given);
    const auto index = begin + static_cast<uint64_t>(missing - given.begin());
    context_.error(map.range, "the map of {} has no value for {} and no default",
                   excerpt(owner_.name, 80), entryText(context_.model, owner_.scope, index));
    return false;
  }

private:
  bool fillValue(const ast::Value &value, size_t axis, uint64_t begin, std::span<double> out) {
    if (const auto *map = std::get_if<ast::MapLiteral>(&value.node)) {
      if (axis < extents_.size())
        return fillMapBlock(*map, axis, begin, out);
      context_.error(map->range, "the keys before this map fix all {} variables of {}",
                     extents_.size(), excerpt(owner_.name, 80));
      return false;
    }
    if (const auto *array = std::get_if<ast::ArrayLiteral>(&value.node))
      return fillArray(context_, *array, owner_, std::span(extents_).subspan(axis), begin, out,
                       notes_);
    if (const auto *expr = std::get_if<ast::Expr>(&value.node)) {
      const auto compiled = compileExpression(context_, *expr, owner_.scope);
      return compiled && fillExpression(context_, *compiled, *expr, owner_, begin, out, notes_);
    }
    if (const auto *exp = std::get_if<ast::ExpValue>(&value.node)) {
      const NotesBefore first(notes_);
      return fillValue(exp->logarithms.front(), axis, begin, out) &&
             exponentiate(context_, value.range, owner_, begin, out, notes_, first);
    }
    context_.error(value.range, "a value in a map is a number, an array or a map");
    return false;
  }

  bool fillEntry(const ast::MapEntry &entry, size_t axis, uint64_t begin, std::span<double> out,
                 std::vector<bool> &given) {
    if (entry.keys.size() > extents_.size() - axis) {
      context_.error(entry.range, "an entry has {} keys, {} variables of {} are left for them",
                     entry.keys.size(), extents_.size() - axis, excerpt(owner_.name, 80));
      return false;
    }
    uint64_t offset = 0, size = out.size();
    for (size_t i = 0; i < entry.keys.size(); ++i) {
      const ast::MapKey &key = entry.keys[i];
      const VarId variable = owner_.scope[axis + i];
      const auto state = key.isNumber ? stateWithNumber(context_, placeOf(context_, variable),
                                                        {key.number, key.label.text}, key.range)
                                      : stateWithLabel(context_, placeOf(context_, variable),
                                                       key.label.text, key.range);
      if (!state)
        return false;
      size /= extents_[axis + i];
      offset += *state * size;
    }
    const auto first = given.begin() + static_cast<ptrdiff_t>(offset);
    const auto last = first + static_cast<ptrdiff_t>(size);
    if (const auto again = std::find(first, last, true); again != last) {
      const auto index = begin + static_cast<uint64_t>(again - given.begin());
      context_.error(entry.range, "the map of {} gives {} twice", excerpt(owner_.name, 80),
                     entryText(context_.model, owner_.scope, index));
      return false;
    }
    std::fill(first, last, true);
    return fillValue(entry.value.front(), axis + entry.keys.size(), begin + offset,
                     out.subspan(offset, size));
  }

  bool fillDefault(const ast::MapEntry &entry, size_t axis, uint64_t begin, std::span<double> out,
                   const std::vector<bool> &given) {
    std::vector<double> rest(out.size());
    const NotesBefore before(notes_);
    if (!fillValue(entry.value.front(), axis, begin, rest))
      return false;
    const std::vector<FormulaPart> everywhere(
        notes_.parts.begin() + static_cast<ptrdiff_t>(before.parts), notes_.parts.end());
    notes_.parts.resize(before.parts);
    const auto firstFar = notes_.far.begin() + static_cast<ptrdiff_t>(before.far);
    notes_.far.erase(std::remove_if(firstFar, notes_.far.end(),
                                    [&](const FarValue &far) { return given[far.index - begin]; }),
                     notes_.far.end());
    for (size_t first = 0; first < out.size();) {
      size_t last = first;
      for (; last < out.size() && given[last] == given[first]; ++last)
        if (!given[last])
          out[last] = rest[last];
      if (!given[first])
        keepParts(everywhere, begin + first, begin + last);
      first = last;
    }
    return true;
  }

  /// Keeps the parts of a default inside [begin, end), where no entry of the map gives values.
  void keepParts(const std::vector<FormulaPart> &everywhere, uint64_t begin, uint64_t end) {
    for (const FormulaPart &part : everywhere)
      if (const uint64_t first = std::max(begin, part.begin), last = std::min(end, part.end);
          first < last)
        notes_.parts.push_back({first, last, part.expression});
  }

  BuildContext &context_;
  const TableOwner &owner_;
  TableNotes &notes_;
  std::vector<uint32_t> extents_;
};

} // namespace

bool fillMap(BuildContext &context, const ast::MapLiteral &map, const TableOwner &owner,
             std::span<double> out, TableNotes &notes) {
  return MapFiller(context, owner, notes).fillMapBlock(map, 0, 0, out);
}

} // namespace mpf
