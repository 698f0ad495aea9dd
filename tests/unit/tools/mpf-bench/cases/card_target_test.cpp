// Floors use the figures of the machine's card, not those of its architecture's target.
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
  const ScaledNumber one{0.75, -5000}, near{0.75 * (1 + 5e-13), -5000}, zero{};
  EXPECT_NEAR(relativeError(near, one), 5e-13, 1e-15)
      << "its logarithm, -3466, has no digits for that";
  EXPECT_EQ(relativeError(zero, one), INFINITY);
  EXPECT_EQ(relativeError(one, zero), INFINITY);
  EXPECT_EQ(relativeError(zero, zero), 0);
  EXPECT_EQ(relativeError({0.75, -4999}, one), 1);
  EXPECT_EQ(relativeError({-0.75, -5000}, one), INFINITY);
  EXPECT_EQ(relativeError({NAN, 0}, {0.75, 0}), INFINITY);
  EXPECT_EQ(relativeError({NAN, 0}, zero), INFINITY);
  EXPECT_EQ(relativeError({0.75, 0}, {0.75, 0}), 0);
}

TEST(CloseAnswers, TheLargestErrorIsToldWithItsPlace) {
  const ScaledNumber one{0.75, 0};
  ComparedAnswers compared;
  const auto add = [&](double error, const char *place) {
    compared.add({0.75 * (1 + error), 0}, one, [place] { return place; });
  };
  add(5e-13, "row 1");
  add(-2e-13, "row 2");
  EXPECT_NEAR(compared.largestError, 5e-13, 1e-15);
  EXPECT_NO_THROW(compared.require("f64"));
  add(2e-12, "row 3");
  add(1.5e-12, "row 4");
  EXPECT_NO_THROW(compared.require("f32"));
  try {
    compared.require("f64");
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Verification);
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("row 3: ln ")) << what;
    EXPECT_TRUE(what.ends_with("a relative error of 2e-12, f64 allows 1e-12")) << what;
  }
}

} // namespace
} // namespace mpf::bench
