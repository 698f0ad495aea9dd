#include "codegen/plan/order/order_sequence.h"

#include "codegen/plan/order/order_recorder.h"
#include "dsl/support/check.h"

namespace mpf {

std::optional<EliminationOrder> orderFromSequence(const OrderProblem &problem,
                                                  InteractionGraph graph,
                                                  std::span<const Vertex> sequence,
                                                  double costLimit, uint64_t *stepsTaken,
                                                  const SearchStop *stop) {
  constexpr size_t kEliminationsPerLook = 256;
  OrderRecorder recorder(graph);
  bool givenUp = false;
  for (size_t i = 0; i < sequence.size() && !givenUp; ++i) {
    MPF_CHECK(sequence[i] < problem.isOutput.size(), "vertex {} of {}", sequence[i],
              problem.isOutput.size());
    if (problem.isOutput[sequence[i]])
      continue;
    if (recorder.givesUp(sequence[i]))
      break;
    recorder.eliminate(sequence[i]);
    givenUp = recorder.cost() > costLimit || (stop && i % kEliminationsPerLook == 0 && stop->now());
  }
  if (stepsTaken)
    *stepsTaken = graph.steps();
  if (givenUp)
    return std::nullopt;
  return recorder.finish(problem);
}

} // namespace mpf
