#include "tests/simt/hand_lanes.h"

#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

namespace mpf::simt {

LaneProgram productOfOnes(size_t operands) {
  constexpr uint64_t kSize = 4;
  LaneProgram program;
  program.name = "q";
  program.semiring.combine = Combine::Times;
  program.semiring.reduce = Reduce::Sum;
  program.variables = {{"x", kSize, {}}};
  LaneOperation product;
  product.semiring = program.semiring;
  product.digits = {{kSize, false}};
  for (uint32_t i = 0; i < operands; ++i) {
    program.values.push_back(
        {fmt::format("f{}", i), kSize, std::make_shared<const std::vector<double>>(kSize, 1.0)});
    program.tables.push_back({fmt::format("f{}", i), LaneTableKind::Values, kSize, 0, i});
    product.operands.push_back({i, 0, {1}});
  }
  const auto message = static_cast<uint32_t>(operands);
  program.tables.push_back({"m", LaneTableKind::Message, kSize, 0, 0});
  product.result = {message, 0, {1}};
  program.steps.emplace_back(product);
  program.outputs = {{{"q", {VarId{0}}, false}, {kSize}, {message, 0, {1}}},
                     {{"x", {VarId{0}}, true}, {kSize}, {message, 0, {1}}}};
  program.laneElems = kSize;
  return program;
}

LaneProgram sumOfMessage() {
  LaneProgram program = productOfOnes(1);
  const LaneOutput message = program.outputs[0];
  LaneOperation sum;
  sum.semiring = program.semiring;
  sum.digits = {{message.extents[0], true}};
  sum.operands = {message.access};
  program.tables.push_back({"sum", LaneTableKind::Message, 1, program.laneElems++, 0});
  sum.result = {static_cast<uint32_t>(program.tables.size() - 1), 0, {0}};
  program.steps.emplace_back(sum);
  program.outputs = {{{"q", {}, false}, {}, {sum.result.table, 0, {}}}};
  return program;
}

LaneProgram observedPair() {
  LaneProgram program = productOfOnes(1);
  program.variables.push_back({"y", 3, {}});
  program.schema.observed = {{VarId{1}, 3}};
  std::vector<double> entries(16);
  for (size_t i = 0; i < entries.size(); ++i)
    entries[i] = static_cast<double>(i + 1) / 17;
  program.values = {{"f", 16, std::make_shared<const std::vector<double>>(entries)}};
  program.tables[0] = {"f", LaneTableKind::Values, 16, 0, 0};
  program.steps = {LaneGather{0, 1, {{0, 4}}}};
  return program;
}

} // namespace mpf::simt
