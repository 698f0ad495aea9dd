// Floors are those of the card at hand, not of the card that its architecture's target is.
#include "tools/mpf-bench/cases/card_target.h"
#include "tools/mpf-bench/measure/close_answers.h"

#include <gtest/gtest.h>

namespace mpf::bench {
namespace {

TEST(CardTarget, AnH100IsNoH200) {
  const Target h200 = targetNamed("sm_90");
  const Target h100 = targetOfCard({"sm_90", 132, 1.98, 3352e3});
  EXPECT_DOUBLE_EQ(h100.copyBytesPerUs, 2933e3);
  EXPECT_LT(h100.copyBytesPerUs, 0.7 * h200.copyBytesPerUs);
  EXPECT_DOUBLE_EQ(h100.f64FlopsPerUs, h200.f64FlopsPerUs);
  const Target pcie = targetOfCard({"sm_90", 114, 1.755, 2039e3});
  EXPECT_DOUBLE_EQ(pcie.f32FlopsPerUs, 2 * 128 * 114 * 1755.0);
  EXPECT_EQ(pcie.smCount, 114u);
}

TEST(CardTarget, WhatTheDriverDoesNotTellIsTheTargets) {
  EXPECT_EQ(targetOfCard({.arch = "sm_80"}), targetNamed("sm_80"));
  EXPECT_EQ(targetOfCard({.arch = "sm_75"}), targetNamed(kReferenceTarget)) << "no target is of it";
}

TEST(CloseAnswers, AreCloseByTheirRatio) {
  const ScaledNumber one{0.75, -5000}, near{0.75 * (1 + 5e-13), -5000},
      far{0.75 * (1 + 2e-12), -5000}, zero{};
  const double f64 = answerTolerance("f64");
  EXPECT_TRUE(areClose(near, one, f64));
  EXPECT_FALSE(areClose(far, one, f64)) << "its logarithm, -3466, has no digits for that";
  EXPECT_TRUE(areClose(far, one, answerTolerance("f32")));
  EXPECT_FALSE(areClose(zero, one, f64));
  EXPECT_FALSE(areClose(one, zero, f64));
  EXPECT_TRUE(areClose(zero, zero, f64));
  EXPECT_FALSE(areClose({0.75, -4999}, one, f64));
  EXPECT_FALSE(areClose({-0.75, -5000}, one, f64));
  EXPECT_TRUE(areClose({0.75, 0}, {0.75, 0}, 0));
}

} // namespace
} // namespace mpf::bench
