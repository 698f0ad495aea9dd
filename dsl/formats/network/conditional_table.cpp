#include "dsl/formats/network/conditional_table.h"

#include "dsl/support/check.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>

namespace mpf {

bool ConditionalTable::setChild(const PlacedText &child) {
  const std::optional<VarId> id = network_.findVariable(child);
  if (!id || !network_.claimTable(*id, child.range))
    return false;
  child_ = *id;
  place_ = child.range;
  childExtent_ = network_.model().variable(child_).extent;
  text_ = conditionalText(network_, child_, false);
  return true;
}

bool ConditionalTable::addParent(const PlacedText &parent) {
  const std::optional<VarId> id = network_.findVariable(parent);
  if (!id)
    return false;
  if (*id == child_ || std::find(parents_.begin(), parents_.end(), *id) != parents_.end())
    return network_.error(parent.range, "'{}' stands twice in its conditional table",
                          excerpt(parent.text));
  parents_.push_back(*id);
  text_ = conditionalText(network_, child_, true);
  const uint64_t limit = network_.limits().maxScope;
  return parents_.size() < limit ||
         network_.error(parent.range, "the block has more than {} variables, the limit", limit);
}

bool ConditionalTable::allocate(SourceRange at, uint64_t listable) {
  std::vector<VarId> scope = parents_;
  scope.push_back(child_);
  const uint64_t elems = scopeElems(network_.model(), scope);
  const uint64_t limit = std::min(network_.limits().maxTableElems, network_.elemsLeft());
  const uint64_t room = listable + network_.unlistedElemsLeft();
  const auto needed = [elems] {
    return elems == UINT64_MAX ? "more than 2^64" : fmt::format("{}", elems);
  };
  if (elems > limit)
    return network_.error(at, "the table of {} needs {} entries, there is room for {}", text_,
                          needed(), limit);
  if (elems > room)
    return network_.error(at,
                          "the table of {} needs {} entries, the text lists at most {}: of the "
                          "2^24 entries that all tables need not list, {} are left",
                          text_, needed(), listable, network_.unlistedElemsLeft());
  listable_ = listable;
  isSet_.resize(elems / childExtent_);
  return true;
}

std::string ConditionalTable::rowName(uint64_t row) const {
  return "row " + rowText(network_, parents_, row);
}

std::string ConditionalTable::nameOf(NumbersOf of) const {
  return of.text != nullptr ? of.text : rowName(of.row);
}

bool ConditionalTable::takeNumber(const PlacedText &word, NumbersOf of, uint64_t count,
                                  ReadNumbers &numbers) {
  using Kind = TableNumber::Kind;
  const TableNumber number = readTableNumber(word.text);
  if (number.kind == Kind::None && numbers.size() >= count)
    return network_.error(word.range, "expected the end of {} behind {} numbers, found '{}'",
                          nameOf(of), count, excerpt(word.text));
  if (number.kind == Kind::None)
    return network_.error(word.range, "expected number {} of the {} of {}, found '{}'",
                          numbers.size() + 1, count, nameOf(of), excerpt(word.text));
  if (number.nearest < 0 || number.far.mantissa < 0)
    return network_.error(word.range, "{} has the negative probability {}", nameOf(of),
                          excerpt(word.text));
  if (number.kind == Kind::Beyond)
    return network_.error(word.range, "number {} of {} is {}, {}", numbers.size() + 1, nameOf(of),
                          excerpt(word.text), tableRangeText());
  if (numbers.values.empty())
    numbers.values.reserve(std::min(count, listable_));
  if (number.kind == Kind::Far)
    numbers.far.push_back({numbers.size(), number.far});
  numbers.values.push_back(number.nearest);
  return true;
}

bool ConditionalTable::checkCount(SourceRange at, NumbersOf of, uint64_t count,
                                  const ReadNumbers &numbers) {
  return numbers.size() == count || network_.error(at, "{} has {} numbers, {} needs {} there",
                                                   nameOf(of), numbers.size(), text_, count);
}

void ConditionalTable::putRow(uint64_t row, std::span<const double> numbers) {
  MPF_CHECK(row < rows() && numbers.size() == childExtent_,
            "row {} of {}, {} numbers for {} states", row, rows(), numbers.size(), childExtent_);
  values_.resize(rows() * childExtent_);
  std::copy(numbers.begin(), numbers.end(),
            values_.begin() + static_cast<std::ptrdiff_t>(row * childExtent_));
  isSet_[row] = true;
  ++setRows_;
}

void ConditionalTable::putFar(uint64_t row, const std::vector<FarValue> &far) {
  for (const FarValue &one : far)
    far_.push_back({row * childExtent_ + one.index, one.value});
}

bool ConditionalTable::setRow(SourceRange at, uint64_t row, const ReadNumbers &numbers) {
  if (isSet_[row])
    return network_.error(at, "{} of {} is given twice", rowName(row), text_);
  putRow(row, numbers.values);
  putFar(row, numbers.far);
  ++listedRows_;
  return true;
}

bool ConditionalTable::setCertain(SourceRange at, uint64_t row, uint32_t state) {
  if (isSet_[row])
    return network_.error(at, "{} of {} is given twice", rowName(row), text_);
  values_.resize(rows() * childExtent_);
  values_[row * childExtent_ + state] = 1;
  isSet_[row] = true;
  ++setRows_;
  return true;
}

void ConditionalTable::setTable(ReadNumbers numbers) {
  MPF_CHECK(numbers.size() == rows() * childExtent_, "{} numbers for {} rows of {}", numbers.size(),
            rows(), childExtent_);
  values_ = std::move(numbers.values);
  far_ = std::move(numbers.far);
  isSet_.assign(rows(), true);
  setRows_ = listedRows_ = rows();
}

void ConditionalTable::setTableChildSlowest(const ReadNumbers &numbers) {
  std::vector<double> row(childExtent_);
  for (uint64_t i = 0; i < rows(); ++i) {
    for (uint64_t state = 0; state < childExtent_; ++state)
      row[state] = numbers.values[state * rows() + i];
    putRow(i, row);
  }
  for (const FarValue &one : numbers.far)
    far_.push_back({one.index % rows() * childExtent_ + one.index / rows(), one.value});
  listedRows_ = rows();
}

bool ConditionalTable::finish() {
  const uint64_t missing = rows() - setRows_;
  network_.useElems(rows() * childExtent_, (rows() - listedRows_) * childExtent_);
  for (uint64_t row = 0; row < rows() && setRows_ < rows(); ++row) {
    if (isSet_[row])
      continue;
    if (!hasDefault())
      return network_.error(place_, "{} lacks {} of its {} rows, first {}", text_, missing, rows(),
                            parents_.empty() ? "its table" : rowText(network_, parents_, row));
    putRow(row, default_.values);
    putFar(row, default_.far);
  }
  std::vector<VarId> scope = std::move(parents_);
  scope.push_back(child_);
  const FactorId id = network_.addConditional(std::move(scope));
  network_.setValues(id, far_.empty() ? values_ : widened(values_, far_), network_.placeOf(place_));
  return true;
}

} // namespace mpf
