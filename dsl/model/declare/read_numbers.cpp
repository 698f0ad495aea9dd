#include "dsl/model/declare/read_numbers.h"

#include "dsl/model/divided_table.h"
#include "dsl/model/resolve/index_list.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/map_blocks.h"
#include "dsl/model/resolve/number_array.h"
#include "dsl/model/resolve/read_array.h"
#include "dsl/model/resolve/state_ref.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// Reads one array. Functions that return bool or nothing have reported an error.
class ArrayReading {
public:
  ArrayReading(BuildContext &context, const WantedArray &wanted)
      : context_(context), owner_(wanted), wanted_(wanted.lengths) {
    array_.domains = wanted.domains;
  }

  std::optional<NumberArray> read(const ast::Value &value) {
    return readValue(value) ? std::optional(std::move(array_)) : std::nullopt;
  }

private:
  const std::string &name() const { return owner_.name; }

  std::string wantedText() const {
    std::string text;
    for (const auto &length : wanted_)
      text += length ? fmt::format("[{}]", *length) : "[]";
    return excerpt(name()) + text;
  }

  /// Checks the shape of the value, and that its numbers are not too many.
  bool checkShape(std::span<const uint64_t> shape, SourceRange range) {
    bool fits = shape.size() == wanted_.size();
    for (size_t axis = 0; fits && axis < shape.size(); ++axis)
      fits = !wanted_[axis] || *wanted_[axis] == shape[axis];
    if (fits)
      return true;
    if (shape.size() == 1 && wanted_.size() == 1)
      context_.error(range, "{} needs {} number{}, the value has {}", excerpt(name()), *wanted_[0],
                     *wanted_[0] == 1 ? "" : "s", shape[0]);
    else
      context_.error(range, "{} is needed, the value is {}", wantedText(),
                     shape.empty() ? "one number" : dimsText(shape));
    return false;
  }

  /// Returns the number of entries if all axes have lengths; nothing after reporting.
  std::optional<uint64_t> entryCount(SourceRange range) {
    uint64_t count = 1;
    for (size_t axis = 0; axis < wanted_.size(); ++axis) {
      if (!wanted_[axis]) {
        context_.error(range,
                       "an open axis is as long as its data, a map has no length: write {}[n] or "
                       "a domain",
                       excerpt(name()));
        return std::nullopt;
      }
      count = saturatingMul(count, *wanted_[axis]);
    }
    if (count <= context_.options.limits.maxTableElems)
      return count;
    context_.beyondLimit(range,
                         fmt::format("'{}' would have {} numbers, the limit is {}", excerpt(name()),
                                     count, context_.options.limits.maxTableElems));
    return std::nullopt;
  }

  bool readValue(const ast::Value &value) {
    if (const auto *file = std::get_if<ast::FileValue>(&value.node))
      return readFile(*file);
    if (const auto *normalised = std::get_if<ast::NormalisedValue>(&value.node))
      return readValue(normalised->of.front()) && normalise(value.range);
    if (const auto *literal = std::get_if<ast::ArrayLiteral>(&value.node)) {
      array_.shape = literal->shape;
      std::vector<double> numbers(literal->values.size());
      const bool ok = checkShape(array_.shape, literal->range) && fillLiteral(*literal, numbers);
      array_.values = std::make_shared<const std::vector<double>>(std::move(numbers));
      return ok;
    }
    if (const auto *map = std::get_if<ast::MapLiteral>(&value.node)) {
      const auto count = entryCount(map->range);
      if (!count)
        return false;
      for (const auto &length : wanted_)
        array_.shape.push_back(*length);
      std::vector<double> numbers(*count);
      const bool ok = fillMap(*map, 0, 0, numbers);
      array_.values = std::make_shared<const std::vector<double>>(std::move(numbers));
      return ok;
    }
    const auto *expr = std::get_if<ast::Expr>(&value.node);
    if (expr != nullptr && isArray(context_, *expr))
      return copy(*expr);
    context_.error(value.range, "the value of {} is an array: [...], a map, file(...) or an array",
                   wantedText());
    return false;
  }

  bool readFile(const ast::FileValue &file) {
    ArrayRequest request;
    request.name = owner_.member;
    request.axes = wanted_.size();
    if (array_.domains.back() != nullptr)
      request.labels = array_.domains.back()->labels;
    request.mayMiss = request.onlyDoubles = true;
    const std::shared_ptr<const ArrayFile> read = readArray(context_, file, request);
    if (!read)
      return false;
    array_.shape = read->shape;
    array_.values = read->values;
    array_.rowEnds = read->rowEnds;
    array_.isRagged = read->isRagged;
    if (array_.isRagged) {
      uint64_t longest = 0, begin = 0;
      for (const uint64_t end : array_.rowEnds)
        longest = std::max(longest, end - std::exchange(begin, end));
      array_.shape.push_back(longest);
      if (wanted_.back()) {
        context_.error(file.path.range, "the rows of '{}' have different lengths, {} at most",
                       excerpt(name()), longest);
        return false;
      }
    }
    return checkShape(array_.shape, file.path.range);
  }

  bool fillLiteral(const ast::ArrayLiteral &literal, std::span<double> out) {
    std::ranges::copy(literal.values, out.begin());
    for (const ast::ComputedElement &element : literal.computed) {
      const auto number =
          foldNumber(context_, element.expr, fmt::format("an entry of '{}'", excerpt(name())),
                     ParamUse::Constant);
      if (!number)
        return false;
      out[element.index] = *number;
    }
    return true;
  }

  bool fillBlock(const ast::Value &value, size_t axis, uint64_t begin, std::span<double> out) {
    if (const auto *map = std::get_if<ast::MapLiteral>(&value.node); map && axis < wanted_.size())
      return fillMap(*map, axis, begin, out);
    if (const auto *literal = std::get_if<ast::ArrayLiteral>(&value.node)) {
      const std::span<const uint64_t> left = std::span(array_.shape).subspan(axis);
      if (std::ranges::equal(literal->shape, left))
        return fillLiteral(*literal, out);
      context_.error(literal->range, "these numbers are {}, the keys of '{}' leave {}",
                     dimsText(literal->shape), excerpt(name()),
                     left.empty() ? "one number" : dimsText(left));
      return false;
    }
    if (const auto *expr = std::get_if<ast::Expr>(&value.node)) {
      const auto number = foldNumber(
          context_, *expr, fmt::format("an entry of '{}'", excerpt(name())), ParamUse::Constant);
      if (number)
        std::ranges::fill(out, *number);
      return number.has_value();
    }
    context_.error(value.range, "a value in this map is a number, an array or a map");
    return false;
  }

  std::optional<uint64_t> placeOf(const ast::MapKey &key, size_t axis) {
    const DomainInfo *const domain = array_.domains[axis].get();
    if (domain != nullptr && !domain->labels.empty()) {
      const StatePlace place{*domain, name()};
      const auto state =
          key.isNumber ? stateWithNumber(context_, place, {key.number, key.label.text}, key.range)
                       : stateWithLabel(context_, place, key.label.text, key.range);
      return state ? std::optional<uint64_t>(*state) : std::nullopt;
    }
    if (!key.isNumber) {
      context_.error(key.range, "'{}' is no index: this axis of '{}' has no labels",
                     excerpt(key.label.text), excerpt(name()));
      return std::nullopt;
    }
    return checkIndex(context_, key.number, array_.shape[axis], name(), key.range)
               ? std::optional(static_cast<uint64_t>(key.number))
               : std::nullopt;
  }

  /// "w[1][yes]": the name of an entry.
  std::string entryText(uint64_t entry) const {
    std::string text;
    for (size_t axis = array_.shape.size(); axis-- > 0; entry /= array_.shape[axis]) {
      const uint64_t index = entry % array_.shape[axis];
      const DomainInfo *const domain = array_.domains[axis].get();
      const bool hasLabel = domain != nullptr && !domain->labels.empty();
      text.insert(0, fmt::format("[{}]", hasLabel ? excerpt(domain->labels[index])
                                                  : fmt::format("{}", index)));
    }
    return excerpt(name()) + text;
  }

  /// Fills the block `out`, which starts at entry `begin` and spans the axes from `axis` on.
  bool fillMap(const ast::MapLiteral &map, size_t axis, uint64_t begin, std::span<double> out) {
    MapBlocks blocks;
    blocks.owner = fmt::format("'{}'", excerpt(name()));
    blocks.axes = "axes";
    blocks.lengths.assign(array_.shape.begin() + static_cast<ptrdiff_t>(axis), array_.shape.end());
    blocks.indexOf = [&](const ast::MapKey &key, size_t i) { return placeOf(key, axis + i); };
    blocks.entryText = [&](uint64_t entry) { return entryText(begin + entry); };
    blocks.fill = [&](const ast::MapEntry &entry, uint64_t offset, uint64_t size) {
      return fillBlock(entry.value.front(), axis + entry.keys.size(), begin + offset,
                       out.subspan(offset, size));
    };
    blocks.fillRest = [&](const ast::MapEntry &entry, const std::vector<bool> &given) {
      std::vector<double> others(out.size());
      if (!fillBlock(entry.value.front(), axis, begin, others))
        return false;
      for (size_t i = 0; i < out.size(); ++i)
        if (!given[i])
          out[i] = others[i];
      return true;
    };
    return fillMapBlocks(context_, map, blocks);
  }

  bool copy(const ast::Expr &expr) {
    const auto view = resolveArray(context_, expr);
    if (!view)
      return false;
    if (view->isRagged() && !view->isWhole()) {
      context_.error(expr.range, "a part of rows of different lengths cannot be copied");
      return false;
    }
    if (view->isWhole()) {
      array_.rowEnds = view->array().rowEnds;
      array_.isRagged = view->array().isRagged;
      array_.values = view->array().values;
    } else {
      const std::span<const double> numbers = view->numbers();
      array_.values = std::make_shared<const std::vector<double>>(numbers.begin(), numbers.end());
    }
    array_.shape = view->shape();
    return checkShape(array_.shape, expr.range);
  }

  bool normalise(SourceRange range) {
    if (array_.isRagged) {
      context_.error(range, "normalise(...) is for rows of one length, those of '{}' differ",
                     excerpt(name()));
      return false;
    }
    const std::vector<double> &numbers = *array_.values;
    const uint64_t length = array_.shape.back();
    DividedTable divided(numbers, numbers.size(), length);
    for (size_t row = 0; row * length < numbers.size(); ++row) {
      const std::span<const double> entries = std::span(numbers).subspan(row * length, length);
      const bool isCounts = std::ranges::all_of(
          entries, [](double entry) { return entry >= 0 && std::isfinite(entry); });
      const bool hasSum = std::ranges::any_of(entries, [](double entry) { return entry > 0; });
      if (!isCounts || !hasSum || !divided.divide(row)) {
        context_.error(range,
                       "row {} of '{}' has a number that is below 0 or missing, or no sum "
                       "above 0: normalise(...) cannot divide it",
                       row, excerpt(name()));
        return false;
      }
    }
    std::vector<double> shares = divided.take();
    if (shares.size() != numbers.size()) {
      context_.error(range, "a share in '{}' is a number that no double holds", excerpt(name()));
      return false;
    }
    array_.values = std::make_shared<const std::vector<double>>(std::move(shares));
    return true;
  }

  BuildContext &context_;
  const WantedArray &owner_;
  const std::vector<std::optional<uint64_t>> &wanted_;
  NumberArray array_;
};

} // namespace

std::optional<NumberArray> readNumbers(BuildContext &context, const WantedArray &wanted,
                                       const ast::Value &value) {
  return ArrayReading(context, wanted).read(value);
}

} // namespace mpf
