// The values of factors: NetworkBuilder sets them, judges their rows and counts their entries.
#include "dsl/formats/network/network_builder.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

/// The most entries, in all tables, that the text does not list: `default` rows and noisy-max.
constexpr uint64_t kMaxUnlistedElems = uint64_t{1} << 24;

} // namespace

bool NetworkBuilder::addTable(std::string name, std::vector<VarId> scope,
                              std::span<const double> values, SourceRange place) {
  if (!hasFactorRoom(place))
    return false;
  setValues(addFactor(std::move(name), std::move(scope)), values, placeOf(place));
  return true;
}

bool NetworkBuilder::addStored(std::string name, std::vector<VarId> scope, TableValues table,
                               SourceRange place) {
  if (!hasFactorRoom(place))
    return false;
  if (table != nullptr && table->size() > elemsLeft())
    return error(place, "the tables have more than {} entries in all, the limit",
                 limits_.maxTotalElems);
  Factor &factor = model_.factors[addFactor(std::move(name), std::move(scope)).index()];
  factor.place = placeOf(place);
  if (table == nullptr)
    return true;
  const uint64_t elems = elemsOf(factor.scope);
  MPF_CHECK(holdsValues(table->size(), elems), "{} values for {}, which needs {}", table->size(),
            factor.name, elems);
  bool isNew = false;
  TableValues shared = pool_.intern(std::move(table), &isNew);
  useElems(isNew ? shared->size() : 0, 0);
  (shared->size() == elems ? factor.values : factor.wide) = std::move(shared);
  return true;
}

void NetworkBuilder::setValues(FactorId id, std::span<const double> values, SourcePlace place,
                               SourcePlace negative) {
  Factor &factor = model_.factors[id.index()];
  const uint64_t elems = elemsOf(factor.scope);
  MPF_CHECK(holdsValues(values.size(), elems), "{} values for {}, which needs {}", values.size(),
            factor.name, elems);
  JudgedRows judged;
  const VarId child = children_[id.index()];
  const size_t errors = diagnostics_.errorCount();
  factor.place = std::move(place);
  factor.negativePlace = std::move(negative);
  if (child.valid())
    judged = judgeRows(factor, child, values);
  if (diagnostics_.errorCount() != errors)
    return;
  if (child.valid()) {
    factor.conditional = judged.areTaken;
    farRows_ += judged.farRows;
  }
  forgetValues(factor);
  const std::span<const double> used = judged.divided.empty() ? values : judged.divided;
  (used.size() == elems ? factor.values : factor.wide) = pool_.intern(used);
}

void NetworkBuilder::setInput(FactorId id, std::span<const double> defaults, bool bindsNegative) {
  Factor &factor = model_.factors[id.index()];
  forgetValues(factor);
  if (!defaults.empty())
    factor.defaults = pool_.intern(defaults);
  factor.bindsNegative = bindsNegative;
}

void NetworkBuilder::shareValues(FactorId factor, FactorId other) {
  Factor &shared = model_.factors[factor.index()];
  const Factor &owner = model_.factors[other.index()];
  MPF_CHECK(elemsOf(shared.scope) == elemsOf(owner.scope), "{} cannot have the values of {}",
            shared.name, owner.name);
  shared.values = owner.values;
  shared.wide = owner.wide;
  shared.place = owner.place;
}

uint64_t NetworkBuilder::elemsOf(const std::vector<VarId> &scope) const {
  uint64_t elems = 1;
  for (const VarId id : scope)
    elems = saturatingMul(elems, extents_[id.index()]);
  return elems;
}

JudgedRows NetworkBuilder::judgeRows(const Factor &factor, VarId child,
                                     std::span<const double> values) {
  const std::span<const VarId> parents(factor.scope.data(), factor.scope.size() - 1);
  const SourcePlace place = placeOf(*tablePlaces_[child.index()]);
  const auto describe = [&] {
    return DescribedRow{place, conditionalText(*this, child, !parents.empty())};
  };
  const auto describeRow = [&](uint64_t row) {
    const std::string table = describe().text;
    return DescribedRow{
        place, parents.empty() ? "the table of " + table
                               : fmt::format("row {} of {}", rowText(*this, parents, row), table)};
  };
  return rows_.judge(
      {values, elemsOf(factor.scope), model_.variable(child).extent, describeRow, describe});
}

uint64_t NetworkBuilder::unlistedElemsLeft() const {
  return kMaxUnlistedElems - std::min(unlistedElems_, kMaxUnlistedElems);
}

void NetworkBuilder::useElems(uint64_t elems, uint64_t unlistedElems) {
  MPF_CHECK(elems <= elemsLeft(), "{} entries, {} are left", elems, elemsLeft());
  elems_ += elems;
  unlistedElems_ += unlistedElems;
}

} // namespace mpf
