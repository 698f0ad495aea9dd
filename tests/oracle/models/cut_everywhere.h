// Cuts every possible sum into a number of splits chosen at random: answers must be the same for
// every choice of a cost model.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/split_k.h"

#include <random>
#include <vector>

namespace mpf::oracle {

/// Device costs for PlanOptions::deviceCosts; no chains are found. Not thread-safe.
class CutEverywhere final : public DeviceCosts {
public:
  explicit CutEverywhere(uint64_t seed) : random_(seed) {}

  uint32_t bestSplits(const TableProgram &program, OpId id) override {
    std::vector<uint64_t> extents;
    for (const VarId variable : program.operation(id).reduced)
      extents.push_back(program.variables[variable.index()].extent);
    const std::vector<uint64_t> choices = splitChoices(extents, kMaxSplits);
    return choices.empty() ? 1 : static_cast<uint32_t>(choices[random_() % choices.size()]);
  }

  double operationUs(const TableProgram &, const Operation &) override { return 0; }
  double moveUs(double) const override { return 0; }
  std::optional<double> chainUs(const TableProgram &, TableId, std::span<const OpId>) override {
    return std::nullopt;
  }
  double leastGainUs() const override { return 0; }

private:
  std::mt19937_64 random_;
};

} // namespace mpf::oracle
