#include "codegen/simplify/state_classes.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace mpf {

namespace {

/// Distinguishes slices fast; equal hashes are compared.
uint64_t mixed(uint64_t hash, double value) {
  hash ^= std::bit_cast<uint64_t>(value + 0.0); // -0 as 0
  hash *= 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

struct Slices {
  const std::vector<double> &values;
  uint64_t inner, block;

  bool equal(uint32_t a, uint32_t b) const {
    for (uint64_t start = 0; start < values.size(); start += block)
      for (uint64_t i = 0; i < inner; ++i)
        if (values[start + a * inner + i] != values[start + b * inner + i])
          return false;
    return true;
  }
};

} // namespace

StateClasses oneClass(uint32_t states) { return {std::vector<uint32_t>(states, 0), 1}; }

StateClasses equalSlices(const std::vector<double> &values, const Extents &extents, size_t axis) {
  Slices slices{values, 1, 1};
  for (size_t a = axis + 1; a < extents.size(); ++a)
    slices.inner *= extents[a];
  slices.block = slices.inner * extents[axis];
  std::vector<uint64_t> hashes(extents[axis], 0);
  for (uint64_t start = 0; start < values.size(); start += slices.block)
    for (uint32_t s = 0; s < extents[axis]; ++s)
      for (uint64_t i = 0; i < slices.inner; ++i)
        hashes[s] = mixed(hashes[s], values[start + s * slices.inner + i]);
  StateClasses classes{std::vector<uint32_t>(extents[axis]), 0};
  std::vector<std::pair<uint64_t, uint32_t>> byHash;
  for (uint32_t s = 0; s < extents[axis]; ++s)
    byHash.emplace_back(hashes[s], s);
  std::sort(byHash.begin(), byHash.end());
  std::vector<uint32_t> first(extents[axis]); // per state: the first state equal to it
  for (size_t i = 0; i < byHash.size(); ++i) {
    first[byHash[i].second] = byHash[i].second;
    for (size_t j = i; j-- > 0 && byHash[j].first == byHash[i].first;)
      if (first[byHash[j].second] == byHash[j].second &&
          slices.equal(byHash[j].second, byHash[i].second)) {
        first[byHash[i].second] = byHash[j].second;
        break;
      }
  }
  for (uint32_t s = 0; s < extents[axis]; ++s)
    classes.classOf[s] = first[s] == s ? classes.count++ : classes.classOf[first[s]];
  return classes;
}

StateClasses meet(const StateClasses &a, const StateClasses &b) {
  const auto states = static_cast<uint32_t>(a.classOf.size());
  std::vector<std::pair<uint64_t, uint32_t>> keys;
  for (uint32_t s = 0; s < states; ++s)
    keys.emplace_back(uint64_t{a.classOf[s]} << 32 | b.classOf[s], s);
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> first(states);
  for (size_t i = 0; i < keys.size(); ++i)
    first[keys[i].second] =
        i > 0 && keys[i - 1].first == keys[i].first ? first[keys[i - 1].second] : keys[i].second;
  StateClasses classes{std::vector<uint32_t>(states), 0};
  for (uint32_t s = 0; s < states; ++s)
    classes.classOf[s] = first[s] == s ? classes.count++ : classes.classOf[first[s]];
  return classes;
}

} // namespace mpf
