#include "dsl/formats/uai/uai_table_order.h"

#include "dsl/support/check.h"
#include "dsl/support/numbers/row_sums.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Returns the positions in the scope, the fastest variable first.
std::vector<size_t> fastestFirst(UaiTableOrder order, size_t size) {
  std::vector<size_t> places(size);
  for (size_t i = 0; i < size; ++i)
    places[i] = i;
  if (order == UaiTableOrder::Agrum && size > 0)
    std::rotate(places.begin(), places.end() - 1, places.end());
  return places;
}

} // namespace

void toFormatOrder(UaiTableOrder order, std::span<const uint32_t> extents,
                   std::vector<double> &entries) {
  if (order == UaiTableOrder::Format || extents.size() < 2)
    return;
  std::vector<uint64_t> strides(extents.size()); // of the entries as listed
  uint64_t stride = 1;
  for (const size_t place : fastestFirst(order, extents.size())) {
    strides[place] = stride;
    stride *= extents[place];
  }
  MPF_CHECK(stride == entries.size(), "{} entries, the scope has {}", entries.size(), stride);
  std::vector<double> sorted(entries.size());
  std::vector<uint32_t> states(extents.size(), 0);
  uint64_t from = 0;
  for (double &entry : sorted) {
    entry = entries[from];
    for (size_t i = extents.size(); i-- > 0;) {
      from += strides[i];
      if (++states[i] < extents[i])
        break;
      from -= strides[i] * extents[i];
      states[i] = 0;
    }
  }
  entries = std::move(sorted);
}

bool ordersDiffer(const Model &model, const std::vector<VarId> &scope) {
  const auto several = [&](VarId id) { return model.variable(id).extent > 1; };
  return !scope.empty() && std::count_if(scope.begin(), scope.end() - 1, several) > 1;
}

bool sumsWithChildSlowest(std::span<const double> entries, uint64_t childExtent) {
  const uint64_t rows = entries.size() / childExtent;
  for (uint64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (uint64_t at = row; at < entries.size(); at += rows)
      sum += entries[at];
    if (!(std::abs(sum - 1) <= kRowSumTolerance))
      return false;
  }
  return true;
}

} // namespace mpf
