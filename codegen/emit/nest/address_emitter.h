// Prints addresses and guards as program text (CUDA and C++).
#pragma once

#include "codegen/emit/nest/nest.h"

#include <string>
#include <utility>
#include <vector>

namespace mpf {

/// A sum of index * coefficient, as "d0_b * 512 + d0_t". Terms with coefficient 0 or index "0" are
/// left out; an empty sum is "0".
class LinearAddress {
public:
  LinearAddress &add(const std::string &index, uint64_t coefficient);
  std::string text() const { return text_.empty() ? "0" : text_; }
  bool empty() const { return text_.empty(); }

private:
  std::string text_;
};

/// The text of every axis's index at one place of the program: its loop variable, unless set()
/// replaces it.
class IndexNames {
public:
  explicit IndexNames(const Nest &nest);
  void set(size_t axis, std::string text) { names_[axis] = std::move(text); }
  const std::string &operator[](size_t axis) const { return names_[axis]; }

private:
  std::vector<std::string> names_;
};

/// "base + (a * 4 + b)", or the base alone.
std::string pointerText(const std::string &base, const LinearAddress &offset);

/// "d0_b * 8 + d0_r < 1000 && ...": all guarded digits of `table` are inside their extents; "" when
/// it has none.
std::string guardText(const Nest &nest, const NestTable &table, const IndexNames &names);

/// The index into the flat register array of a fragment.
std::string flatText(const Fragment &fragment, const IndexNames &names);

} // namespace mpf
