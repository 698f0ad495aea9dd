#include "codegen/plan/order/order_portfolio.h"

namespace mpf {

std::span<const OpeningStrategy> openingStrategies() {
  static constexpr OpeningStrategy kOpenings[] = {
      {"min-weight", OpeningKind::Greedy, FillCount::Edges, GreedyScore::Weight},
      {"weighted-min-fill", OpeningKind::Greedy, FillCount::Weighted, GreedyScore::Fill},
      {"sweep", OpeningKind::Sweep},
      {"min-degree", OpeningKind::Greedy, FillCount::None, GreedyScore::Degree},
      {"dissection", OpeningKind::Dissection},
  };
  return kOpenings;
}

std::span<const RestartStrategy> restartStrategies() {
  static constexpr RestartStrategy kRestarts[] = {
      {FillCount::Weighted, GreedyScore::Fill, 1024}, {FillCount::Edges, GreedyScore::Fill, 1024},
      {FillCount::Weighted, GreedyScore::Fill, 4096}, {FillCount::Edges, GreedyScore::Weight, 1024},
      {FillCount::Weighted, GreedyScore::Fill, 512},  {FillCount::Edges, GreedyScore::Fill, 2048},
      {FillCount::Weighted, GreedyScore::Fill, 2048}, {FillCount::Edges, GreedyScore::Weight, 4096},
  };
  return kRestarts;
}

std::span<const ThreadStrategy> threadStrategies() {
  // There are many local optima: half of the work searches for new ones, half improves the best.
  static constexpr ThreadStrategy kThreads[] = {
      {"fresh", true, 0.5, 0.02, 24},
      {"best", false, 0.5, 0.02, 2},
      {"fresh-hot", true, 1.0, 0.02, 24},
      {"best-hot", false, 1.0, 0.02, 2},
  };
  return kThreads;
}

} // namespace mpf
