#include "codegen/emit/lanes/teams/message_readers.h"

namespace mpf {

std::vector<uint32_t> countReads(const LaneProgram &program) {
  std::vector<uint32_t> reads(program.tables.size(), 0);
  for (const LaneStep &step : program.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      for (const LaneAccess &operand : operation->operands)
        ++reads[operand.table];
  constexpr uint32_t kMustBeThere = 2;
  for (const LaneOutput &output : program.outputs)
    reads[output.access.table] += kMustBeThere;
  for (const LaneTraceback &step : program.traceback)
    for (const LaneTraceback::Table &table : step.tables)
      reads[table.access.table] += kMustBeThere;
  return reads;
}

std::optional<std::vector<std::optional<size_t>>> matchDigits(const LaneOperation &reader,
                                                              const LaneAccess &read,
                                                              const LaneOperation &writer,
                                                              const LaneAccess &written) {
  std::vector<std::optional<size_t>> digits(reader.digits.size());
  std::vector<char> isMatched(writer.digits.size(), 0);
  const auto moves = [&](size_t w) {
    return written.stridesElems[w] != 0 && writer.digits[w].extent > 1;
  };
  for (size_t d = 0; d < reader.digits.size(); ++d) {
    if (read.stridesElems[d] == 0 || reader.digits[d].extent == 1)
      continue;
    for (size_t w = 0; w < writer.digits.size() && !digits[d]; ++w)
      if (isMatched[w] == 0 && moves(w) && writer.digits[w].extent == reader.digits[d].extent &&
          written.stridesElems[w] == read.stridesElems[d])
        digits[d] = w;
    if (!digits[d])
      return std::nullopt;
    isMatched[*digits[d]] = 1;
  }
  for (size_t w = 0; w < writer.digits.size(); ++w)
    if (isMatched[w] == 0 && moves(w))
      return std::nullopt;
  return digits;
}

} // namespace mpf
