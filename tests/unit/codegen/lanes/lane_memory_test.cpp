#include "codegen/lanes/lane_memory.h"

#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// The message whose entries lie at each place of the arena, as the program runs.
class OwnersOfPlaces {
public:
  explicit OwnersOfPlaces(const LaneProgram &program)
      : program_(program), owners_(program.laneElems, UINT32_MAX) {}

  void write(uint32_t message) {
    for (uint64_t e = 0; e < program_.tables[message].sizeElems; ++e)
      owners_.at(program_.tables[message].offsetElems + e) = message;
  }
  bool holds(uint32_t message) const {
    for (uint64_t e = 0; e < program_.tables[message].sizeElems; ++e)
      if (owners_.at(program_.tables[message].offsetElems + e) != message)
        return false;
    return true;
  }

private:
  const LaneProgram &program_;
  std::vector<uint32_t> owners_;
};

TEST(LaneMemory, MessagesStayUntilTheyWereRead) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const LaneProgram program = test::randomLaneProgram(random, 1 + random() % 20);
    OwnersOfPlaces owners(program);
    for (const LaneStep &step : program.steps) {
      const auto &operation = std::get<LaneOperation>(step);
      owners.write(operation.result.table); // before the operands: it shares no entry with them
      for (const LaneAccess &operand : operation.operands)
        ASSERT_TRUE(!program.tables[operand.table].perCase() || owners.holds(operand.table))
            << "trial " << trial;
    }
    ASSERT_TRUE(owners.holds(program.outputs[0].access.table));
  }
}

TEST(LaneMemory, MessagesThatAreNeverNeededTogetherShareMemory) {
  test::LaneProgramBuilder builder;
  uint32_t last = builder.values({1, 2, 3, 4});
  for (int i = 0; i < 10; ++i) {
    const uint32_t next = builder.message(4);
    builder.multiply(next, {last});
    last = next;
  }
  builder.output(last);
  planLaneMemory(builder.program);
  EXPECT_EQ(builder.program.laneElems, 8u);
}

} // namespace
} // namespace mpf
