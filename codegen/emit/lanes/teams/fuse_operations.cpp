#include "codegen/emit/lanes/teams/fuse_operations.h"

#include "codegen/emit/lanes/teams/message_readers.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

/// Cycles that a stage costs in addition to its work, because the warps wait for each other.
constexpr double kStageCycles = 100;
/// Cycles of a stage that rescales a message.
constexpr double kRescalingCycles = 400;

constexpr size_t kNone = SIZE_MAX;

class Fusion {
public:
  Fusion(const LaneProgram &program, const std::vector<char> &rescaled, ElementType type)
      : program_(program), rescaled_(rescaled), type_(type), reads_(countReads(program)),
        readers_(program.tables.size(), kNone) {
    for (uint32_t s = 0; s < program.steps.size(); ++s)
      if (const auto *operation = std::get_if<LaneOperation>(&program.steps[s])) {
        for (const LaneAccess &operand : operation->operands)
          readers_[operand.table] = chains_.size();
        chains_.push_back({{s}, TeamOperation(*operation), {}});
      }
  }

  std::vector<FusedOperation> run() {
    for (Chain &chain : chains_)
      chain.tile = tileOf(chain.operation);
    for (const size_t at : bySize())
      join(at);
    std::vector<FusedOperation> fused;
    for (Chain &chain : chains_)
      if (!chain.steps.empty())
        fused.push_back({chain.steps.back(), finalTile(chain)});
    std::sort(fused.begin(), fused.end(),
              [](const FusedOperation &a, const FusedOperation &b) { return a.step < b.step; });
    return fused;
  }

private:
  struct Chain {
    std::vector<uint32_t> steps; ///< empty if the chain is part of an earlier one
    TeamOperation operation;
    std::optional<TeamTile> tile;
  };

  const LaneOperation &stepOf(uint32_t s) const {
    return std::get<LaneOperation>(program_.steps[s]);
  }

  std::optional<TeamTile> tileOf(const TeamOperation &operation) const {
    return chooseTeamTile(operation, sharedOperands(program_, operation), type_);
  }

  /// Returns the tile of a chain. A small message that is rescaled is one tile if that fits: then
  /// one warp has all entries and rescales them at once, without another stage.
  TeamTile finalTile(const Chain &chain) const {
    if (rescaled_[chain.operation.resultTable()] != 0 && chain.tile->tiles() > 1)
      if (auto whole = chooseTeamTile(chain.operation, sharedOperands(program_, chain.operation),
                                      type_, true);
          whole && whole->cycles < chain.tile->cycles + kRescalingCycles)
        return *whole;
    return *chain.tile;
  }

  /// Returns the chains by the size of their first message, the largest first.
  std::vector<size_t> bySize() const {
    std::vector<size_t> order(chains_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
      return stepOf(chains_[a].steps[0]).keptAddresses() >
             stepOf(chains_[b].steps[0]).keptAddresses();
    });
    return order;
  }

  /// Joins a chain with the chains that read its result, as long as that pays.
  void join(size_t at) {
    Chain &chain = chains_[at];
    while (!chain.steps.empty()) {
      const uint32_t message = chain.operation.resultTable();
      if (reads_[message] != 1 || rescaled_[message] != 0)
        return;
      Chain &next = chains_[readers_[message]];
      if (next.steps.empty()) // it is part of another chain, so this message must be stored
        return;
      TeamOperation longer = chain.operation;
      for (const uint32_t s : next.steps)
        if (!append(longer, s))
          return;
      std::optional<TeamTile> tile = tileOf(longer);
      if (!tile || tile->cycles > chain.tile->cycles + next.tile->cycles + kStageCycles)
        return;
      chain.steps.insert(chain.steps.end(), next.steps.begin(), next.steps.end());
      chain.operation = std::move(longer);
      chain.tile = std::move(tile);
      next.steps.clear();
    }
  }

  bool append(TeamOperation &operation, uint32_t s) const {
    const LaneOperation &reader = stepOf(s);
    for (size_t place = 0; place < reader.operands.size(); ++place)
      if (reader.operands[place].table == operation.resultTable())
        return appendPass(operation, reader, place);
    MPF_UNREACHABLE("step {} does not read what it is to take in", s);
  }

  const LaneProgram &program_;
  const std::vector<char> &rescaled_;
  const ElementType type_;
  std::vector<uint32_t> reads_; ///< by table
  std::vector<size_t> readers_; ///< by table: the chain whose first operation reads it
  std::vector<Chain> chains_;   ///< one for each operation, in the order of the steps
};

} // namespace

std::vector<FusedOperation> fuseOperations(const LaneProgram &program,
                                           const std::vector<char> &rescaled, ElementType type) {
  return Fusion(program, rescaled, type).run();
}

} // namespace mpf
