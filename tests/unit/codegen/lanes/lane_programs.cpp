#include "tests/unit/codegen/lanes/lane_programs.h"

#include "codegen/lanes/lane_memory.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::test {

LaneProgramBuilder::LaneProgramBuilder() {
  program.name = "q";
  program.semiring = {Reduce::Sum, Combine::Times};
}

uint32_t LaneProgramBuilder::values(std::vector<double> entries) {
  const uint64_t size = entries.size();
  const auto source = static_cast<uint32_t>(program.values.size());
  program.values.push_back({fmt::format("f{}", source), size,
                            std::make_shared<const std::vector<double>>(std::move(entries))});
  program.tables.push_back({fmt::format("f{}", source), LaneTableKind::Values, size, 0, source});
  return static_cast<uint32_t>(program.tables.size() - 1);
}

uint32_t LaneProgramBuilder::message(uint64_t sizeElems) {
  const size_t number = program.tables.size();
  program.tables.push_back({fmt::format("m{}", number), LaneTableKind::Message, sizeElems, 0, 0});
  return static_cast<uint32_t>(number);
}

void LaneProgramBuilder::multiply(uint32_t message, const std::vector<uint32_t> &operands) {
  const uint64_t size = program.tables[message].sizeElems;
  LaneOperation operation;
  operation.semiring = program.semiring;
  operation.digits = {{size, false}};
  for (const uint32_t operand : operands)
    operation.operands.push_back(
        {operand, 0, {program.tables[operand].sizeElems < size ? uint64_t{0} : 1}});
  operation.result = {message, 0, {1}};
  program.steps.emplace_back(std::move(operation));
}

void LaneProgramBuilder::sum(uint32_t message, uint32_t operand) {
  LaneOperation operation;
  operation.semiring = program.semiring;
  operation.digits = {{program.tables[operand].sizeElems, true}};
  operation.operands = {{operand, 0, {1}}};
  operation.result = {message, 0, {0}};
  program.steps.emplace_back(std::move(operation));
}

void LaneProgramBuilder::output(uint32_t message) {
  program.outputs.push_back({{program.name, {}, false}, {}, {message, 0, {}}});
}

LaneProgram randomLaneProgram(std::mt19937_64 &random, size_t steps) {
  LaneProgramBuilder builder;
  builder.values({0.5, 0.25, 1, 2, 0.125});
  for (size_t i = 0; i < steps; ++i) {
    const auto tables = static_cast<uint32_t>(builder.program.tables.size());
    const uint32_t message = builder.message(1 + random() % 5);
    std::vector<uint32_t> operands;
    for (uint64_t count = 1 + random() % 3; count > 0; --count) // late ones more often
      operands.push_back(tables - 1 -
                         static_cast<uint32_t>(random() % std::min<uint32_t>(tables, 4)));
    if (random() % 3 == 0 && builder.program.tables[message].sizeElems == 1)
      builder.sum(message, operands.front());
    else
      builder.multiply(message, operands);
  }
  builder.output(static_cast<uint32_t>(builder.program.tables.size() - 1));
  planLaneMemory(builder.program);
  return std::move(builder.program);
}

namespace {

/// The head, the columns and the tables of smallLaneProgram.
LaneProgram smallTables(QueryKind kind) {
  using enum LaneTableKind;
  LaneProgram program;
  program.name = "q";
  program.kind = kind;
  program.semiring = {traitsOf(kind).reduce, Combine::Times};
  program.schema.observed = {{VarId{0}, 2}};
  program.schema.likelihoods = {{VarId{1}, 3}};
  program.variables = {{"a", 2, {"no", "yes"}}, {"b", 3, {}}, {"c", 2, {}}};
  program.evidence.add({{VarId{2}, 1}});
  program.evidence.findings[0].fixed = true;
  const auto list = [](std::vector<double> entries) {
    return std::make_shared<const std::vector<double>>(std::move(entries));
  };
  program.values = {{"f", 6, list({1, 2, 3, 4, 5, 6})}, {"", 6, list({1, 0, 0, 1, 1, 1})}};
  program.tables = {{"f", Values, 6, 0, 0},
                    {"observed(a)", Values, 6, 0, 1},
                    {"likelihood(b)", Weights, 3, 0, 0},
                    {"indicator(a)", Indicator, 6, 0, 0},
                    {"c0", Common, 9, 0, 0},
                    {"g0", Message, 3, 0, 0},
                    {"m0", Message, 1, 3, 0},
                    {"g1", Message, 2, 4, 0},
                    {"m1", Message, 1, 6, 0}};
  program.laneElems = 7;
  return program;
}

} // namespace

LaneProgram smallLaneProgram(QueryKind kind) {
  LaneProgram program = smallTables(kind);
  const auto operation = [&](std::vector<StridedDigit> digits, std::vector<LaneAccess> operands,
                             LaneAccess result) {
    return LaneOperation{
        {program.semiring, std::move(digits), std::move(operands), std::move(result)}};
  };
  // c0(code of a, b) over a; g0 is its row, m0 the sum of g0 and the weights over b.
  program.commonOperations = {operation({{3, false}, {3, false}, {2, true}},
                                        {{1, 0, {2, 0, 1}}, {0, 0, {0, 1, 3}}}, {4, 0, {3, 1, 0}})};
  program.steps = {
      LaneGather{4, 5, {{0, 3}}}, operation({{3, true}}, {{5, 0, {1}}, {2, 0, {1}}}, {6, 0, {0}}),
      LaneGather{3, 7, {{0, 2}}}, operation({{2, true}}, {{6, 0, {0}}, {7, 0, {1}}}, {8, 0, {0}})};
  program.outputs = {{{"q", {}, false}, {}, {8, 0, {}}}};
  if (kind == QueryKind::Marginals) {
    program.outputs.push_back({{"a", {VarId{0}}, true}, {2}, {7, 0, {1}}});
    program.outputs.push_back({{"b", {VarId{1}}, true}, {3}, {5, 0, {1}}});
  }
  if (traitsOf(kind).decoding)
    program.traceback = {
        {VarId{0}, {{{7, 0, {1}}, {VarId{0}}}}},
        {VarId{1}, {{{0, 0, {3, 1}}, {VarId{0}, VarId{1}}}, {{2, 0, {1}}, {VarId{1}}}}}};
  return program;
}

CommonTables commonOf(const LaneProgram &program) { return CommonTables(program); }

} // namespace mpf::test
