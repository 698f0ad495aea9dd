// The quick look at a machine, and where its speed is kept.
#include "runtime/machine/quick_look.h"

#include "runtime/machine/stored_speed.h"
#include "tests/unit/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpf {
namespace {

TEST(QuickLook, FindsTheLargestCache) {
  const TemporaryFolder sys;
  const auto write = [&sys](int index, const std::string &size) {
    const std::string folder =
        sys.path() + "/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/size") << size;
  };
  EXPECT_EQ(lastCacheBytes(sys.path()), 0);
  for (const char *text : {"", "K", "large\n", "32\n", "99999999999999999999K\n", "99999999K\n"}) {
    write(0, text);
    EXPECT_EQ(lastCacheBytes(sys.path()), 0) << text;
  }
  write(0, "48K\n");
  write(3, "32768K\n");
  write(2, "1024K\n");
  EXPECT_EQ(lastCacheBytes(sys.path()), 32 << 20);
}

TEST(QuickLook, MeasuresASoundSpeed) {
  const CpuSpeed shipped = shippedSpeed().cpu;
  const CpuSpeed looked = lookAtCpu(shipped);
  EXPECT_GT(looked.memory.largeTouchUs, 0);
  EXPECT_GT(looked.memory.smallTouchUs, 0);
  EXPECT_GT(looked.memory.cacheBytes, 0);
  EXPECT_LE(looked.memory.cacheBytes, shipped.memory.cacheBytes);
  EXPECT_EQ(looked.threads, shipped.threads);
  for (const auto curve : {&CpuSpeed::entries, &CpuSpeed::rows, &CpuSpeed::tiles,
                           &CpuSpeed::compiled, &CpuSpeed::logs, &CpuSpeed::integers}) {
    EXPECT_TRUE((looked.*curve).isSound());
    EXPECT_EQ((looked.*curve).points().size(), (shipped.*curve).points().size());
    EXPECT_NE(looked.*curve, shipped.*curve);
  }
}

class StoredLook : public testing::Test {
protected:
  StoredLook() {
    ::setenv("MPF_CACHE_DIR", cache_.path().c_str(), 1);
    ::unsetenv("MPF_LOOK");
  }
  ~StoredLook() override {
    ::unsetenv("MPF_CACHE_DIR");
    ::unsetenv("MPF_LOOK");
  }

private:
  const TemporaryFolder cache_;
};

TEST_F(StoredLook, IsMadeOnceAndGivesWayToCalibration) {
  EXPECT_EQ(knownSpeed().origin, SpeedOrigin::Shipped);
  EXPECT_EQ(storedSpeed(), shippedSpeed());
  lookOnce();
  const KnownSpeed looked = knownSpeed();
  if (looked.origin == SpeedOrigin::Shipped)
    GTEST_SKIP() << "memory is short, or the build has sanitizers";
  EXPECT_EQ(looked.origin, SpeedOrigin::Looked);
  EXPECT_NE(looked.speed.cpu, shippedSpeed().cpu);
  EXPECT_EQ(looked.speed.gpu, shippedSpeed().gpu);
  lookOnce();
  EXPECT_EQ(storedSpeed(), looked.speed) << "the second look did nothing";
  ::setenv("MPF_LOOK", "off", 1);
  EXPECT_EQ(storedSpeed(), shippedSpeed()) << "the look is ignored";
  ::unsetenv("MPF_LOOK");
  MachineSpeed calibrated = shippedSpeed();
  calibrated.cpu.memory.largeTouchUs = 77;
  ASSERT_TRUE(storeSpeed(calibrated));
  EXPECT_EQ(knownSpeed().origin, SpeedOrigin::Calibrated);
  EXPECT_EQ(storedSpeed(), calibrated);
}

/// A long-lived process plans by the speed that is stored now.
TEST_F(StoredLook, GivesWayToCalibrationByAnotherProcess) {
  MachineSpeed calibrated = shippedSpeed();
  for (const double us : {77.0, 78.0}) {
    calibrated.cpu.memory.largeTouchUs = us;
    const pid_t child = ::fork();
    if (child == 0)
      ::_exit(storeSpeed(calibrated) ? 0 : 1);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
    EXPECT_EQ(storedSpeed(), calibrated);
  }
}

TEST_F(StoredLook, IsNotMadeWhereTheEnvironmentForbidsIt) {
  ::setenv("MPF_LOOK", "off", 1);
  lookOnce();
  EXPECT_EQ(knownSpeed().origin, SpeedOrigin::Shipped);
}

TEST_F(StoredLook, IsNotMadeWhereItCannotBeKept) {
  ::setenv("MPF_CACHE_DIR", "/proc/none", 1);
  lookOnce();
  EXPECT_EQ(knownSpeed().origin, SpeedOrigin::Shipped);
}

} // namespace
} // namespace mpf
