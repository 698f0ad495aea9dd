// The text of a launch plan is complete. Other texts are refused, with the place of the error.
#include "dsl/support/error.h"
#include "runtime/schedule/launches/print_launch_plan.h"
#include "tests/unit/runtime/schedule/schedule_bundles.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(LaunchPlanText, ComesBackAsItWas) {
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 500; ++i) {
    const Bundle bundle = randomScheduleBundle(random);
    const LaunchPlan plan = buildLaunchPlan(bundle, randomLaunchOptions(bundle, random));
    const std::string text = printLaunchPlan(plan, bundle);
    ASSERT_EQ(readLaunchPlan(text), plan) << text;
  }
}

void expectRefused(const std::string &text, const std::string &message) {
  try {
    readLaunchPlan(text);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(LaunchPlanText, WhatIsWrongIsNamedWithItsPlace) {
  expectRefused("", "no line 'launches NUMBER'");
  expectRefused("launches 2\n", "2 launches are announced, 0 follow");
  expectRefused("lunches 2\n", "line 1, column 1: expected 'launches '");
  expectRefused("launches 1\nlaunch special 3", "line 2, column 8: expected one of specialised, ");
  expectRefused("launches 1\n\nlaunch chain x", "line 3, column 14: expected a number");
  expectRefused("launches 1\nlaunch chain 5..4", "expected a last operation behind the first");
  expectRefused("launches 1\nlaunch chain 99999999999", "a number up to 4294967295");
  expectRefused("launches 1\nlaunch chain 0..1 arithmetic=always wait=now", "begin, stores, end");
  expectRefused("launches 1\nlaunch chain 0..1 arithmetic=always wait=end blocks=1 x",
                "expected the end of the line");
}

} // namespace
} // namespace mpf
