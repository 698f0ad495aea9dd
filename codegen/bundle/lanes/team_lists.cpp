#include "codegen/bundle/lanes/team_lists.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <limits>

namespace mpf {

namespace {

constexpr uint64_t kAlignedElems = 4; ///< alignment of a list's first record

std::vector<size_t> reducedDigits(const LaneOperation &operation) {
  std::vector<size_t> reduced;
  for (size_t d = operation.keptCount(); d < operation.digits.size(); ++d)
    reduced.push_back(d);
  return reduced;
}

/// Returns the operands of both sides, the left one first.
std::vector<size_t> sidesOf(const TeamSplit &split) {
  std::vector<size_t> operands = split.leftOperands;
  operands.insert(operands.end(), split.rightOperands.begin(), split.rightOperands.end());
  return operands;
}

class ListWriter {
public:
  ListWriter(const LaneOperation &operation, std::vector<int32_t> &addresses)
      : operation_(operation), addresses_(addresses) {}

  /// Appends the records over `digits`: one number for each slot, which is its base plus the offset
  /// of the digits. Returns the place of the list.
  int32_t add(const std::vector<size_t> &digits, const std::vector<size_t> &slots,
              const std::vector<uint64_t> &bases = {}) {
    while (addresses_.size() % kAlignedElems != 0)
      addresses_.push_back(0);
    const int32_t place = teamNumber(addresses_.size());
    const uint64_t pitch = teamRecordElems(slots.size());
    for (size_t n = 0; n < slots.size(); ++n) {
      const std::vector<uint64_t> offsets =
          laneOffsets(operation_, operation_.slot(slots[n]), digits, bases.empty() ? 0 : bases[n]);
      const auto first = static_cast<size_t>(place);
      addresses_.resize(first + offsets.size() * pitch, 0);
      for (size_t record = 0; record < offsets.size(); ++record)
        addresses_[first + record * pitch + n] = teamNumber(offsets[record]);
    }
    return place;
  }

private:
  const LaneOperation &operation_;
  std::vector<int32_t> &addresses_;
};

} // namespace

int32_t teamNumber(uint64_t value) {
  constexpr uint64_t kMost = std::numeric_limits<int32_t>::max();
  if (value > kMost)
    fail(ErrorKind::MemoryBound,
         "a lane program with {} entries of one kind; at most {} are "
         "numbered",
         value, kMost);
  return static_cast<int32_t>(value);
}

uint64_t teamListElems(const LaneOperation &operation, const TeamSplit &split) {
  const size_t operands = operation.operands.size();
  const auto list = [](uint64_t records, uint64_t numbers) {
    return saturatingAdd(saturatingMul(records, teamRecordElems(numbers)), kAlignedElems);
  };
  return saturatingAdd(saturatingAdd(list(split.leftCount, 1 + split.leftOperands.size()),
                                     list(split.rightCount, 1 + split.rightOperands.size())),
                       saturatingAdd(list(split.restCount, 1 + operands),
                                     list(operation.reducedAddresses(), operands)));
}

TeamLists addTeamLists(const LaneOperation &operation, const TeamSplit &split,
                       const std::vector<uint64_t> &places, std::vector<int32_t> &addresses) {
  const size_t result = operation.operands.size();
  const auto withResult = [result](std::vector<size_t> operands) {
    operands.insert(operands.begin(), result);
    return operands;
  };
  const std::vector<size_t> operands = sidesOf(split), all = withResult(operands);
  std::vector<uint64_t> bases;
  for (const size_t slot : all)
    bases.push_back(
        saturatingAdd(places[operation.slot(slot).table], operation.slot(slot).baseElems));
  ListWriter writer(operation, addresses);
  TeamLists lists;
  lists.left = writer.add(split.left, withResult(split.leftOperands));
  lists.right = writer.add(split.right, withResult(split.rightOperands));
  lists.rest = writer.add(split.rest, all, bases);
  lists.terms = writer.add(reducedDigits(operation), operands);
  return lists;
}

} // namespace mpf
