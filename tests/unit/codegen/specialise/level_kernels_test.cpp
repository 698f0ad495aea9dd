// Tests which operations of a level get specialised kernels, by the time of the level.
#include "codegen/bundle/table_driven_time.h"
#include "codegen/specialise/level_launches.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace mpf {
namespace {

/// Returns the time of a level with these kernels.
double levelUs(const std::vector<LevelOperation> &level, const std::vector<bool> &hasKernel,
               double launchUs) {
  double kernelsUs = 0, aloneUs = 0, sharedUs = 0;
  bool launches = false;
  for (size_t i = 0; i < level.size(); ++i) {
    if (hasKernel[i]) {
      kernelsUs += level[i].kernelPart;
      continue;
    }
    aloneUs = std::max(aloneUs, level[i].alonePart);
    sharedUs += level[i].sharedPart;
    launches = launches || level[i].needsLaunch;
  }
  return kernelsUs + std::max(aloneUs, sharedUs) + (launches ? launchUs : 0);
}

/// If its level is launched anyway, an operation gains nothing by a kernel that takes as long as
/// the launch. All operations of a level gain if their kernels together take less than the launch.
TEST(KernelsOfLevel, CountTheLaunchThatOthersNeed) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const LevelOperation stays{1, 0.1, true, kNone}, cheap{1, 0.1, true, 1.5}, dear{30, 20, true, 10},
      small{0.1, 0.1, false, 0.01};
  EXPECT_EQ(kernelsOfLevel({}), std::vector<bool>());
  EXPECT_EQ(kernelsOfLevel(std::vector{cheap}), std::vector{true});
  EXPECT_EQ(kernelsOfLevel(std::vector{stays, cheap}), (std::vector{false, false}));
  EXPECT_EQ(kernelsOfLevel(std::vector{stays, dear, cheap}), (std::vector{false, true, false}));
  EXPECT_EQ(kernelsOfLevel(std::vector{small}), std::vector{true});
}

/// Shares of the device add up, so that many operations gain by kernels together though none gains
/// alone.
TEST(KernelsOfLevel, CountTheSharesOfTheDevice) {
  const LevelOperation wide{10, 8, true, 12};
  EXPECT_EQ(kernelsOfLevel(std::vector(8, wide)), std::vector(8, false));
  const LevelOperation full{10, 10, true, 9};
  EXPECT_EQ(kernelsOfLevel(std::vector(8, full)), std::vector(8, true));
}

TEST(KernelsOfLevel, AreTakenWhereTheLevelIsShorter) {
  const double levelUs = 20 + kTableLaunchUs + kTableStepUs;
  const LevelOperation shorter{20, 20, true, levelUs - 0.01}, longer{20, 20, true, levelUs + 0.01};
  EXPECT_EQ(kernelsOfLevel(std::vector{shorter}), std::vector{true});
  EXPECT_EQ(kernelsOfLevel(std::vector{longer}), std::vector{false});
}

/// The choice takes no longer than kernels for all or for none.
TEST(KernelsOfLevel, TakeNoLongerThanSimplerChoices) {
  const double launchUs = kTableLaunchUs + kTableStepUs;
  std::mt19937 random(7);
  std::exponential_distribution<double> draw(0.3);
  for (int round = 0; round < 300; ++round) {
    std::vector<LevelOperation> level(1 + random() % 9);
    std::vector<bool> all(level.size(), true), none(level.size(), false);
    for (LevelOperation &operation : level) {
      operation.sharedPart = draw(random);
      operation.alonePart = operation.sharedPart + draw(random);
      operation.kernelPart = draw(random);
      operation.needsLaunch = random() % 2 == 0;
    }
    const double us = levelUs(level, kernelsOfLevel(level), launchUs);
    EXPECT_LE(us, levelUs(level, all, launchUs) + 1e-9);
    EXPECT_LE(us, levelUs(level, none, launchUs) + 1e-9);
  }
}

} // namespace
} // namespace mpf
