#include "tools/mpf-bench/measure/network_sampler.h"

#include "dsl/support/split_mix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpf::bench {

namespace {

constexpr double kRounding = 0.01;
constexpr double kWhole = 0x1p32;

} // namespace

/// Computes thresholds. Returns false if a row is not a row of shares.
bool NetworkSampler::setThresholds(const std::vector<double> &values, Table &table) {
  for (size_t first = 0; first < values.size(); first += table.extent) {
    const auto row = values.begin() + static_cast<ptrdiff_t>(first);
    const auto end = row + static_cast<ptrdiff_t>(table.extent);
    const double sum = std::accumulate(row, end, 0.0);
    if (!(std::abs(sum - 1) <= kRounding) || std::any_of(row, end, [](double p) { return p < 0; }))
      return false;
    // States after the last one with a share above 0 are never drawn.
    const auto past = std::find_if(std::make_reverse_iterator(end), std::make_reverse_iterator(row),
                                   [](double share) { return share > 0; })
                          .base();
    double before = 0;
    for (auto state = row; state + 1 != end; ++state) {
      before += *state;
      table.thresholds.push_back(state + 1 >= past ? static_cast<uint64_t>(kWhole)
                                                   : static_cast<uint64_t>(before / sum * kWhole));
    }
  }
  return true;
}

std::optional<NetworkSampler::Table> NetworkSampler::tableOf(const Model &model,
                                                             const Factor &factor) {
  if (factor.values == nullptr || factor.scope.empty())
    return std::nullopt;
  Table table;
  table.child = factor.scope.back();
  table.extent = model.variable(table.child).extent;
  table.parents.assign(factor.scope.begin(), factor.scope.end() - 1);
  table.strides.resize(table.parents.size());
  uint64_t rows = 1;
  for (size_t p = table.parents.size(); p-- > 0;) {
    table.strides[p] = rows;
    rows *= model.variable(table.parents[p]).extent;
  }
  if (!setThresholds(*factor.values, table))
    return std::nullopt;
  return table;
}

std::optional<NetworkSampler> NetworkSampler::of(const Model &model) {
  std::vector<std::optional<Table>> tables(model.variables.size()); // by child
  for (const Factor &factor : model.factors) {
    std::optional<Table> table = tableOf(model, factor);
    if (!table || tables[table->child.index()])
      return std::nullopt;
    tables[table->child.index()] = std::move(table);
  }
  if (std::ranges::any_of(tables, [](const auto &table) { return !table; }))
    return std::nullopt;
  // Parents first (Kahn 1962): a table is taken when all of its parents' have been.
  std::vector<std::vector<size_t>> children(tables.size());
  std::vector<size_t> waiting(tables.size()), ready;
  for (size_t v = 0; v < tables.size(); ++v) {
    for (const VarId parent : tables[v]->parents)
      children[parent.index()].push_back(v);
    waiting[v] = tables[v]->parents.size();
    if (waiting[v] == 0)
      ready.push_back(v);
  }
  NetworkSampler sampler;
  for (size_t i = 0; i < ready.size(); ++i) {
    for (const size_t child : children[ready[i]])
      if (--waiting[child] == 0)
        ready.push_back(child);
    sampler.tables_.push_back(std::move(*tables[ready[i]]));
  }
  if (sampler.tables_.size() != model.variables.size())
    return std::nullopt; // a cycle
  return sampler;
}

void NetworkSampler::draw(uint64_t seed, uint32_t count, std::vector<uint32_t> &states) const {
  states.resize(tables_.size() * count);
  std::vector<uint64_t> rows(count);
  for (const Table &table : tables_) {
    std::ranges::fill(rows, 0);
    for (size_t p = 0; p < table.parents.size(); ++p) {
      const uint32_t *const parent = &states[table.parents[p].index() * count];
      for (uint32_t i = 0; i < count; ++i)
        rows[i] += table.strides[p] * parent[i];
    }
    uint32_t *const child = &states[table.child.index() * count];
    const uint32_t thresholds = table.extent - 1;
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t number = nextRandom(seed) >> 32;
      const uint64_t *const row = table.thresholds.data() + rows[i] * thresholds;
      uint32_t state = 0;
      for (uint32_t t = 0; t < thresholds; ++t)
        state += row[t] <= number ? 1 : 0;
      child[i] = state;
    }
  }
}

} // namespace mpf::bench
