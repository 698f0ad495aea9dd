#include "codegen/emit/lanes/teams/inline_products.h"

#include "codegen/emit/lanes/teams/message_readers.h"
#include "codegen/emit/lanes/teams/team_tile.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace mpf {

namespace {

class Inliner {
public:
  Inliner(LaneProgram &program, const std::vector<char> &rescaled, ElementType type)
      : program_(program), rescaled_(rescaled), type_(type), reads_(countReads(program)),
        writers_(program.tables.size(), nullptr), gone_(program.tables.size(), 0) {}

  void run() {
    for (LaneStep &step : program_.steps)
      if (auto *operation = std::get_if<LaneOperation>(&step)) {
        inlineInto(*operation);
        writers_[operation->result.table] = operation;
      }
    std::erase_if(program_.steps, [this](const LaneStep &step) {
      const auto *operation = std::get_if<LaneOperation>(&step);
      return operation != nullptr && gone_[operation->result.table] != 0;
    });
  }

private:
  void inlineInto(LaneOperation &operation) {
    for (size_t s = 0; s < operation.operands.size();) {
      const uint32_t table = operation.operands[s].table;
      if (const std::optional<LaneOperation> longer = withInlined(operation, s)) {
        operation = *longer;
        gone_[table] = 1;
      } else {
        ++s;
      }
    }
  }

  std::optional<LaneOperation> withInlined(const LaneOperation &operation, size_t s) const {
    const LaneAccess &read = operation.operands[s];
    const LaneOperation *const product = writers_[read.table];
    if (product == nullptr || reads_[read.table] != 1 || rescaled_[read.table] != 0 ||
        product->reducedAddresses() != 1 || read.baseElems != product->result.baseElems ||
        operation.operands.size() - 1 + product->operands.size() > kMaxLaneOperands)
      return std::nullopt;
    const auto digits = matchDigits(operation, read, *product, product->result);
    if (!digits)
      return std::nullopt;
    LaneOperation longer = operation;
    longer.operands.erase(longer.operands.begin() + static_cast<ptrdiff_t>(s));
    for (const LaneAccess &operand : product->operands) {
      LaneAccess access{operand.table, operand.baseElems, {}};
      for (const std::optional<size_t> &digit : *digits)
        access.stridesElems.push_back(digit ? operand.stridesElems[*digit] : 0);
      longer.operands.push_back(std::move(access));
    }
    if (cyclesOf(longer) > cyclesOf(operation) + cyclesOf(*product))
      return std::nullopt;
    return longer;
  }

  double cyclesOf(const LaneOperation &operation) const {
    const TeamOperation alone(operation);
    const auto tile = chooseTeamTile(alone, sharedOperands(program_, alone), type_);
    return tile ? tile->cycles : std::numeric_limits<double>::infinity();
  }

  LaneProgram &program_;
  const std::vector<char> &rescaled_;
  const ElementType type_;
  std::vector<uint32_t> reads_;                ///< by table
  std::vector<const LaneOperation *> writers_; ///< by table, of the steps before
  std::vector<char> gone_;                     ///< by table: formed where it is needed
};

} // namespace

LaneProgram inlineProducts(const LaneProgram &program, const std::vector<char> &rescaled,
                           ElementType type) {
  LaneProgram shorter = program;
  Inliner(shorter, rescaled, type).run();
  return shorter;
}

} // namespace mpf
