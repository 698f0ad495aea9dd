// Values of tables that are map literals (map_blocks.h).
#include "dsl/model/resolve/map_blocks.h"
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
    MapBlocks blocks;
    blocks.owner = excerpt(owner_.name, 80);
    blocks.axes = "variables";
    blocks.lengths.assign(extents_.begin() + static_cast<ptrdiff_t>(axis), extents_.end());
    blocks.indexOf = [&](const ast::MapKey &key, size_t i) { return stateOf(key, axis + i); };
    blocks.entryText = [&](uint64_t entry) {
      return entryText(context_.model, owner_.scope, begin + entry);
    };
    blocks.fill = [&](const ast::MapEntry &entry, uint64_t offset, uint64_t size) {
      return fillValue(entry.value.front(), axis + entry.keys.size(), begin + offset,
                       out.subspan(offset, size));
    };
    blocks.fillRest = [&](const ast::MapEntry &entry, const std::vector<bool> &given) {
      return fillDefault(entry, axis, begin, out, given);
    };
    return fillMapBlocks(context_, map, blocks);
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

  std::optional<uint64_t> stateOf(const ast::MapKey &key, size_t axis) {
    const VarId variable = owner_.scope[axis];
    return key.isNumber
               ? stateWithNumber(context_, placeOf(context_, variable),
                                 {key.number, key.label.text}, key.range)
               : stateWithLabel(context_, placeOf(context_, variable), key.label.text, key.range);
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
