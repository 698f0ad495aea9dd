// The rules of chains, one broken at a time.
#include "dsl/support/chain_link.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(ChainLink, AStepTakesItsMessageOnce) {
  ChainLink link;
  EXPECT_EQ(chainStepFault(link), "");
  link.messageUses = 2;
  EXPECT_EQ(chainStepFault(link), "does not take the message exactly once");
  link.accumulates = true;
  EXPECT_EQ(chainStepFault(link), "accumulates over a loop");
}

TEST(ChainLink, NothingElseReadsAMessage) {
  ChainLink first, next;
  EXPECT_EQ(chainLinkFault(first, next), "");
  first.resultReaders = 2;
  EXPECT_EQ(chainLinkFault(first, next), "is not the only reader of the message");
  first.resultReaders = 1;
  next.messageUses = 0;
  EXPECT_EQ(chainLinkFault(first, next), "is not the only reader of the message");
}

TEST(ChainLink, StepsShareLoopAndSemiring) {
  ChainLink first, next;
  next.loop = 1;
  EXPECT_EQ(chainLinkFault(first, next), "is in another loop than the one before");
  next.semiring = {Reduce::Max, Combine::Times};
  EXPECT_EQ(chainLinkFault(first, next), "is in another semiring than the one before");
}

TEST(ChainLink, IsBounded) {
  EXPECT_EQ(chainStepsFault(2, 2), "");
  EXPECT_EQ(chainStepsFault(1, 2), "1 operations, a chain has 2 to 24");
  EXPECT_EQ(chainStepsFault(25, 1), "25 operations, a chain has 1 to 24");
  EXPECT_EQ(chainFactorsFault(48), "");
  EXPECT_NE(chainFactorsFault(49), "");
}

} // namespace
} // namespace mpf
