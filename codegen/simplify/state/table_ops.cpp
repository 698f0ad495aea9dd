#include "codegen/simplify/state/table_ops.h"

#include "dsl/support/check.h"

namespace mpf {

Odometer::Odometer(const Extents &extents, std::vector<uint64_t> strides)
    : extents_(extents), strides_(std::move(strides)), digits_(extents.size(), 0) {}

std::vector<uint64_t> stridesOf(const Extents &extents) {
  std::vector<uint64_t> strides(extents.size());
  uint64_t stride = 1;
  for (size_t a = extents.size(); a-- > 0;) {
    strides[a] = stride;
    stride *= extents[a];
  }
  return strides;
}

EntryTable gather(const EntryTable &table, const Extents &extents,
                  const std::vector<std::vector<uint32_t>> &states) {
  const std::vector<uint64_t> strides = stridesOf(extents);
  uint64_t base = 0, elems = 1;
  Extents digits;
  std::vector<size_t> axes; // axes with several states; the others are part of the base
  for (size_t a = 0; a < extents.size(); ++a) {
    elems *= states[a].size();
    if (states[a].size() == 1) {
      base += strides[a] * states[a].front();
    } else {
      axes.push_back(a);
      digits.push_back(static_cast<uint32_t>(states[a].size()));
    }
  }
  EntryTableBuilder out(elems);
  if (elems == 0)
    return out.finish();
  if (axes.empty()) {
    out.add(table[base]);
    return out.finish();
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
      out.add(table[at + innerStride * state]);
  } while (outer.next());
  MPF_CHECK(out.size() == elems, "gathered {} of {} entries", out.size(), elems);
  return out.finish();
}

} // namespace mpf
