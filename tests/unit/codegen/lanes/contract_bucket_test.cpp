#include "codegen/lanes/contract_bucket.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// result(a, c) = sum over b of f(a, b) g(b, c), 100 states each; f may depend on a finding.
Bucket chainBucket(bool overFinding) {
  Bucket bucket;
  bucket.extents = {100, 100, 100};
  bucket.operands = {{0b011, false, {}, false}, {0b110, false, {}, false}};
  if (overFinding)
    bucket.operands[0].columns = {0};
  bucket.kept = 0b101;
  return bucket;
}

LaneLimits limitsOf(uint64_t tableElems) {
  LaneLimits limits;
  limits.tableElems = tableElems;
  return limits;
}

TEST(ContractBucket, WhatNoCaseChangesIsComputedOnceHoweverLarge) {
  const Contraction contraction = contractBucket(chainBucket(false), {2}, {}, limitsOf(1));
  EXPECT_TRUE(contraction.result().free);
  EXPECT_LE(contraction.cost, 1e6 * LaneCosts().commonAddress);
}

TEST(ContractBucket, ConstantsHaveABoundOfTheirOwn) {
  LaneLimits limits = limitsOf(1);
  limits.constantElems = 9999;
  EXPECT_FALSE(contractBucket(chainBucket(false), {2}, {}, limits).result().free);
  limits.constantElems = 10000;
  EXPECT_TRUE(contractBucket(chainBucket(false), {2}, {}, limits).result().free);
}

TEST(ContractBucket, TablesOverEvidenceDigitsKeepTheirs) {
  EXPECT_FALSE(contractBucket(chainBucket(true), {2}, {}, limitsOf(29999)).result().free);
  EXPECT_TRUE(contractBucket(chainBucket(true), {2}, {}, limitsOf(30000)).result().free);
  LaneLimits limits = limitsOf(30000);
  limits.commonAddresses = 3000000 - 1;
  EXPECT_FALSE(contractBucket(chainBucket(true), {2}, {}, limits).result().free);
}

/// A message over many states is multiplied with small operands first.
TEST(ContractBucket, TheLaneTakesTheCheapestOrder) {
  Bucket bucket; // sum over b, c of m(b) n(b, c) o(c, d)
  bucket.extents = {50, 50, 50};
  bucket.operands = {{0b001, true, {}, false}, {0b011, true, {}, false}, {0b110, true, {}, false}};
  bucket.kept = 0b100;
  const Contraction contraction = contractBucket(bucket, {}, {}, limitsOf(1024));
  // m n over 2500 addresses, its result with o over 2500; never all 125000.
  EXPECT_LT(contraction.cost, 6000);
  EXPECT_EQ(contraction.result().scope, 0b100u);
  EXPECT_FALSE(contraction.result().free);
}

} // namespace
} // namespace mpf
