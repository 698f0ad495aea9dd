// A sliced program made by hand, with a loop inside another and one beside it. Slices read
// different entries of an input: its access *moves*.
#pragma once

#include "tests/oracle/bundle_builder.h"

namespace mpf {

/// Operations, by loop:
///   0              loop 0
///   1              loop 1 over 3 states: reads input f, which moves 2 entries on
///     2, sum 3       loop 2 over 4, inside it: reads f, which moves 6 on with loop 2 and 2 with 1
///   4, sums 5, 6   loop 1: reads sum 3
///   7, sum 8       loop 3 over 5, beside loop 1: its operand does not move
/// Table-driven, but for operation 4 where `specialised`, whose operand g moves with loop 1.
inline Bundle loopedBundle(bool specialised = false, ElementType type = ElementType::F64) {
  constexpr Semiring kSum{Reduce::Sum, Combine::Times};
  oracle::BundleBuilder build(type);
  const VarId a = build.variable(2), i = build.variable(3), j = build.variable(4),
              k = build.variable(5);
  const BufferId f = build.input({j, i, a}, std::vector<double>(24, 0.5));
  const BufferId g = build.input({i, a}, std::vector<double>(6, 0.5));
  const BufferId c = build.input({a}, {0.25, 0.75});
  std::vector<BufferId> results;
  const auto add = [&](std::vector<BufferId> operands, uint32_t loop, bool accumulates = false) {
    results.push_back(build.operation(kSum, operands, {a}));
    BundleOperation &operation = build.bundle().operations.back();
    operation.loop = loop;
    operation.accumulates = accumulates;
    return results.back();
  };
  const BufferId first = add({c}, 0);
  // Accesses that move have the entries of one slice: their digits of i and j are removed below.
  const BufferId inOuter = add({c, first}, 1);
  const BufferId inInner = add({c, inOuter}, 2);
  const BufferId innerSum = add({inInner}, 2, true);
  const BufferId behind = add({c, innerSum}, 1);
  add({behind}, 1, true);
  add({inOuter}, 1, true);
  const BufferId beside = add({c, first}, 3);
  build.output(add({beside}, 3, true));
  Bundle bundle = build.finish();
  bundle.sliced = {i, j, k};
  bundle.loops = LoopTree({0, 1, 0});
  const auto move = [&](uint32_t operation, BufferId input, std::vector<uint64_t> strides) {
    bundle.operations[operation].operands[0].buffer = input;
    bundle.operations[operation].operands[0].sliceStridesElems = std::move(strides);
  };
  move(1, f, {2, 0, 0});
  move(2, f, {2, 6, 0});
  move(4, g, {2, 0, 0});
  if (specialised) {
    BundleKernel &kernel = bundle.kernels.emplace_back();
    kernel.name = "own";
    bundle.operations[4].kernel = 0;
  }
  bundle.tableDriven = static_cast<uint32_t>(bundle.kernels.size());
  bundle.kernels.emplace_back().name = "table_driven";
  return bundle;
}

} // namespace mpf
