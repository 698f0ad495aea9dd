#include "tools/mpfc/calibrate/calibration_models.h"

#include "dsl/support/split_mix.h"

#include <fmt/format.h>
#include <memory>

namespace mpf::driver {

namespace {

class Builder {
public:
  explicit Builder(std::string name, uint64_t seed) : random_(seed) {
    model_.name = std::move(name);
  }

  VarId variable(uint32_t extent) {
    model_.variables.push_back({fmt::format("x{}", model_.variables.size()), extent, {}});
    return VarId(model_.variables.size() - 1);
  }

  /// Adds a factor of positive values near 1, so that no product leaves its range; with `whole` the
  /// values are 0 or 1.
  void factor(std::vector<VarId> scope, bool whole = false) {
    Factor factor;
    factor.name = factor.family = fmt::format("f{}", model_.factors.size());
    factor.scope = std::move(scope);
    std::vector<double> values(scopeElems(model_, factor.scope));
    for (double &value : values)
      value = whole ? static_cast<double>(nextRandom(random_) % 2)
                    : 0.5 + static_cast<double>(nextRandom(random_) >> 11) * 0x1p-53;
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
    model_.factors.push_back(std::move(factor));
  }

  uint64_t below(uint64_t count) { return nextRandom(random_) % count; }

  Model take() {
    model_.queries.push_back(shortQuery(model_, QueryKind::Evidence));
    return std::move(model_);
  }

private:
  Model model_;
  uint64_t random_;
};

/// Returns a grid with factors of neighbours. Its messages have `columns` variables and more.
Model grid(uint32_t rows, uint32_t columns, uint32_t extent) {
  Builder build(fmt::format("grid of {} x {}, {} states", rows, columns, extent),
                rows * 100 + columns);
  std::vector<VarId> cells;
  for (uint32_t i = 0; i < rows * columns; ++i)
    cells.push_back(build.variable(extent));
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) {
      if (c + 1 < columns)
        build.factor({cells[r * columns + c], cells[r * columns + c + 1]});
      if (r + 1 < rows)
        build.factor({cells[r * columns + c], cells[(r + 1) * columns + c]});
    }
  return build.take();
}

/// Returns a chain of factors over `window` consecutive variables: products of matrices, in slices.
Model band(uint32_t length, uint32_t extent, uint32_t window = 3) {
  Builder build(fmt::format("band of {}, {} states, {} in a factor", length, extent, window),
                length * 1000 + extent);
  std::vector<VarId> cells;
  for (uint32_t i = 0; i < length; ++i)
    cells.push_back(build.variable(extent));
  for (uint32_t i = 0; i + window <= length; ++i)
    build.factor({cells.begin() + i, cells.begin() + i + window});
  return build.take();
}

/// Returns a model with a factor for each pair of variables. Its messages have all remaining
/// variables, and buckets many small tables.
Model complete(uint32_t variables, uint32_t extent) {
  Builder build(fmt::format("all pairs of {}, {} states", variables, extent),
                variables * 1000 + extent);
  std::vector<VarId> all;
  for (uint32_t i = 0; i < variables; ++i) {
    all.push_back(build.variable(extent));
    for (uint32_t j = 0; j < i; ++j)
      build.factor({all[j], all[i]});
  }
  return build.take();
}

/// Returns a tree of cliques of three, with small operations of all shapes. Each variable joins one
/// earlier variable, or two that are in a factor already.
Model tree(uint32_t variables, uint32_t mostStates, bool whole) {
  Builder build(fmt::format("tree of {}, up to {} states{}", variables, mostStates,
                            whole ? ", whole numbers" : ""),
                variables + mostStates);
  std::vector<std::pair<VarId, VarId>> pairs = {{build.variable(2), build.variable(2)}};
  for (uint32_t i = 2; i < variables; ++i) {
    const auto [first, second] = pairs[build.below(pairs.size())];
    const VarId next = build.variable(2 + static_cast<uint32_t>(build.below(mostStates - 1)));
    if (build.below(3) == 0)
      build.factor({second, next}, whole);
    else
      build.factor({first, second, next}, whole);
    pairs.emplace_back(second, next);
  }
  return build.take();
}

} // namespace

std::vector<CalibrationModel> calibrationModels() {
  std::vector<CalibrationModel> models;
  for (const uint32_t side : {8u, 11u, 14u, 16u, 18u})
    models.push_back({grid(side, side, 2)});
  models.push_back({grid(24, 20, 2)});
  models.push_back({grid(6, 6, 5)});
  models.push_back({grid(9, 4, 8)});
  for (const uint32_t extent : {4u, 9u, 18u, 36u, 60u})
    models.push_back({band(10, extent)});
  for (const uint32_t extent : {6u, 10u, 13u}) // tables beyond the caches
    models.push_back({band(9, extent, 6)});
  models.push_back({band(26, 2, 21)});
  models.push_back({complete(10, 4)});
  models.push_back({complete(8, 7)});
  models.push_back({complete(20, 2)});
  models.push_back({tree(300, 4, false)});
  models.push_back({tree(300, 12, false)});
  models.push_back({tree(100, 20, false)});
  models.push_back({grid(12, 12, 2), true});
  models.push_back({band(12, 20), true});
  models.push_back({tree(60, 4, true), false, ElementType::U128});
  models.push_back({tree(40, 12, true), false, ElementType::U128});
  return models;
}

std::vector<CalibrationModel> slicedModels() {
  std::vector<CalibrationModel> models;
  for (const uint32_t side : {14u, 16u})
    models.push_back({grid(side, side, 2), false, ElementType::F64, uint64_t{1} << (side + 1)});
  models.push_back({complete(20, 2), false, ElementType::F64, uint64_t{1} << 17});
  return models;
}

} // namespace mpf::driver
