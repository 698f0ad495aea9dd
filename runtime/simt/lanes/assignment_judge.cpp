#include "runtime/simt/lanes/assignment_judge.h"

#include <cmath>
#include <limits>

namespace mpf::simt {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Makes the messages that decoding reads outputs of the program; all exist when decoding begins.
LaneProgram withMessagesAsOutputs(LaneProgram program) {
  std::vector<bool> isOutput(program.tables.size(), false);
  program.outputs.clear();
  for (const LaneTraceback &step : program.traceback)
    for (const LaneTraceback::Table &table : step.tables) {
      const uint32_t number = table.access.table;
      const LaneTable &message = program.tables[number];
      if (message.kind != LaneTableKind::Message || isOutput[number])
        continue;
      isOutput[number] = true;
      LaneOutput &output = program.outputs.emplace_back();
      output.name = message.name;
      output.extents = {static_cast<uint32_t>(message.sizeElems)};
      output.access = {number, 0, {1}};
    }
  return program;
}

uint64_t addressOf(const LaneTraceback::Table &table, const std::vector<uint32_t> &states) {
  uint64_t address = table.access.baseElems;
  for (size_t i = 0; i < table.scope.size(); ++i)
    address += states[table.scope[i].index()] * table.access.stridesElems[i];
  return address;
}

} // namespace

AssignmentJudge::AssignmentJudge(const LaneProgram &program, const CommonTables &common)
    : program_(withMessagesAsOutputs(program)), common_(common), wide_(program_, common_),
      outputOf_(program_.tables.size(), SIZE_MAX), case_(program_.schema, 1) {
  case_.count = 1;
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    outputOf_[program_.outputs[o].access.table] = o;
  shapeAnswers(program_, 1, messages_);
}

/// Returns the logarithm of the product of the step's tables at these states.
double AssignmentJudge::lnOf(const LaneTraceback &step, const std::vector<uint32_t> &states) const {
  double ln = 0;
  for (const LaneTraceback::Table &table : step.tables)
    ln += entryOf(table.access.table, addressOf(table, states)).ln();
  return ln;
}

ScaledNumber AssignmentJudge::entryOf(uint32_t number, uint64_t address) const {
  const LaneTable &table = program_.tables[number];
  if (table.kind == LaneTableKind::Message)
    return messages_.tables[outputOf_[number]].at(0, address);
  if (table.kind == LaneTableKind::Weights)
    return ScaledNumber::fromValue(
        case_.weights()[(program_.schema.firstWeight(table.source) + address) * case_.pitch()]);
  const WideNumber &entry = common_.table(number)[address];
  return ScaledNumber::fromValue(entry.mantissa, entry.exponent);
}

/// Adds up the losses of the steps: each step of decoding chooses the best state given the earlier
/// choices.
AssignmentLoss AssignmentJudge::lossOf(const CaseBlock &block, uint32_t i, const uint32_t *states) {
  for (size_t column = 0; column < block.columns(); ++column)
    case_.setCode(column, 0, block.code(column, i));
  for (size_t row = 0; row < program_.schema.weightCount(); ++row)
    case_.weights()[row * case_.pitch()] = block.weights()[row * block.pitch() + i];
  wide_.run(case_, 0, messages_);

  AssignmentLoss loss;
  double most = 0;
  // The states chosen so far; later variables have state 0, not the kernel's.
  std::vector<uint32_t> chosen = statesByVariable(program_.evidence, program_.variables.size());
  for (const LaneTraceback &step : program_.traceback) {
    uint32_t &state = chosen[step.variable.index()];
    const uint32_t taken = states[step.variable.index()];
    double best = -kInfinity, own = -kInfinity;
    uint32_t bestState = 0;
    for (state = 0; state < program_.variables[step.variable.index()].extent; ++state) {
      const double ln = lnOf(step, chosen);
      if (state == taken)
        own = ln;
      if (ln > best) {
        best = ln;
        bestState = state;
      }
    }
    state = taken;
    const double lost = own == -kInfinity ? kInfinity : best - own;
    loss.ln += lost;
    if (lost > most) {
      most = lost;
      loss.variable = step.variable;
      loss.better = bestState;
    }
    if (lost == kInfinity)
      break; // all values of later steps are 0
  }
  return loss;
}

} // namespace mpf::simt
