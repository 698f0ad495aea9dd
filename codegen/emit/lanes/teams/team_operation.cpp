#include "codegen/emit/lanes/teams/team_operation.h"

#include "codegen/emit/lanes/teams/message_readers.h"

namespace mpf {

TeamOperation::TeamOperation(const LaneOperation &operation) : slots(operation) {
  passes.push_back({0, operation.operands.size(), operation.operands.size(), operation.semiring});
}

std::vector<uint32_t> TeamOperation::operandTables() const {
  std::vector<uint32_t> tables;
  for (const TeamPass &pass : passes)
    for (size_t s = 0; s < pass.operandCount; ++s)
      tables.push_back(slots.operands[pass.firstOperand + s].table);
  return tables;
}

size_t TeamOperation::reducedBy(size_t digit) const {
  if (slots.digits[digit].reduced)
    return 0;
  for (size_t p = 1; p < passes.size(); ++p)
    if (slots.slot(passes[p].result).stridesElems[digit] == 0)
      return p;
  return passes.size();
}

bool appendPass(TeamOperation &operation, const LaneOperation &reader, size_t place) {
  const LaneAccess &read = reader.operands[place];
  LaneOperation &slots = operation.slots;
  if (read.baseElems != slots.result.baseElems)
    return false;
  const auto digits = matchDigits(reader, read, slots, slots.result);
  if (!digits)
    return false;
  for (size_t d = 0; d < digits->size(); ++d)
    if (!(*digits)[d] && reader.digits[d].extent > 1)
      return false; // the result lacks it
  const auto moved = [&](const LaneAccess &access) {
    LaneAccess over{access.table, access.baseElems, std::vector<uint64_t>(slots.digits.size(), 0)};
    for (size_t d = 0; d < digits->size(); ++d)
      if ((*digits)[d])
        over.stridesElems[*(*digits)[d]] = access.stridesElems[d];
    return over;
  };
  operation.passes.back().result = slots.operands.size();
  slots.operands.push_back(slots.result);
  TeamPass pass{slots.operands.size(), reader.operands.size() - 1, 0, reader.semiring};
  for (size_t s = 0; s < reader.operands.size(); ++s)
    if (s != place)
      slots.operands.push_back(moved(reader.operands[s]));
  slots.result = moved(reader.result);
  pass.result = slots.operands.size();
  operation.passes.push_back(pass);
  return true;
}

} // namespace mpf
