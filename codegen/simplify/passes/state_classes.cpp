#include "codegen/simplify/passes/state_classes.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace mpf {

namespace {

/// Returns a hash to distinguish slices quickly; slices of equal hashes are compared.
uint64_t mixed(uint64_t hash, Entry entry) {
  hash ^= entry.bits();
  hash *= 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

struct Slices {
  const EntryTable &values;
  uint64_t inner, block;

  bool equal(uint32_t a, uint32_t b) const {
    for (uint64_t start = 0; start < values.size(); start += block)
      for (uint64_t i = 0; i < inner; ++i)
        if (!(values[start + a * inner + i] == values[start + b * inner + i]))
          return false;
    return true;
  }
};

bool allDiffer(std::vector<uint64_t> hashes) {
  std::sort(hashes.begin(), hashes.end());
  return std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end();
}

/// Returns a hash of each slice; nothing if all slices differ. Most differ in their first entries,
/// so a large table need not be read as a whole: slices are compared after 16 entries, after 64,
/// and so on.
std::optional<std::vector<uint64_t>> hashesOfSlices(const Slices &slices, uint32_t states) {
  constexpr uint64_t kFirstLook = 16, kLonger = 4;
  const EntryTable::Iterator entries = slices.values.begin();
  std::vector<uint64_t> hashes(states, 0);
  uint64_t read = 0, look = kFirstLook;
  for (uint64_t start = 0; start < slices.values.size(); start += slices.block)
    for (uint64_t from = 0; from < slices.inner;) {
      const uint64_t to = std::min(slices.inner, from + look - read);
      for (uint32_t s = 0; s < states; ++s) {
        uint64_t hash = hashes[s];
        for (uint64_t i = from; i < to; ++i)
          hash = mixed(hash, entries[start + s * slices.inner + i]);
        hashes[s] = hash;
      }
      read += to - from;
      from = to;
      if (read == look && allDiffer(hashes))
        return std::nullopt;
      look *= read == look ? kLonger : 1;
    }
  return hashes;
}

StateClasses eachAlone(uint32_t states) {
  StateClasses classes{std::vector<uint32_t>(states), states};
  std::iota(classes.classOf.begin(), classes.classOf.end(), 0);
  return classes;
}

} // namespace

bool equalHalves(const EntryTable &values, uint64_t inner) {
  return Slices{values, inner, inner * 2}.equal(0, 1);
}

StateClasses oneClass(uint32_t states) { return {std::vector<uint32_t>(states, 0), 1}; }

StateClasses equalSlices(const EntryTable &values, const Extents &extents, size_t axis) {
  Slices slices{values, 1, 1};
  for (size_t a = axis + 1; a < extents.size(); ++a)
    slices.inner *= extents[a];
  slices.block = slices.inner * extents[axis];
  if (extents[axis] <= 2) { // most variables of most networks
    const bool same = extents[axis] == 2 && slices.equal(0, 1);
    return extents[axis] == 2 && !same ? StateClasses{{0, 1}, 2} : oneClass(extents[axis]);
  }
  const std::optional<std::vector<uint64_t>> hashes = hashesOfSlices(slices, extents[axis]);
  if (!hashes)
    return eachAlone(extents[axis]);
  StateClasses classes{std::vector<uint32_t>(extents[axis]), 0};
  std::vector<std::pair<uint64_t, uint32_t>> byHash;
  for (uint32_t s = 0; s < extents[axis]; ++s)
    byHash.emplace_back((*hashes)[s], s);
  std::sort(byHash.begin(), byHash.end());
  std::vector<uint32_t> first(extents[axis]); // per state: the first state equal to it
  std::vector<uint32_t> alike; // different states of the present hash: one, but for collisions
  for (size_t i = 0; i < byHash.size(); ++i) {
    const auto [hash, s] = byHash[i];
    if (i == 0 || byHash[i - 1].first != hash)
      alike.clear();
    const auto same =
        std::find_if(alike.begin(), alike.end(),
                     [&slices, state = s](uint32_t other) { return slices.equal(other, state); });
    first[s] = same == alike.end() ? s : *same;
    if (same == alike.end())
      alike.push_back(s);
  }
  for (uint32_t s = 0; s < extents[axis]; ++s)
    classes.classOf[s] = first[s] == s ? classes.count++ : classes.classOf[first[s]];
  return classes;
}

StateClasses meet(const StateClasses &a, const StateClasses &b) {
  const auto states = static_cast<uint32_t>(a.classOf.size());
  if (a.count == 1 || b.count == states)
    return b;
  if (b.count == 1 || a.count == states)
    return a;
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
