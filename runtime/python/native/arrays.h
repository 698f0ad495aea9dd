// Arrays of doubles that come from NumPy and go to it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <span>

namespace mpf::python {

/// Doubles side by side, with any number of axes.
using Doubles = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;

inline std::span<const double> spanOf(const Doubles &values) {
  return {values.data(), values.size()};
}

/// Returns a new array of `shape`; `set` fills its memory, row-major. Python cannot change an array
/// of const items.
template <class Item = double, class Set>
nanobind::object newArray(std::initializer_list<size_t> shape, Set set) {
  size_t size = 1;
  for (const size_t length : shape)
    size *= length;
  auto *const data = new double[size + 1];
  const nanobind::capsule owner(
      data, [](void *memory) noexcept { delete[] static_cast<double *>(memory); });
  set(data);
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, Item>(data, shape, owner));
}

} // namespace mpf::python
