#include "codegen/simplify/table_ops.h"

#include "dsl/support/check.h"

namespace mpf {

Odometer::Odometer(const Extents &extents, std::vector<uint64_t> strides)
    : extents_(extents), strides_(std::move(strides)), digits_(extents.size(), 0) {}

bool Odometer::next() {
  for (size_t a = extents_.size(); a-- > 0;) {
    offset_ += strides_[a];
    if (++digits_[a] < extents_[a])
      return true;
    offset_ -= strides_[a] * extents_[a];
    digits_[a] = 0;
  }
  return false;
}

std::vector<uint64_t> stridesOf(const Extents &extents) {
  std::vector<uint64_t> strides(extents.size());
  uint64_t stride = 1;
  for (size_t a = extents.size(); a-- > 0;) {
    strides[a] = stride;
    stride *= extents[a];
  }
  return strides;
}

std::vector<double> gather(const std::vector<double> &values, const Extents &extents,
                           const std::vector<std::vector<uint32_t>> &states) {
  const std::vector<uint64_t> strides = stridesOf(extents);
  uint64_t base = 0, elems = 1;
  Extents digits;
  std::vector<size_t> axes; // those with a choice; the others are part of the base
  for (size_t a = 0; a < extents.size(); ++a) {
    elems *= states[a].size();
    if (states[a].size() == 1) {
      base += strides[a] * states[a].front();
    } else {
      axes.push_back(a);
      digits.push_back(static_cast<uint32_t>(states[a].size()));
    }
  }
  std::vector<double> out;
  out.reserve(elems);
  if (elems == 0)
    return out;
  if (axes.empty()) {
    out.push_back(values[base]);
    return out;
  }
  const std::vector<uint32_t> &inner = states[axes.back()];
  const uint64_t innerStride = strides[axes.back()];
  digits.pop_back();
  Odometer outer(digits, std::vector<uint64_t>(digits.size(), 0));
  do {
    uint64_t at = base;
    for (size_t i = 0; i < digits.size(); ++i)
      at += strides[axes[i]] * states[axes[i]][outer.digits()[i]];
    for (const uint32_t state : inner)
      out.push_back(values[at + innerStride * state]);
  } while (outer.next());
  MPF_CHECK(out.size() == elems, "gathered {} of {} entries", out.size(), elems);
  return out;
}

std::optional<std::vector<double>> reduceGroups(const std::vector<double> &values,
                                                const Extents &extents, size_t axis,
                                                const std::vector<uint32_t> &groupOf,
                                                uint32_t groups, const Algebra &algebra) {
  uint64_t inner = 1;
  for (size_t a = axis + 1; a < extents.size(); ++a)
    inner *= extents[a];
  const uint64_t block = inner * extents[axis];
  const uint64_t outer = values.size() / block;
  std::vector<double> out(outer * groups * inner);
  std::vector<char> started(groups);
  for (uint64_t o = 0; o < outer; ++o) {
    std::fill(started.begin(), started.end(), 0);
    for (uint32_t s = 0; s < extents[axis]; ++s) {
      const double *from = values.data() + o * block + s * inner;
      double *to = out.data() + (o * groups + groupOf[s]) * inner;
      for (uint64_t i = 0; i < inner; ++i)
        to[i] = started[groupOf[s]] ? algebra.reduce(to[i], from[i]) : from[i];
      started[groupOf[s]] = 1;
    }
  }
  for (const double value : out)
    if (!algebra.exactSum(value))
      return std::nullopt;
  return out;
}

std::optional<std::vector<double>> combineInto(const std::vector<double> &big,
                                               const Extents &extents,
                                               const std::vector<double> &small,
                                               const std::vector<size_t> &axisOf,
                                               const Algebra &algebra) {
  Extents smallExtents;
  for (const size_t axis : axisOf)
    smallExtents.push_back(extents[axis]);
  const std::vector<uint64_t> smallStrides = stridesOf(smallExtents);
  std::vector<uint64_t> strides(extents.size(), 0);
  for (size_t i = 0; i < axisOf.size(); ++i)
    strides[axisOf[i]] = smallStrides[i];
  std::vector<double> out(big.size());
  Odometer at(extents, std::move(strides));
  for (size_t i = 0; i < big.size(); ++i, at.next()) {
    const double other = small[at.offset()];
    out[i] = algebra.combine(big[i], other);
    if (!algebra.exactProduct(big[i], other, out[i]))
      return std::nullopt;
  }
  return out;
}

} // namespace mpf
