// The identity of a machine: its processor, threads and GPUs, read without a driver.
#include "runtime/machine/machine_identity.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace mpf {
namespace {

class SystemFiles {
public:
  void write(const std::string &path, const std::string &text) const {
    const std::filesystem::path file = folder_.path() + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void device(const std::string &place, const std::string &vendor, const std::string &kind,
              const std::string &number) const {
    const std::string folder = "sys/bus/pci/devices/" + place;
    write(folder + "/vendor", vendor + "\n");
    write(folder + "/class", kind + "\n");
    write(folder + "/device", number + "\n");
  }
  std::string identity() const {
    return machineIdentityFrom(folder_.path() + "/proc", folder_.path() + "/sys");
  }
  static std::string threads() {
    return fmt::format("{} threads", std::thread::hardware_concurrency());
  }

private:
  TemporaryFolder folder_;
};

TEST(MachineIdentity, OfASystemThatSaysNothing) {
  EXPECT_EQ(SystemFiles().identity(), "unknown processor, " + SystemFiles::threads());
}

TEST(MachineIdentity, AnotherCardIsAnotherMachine) {
  const SystemFiles files;
  files.write("proc/cpuinfo",
              "processor\t: 0\nno model name\nmodel\t\t: 17\nmodel name\t: Some CPU\nflags\t: x\n");
  const std::string cpu = "Some CPU, " + SystemFiles::threads();
  EXPECT_EQ(files.identity(), cpu);
  files.device("0000:65:00.0", "0x10de", "0x030200", "0x2335");
  files.device("0000:66:00.0", "0x10de", "0x068000", "0x22a3"); // a switch between GPUs
  files.device("0000:03:00.0", "0x1a03", "0x030000", "0x2000"); // another maker's
  EXPECT_EQ(files.identity(), cpu + ", NVIDIA device 0x2335");
  files.write("proc/driver/nvidia/gpus/0000:66:00.0/information", "Model: \t\t NVIDIA B\nIRQ: 9\n");
  files.write("proc/driver/nvidia/gpus/0000:65:00.0/information",
              "Model: \t\t NVIDIA H200\nIRQ:   \t\t 512\nGPU UUID: \t GPU-1\n");
  EXPECT_EQ(files.identity(), cpu + ", NVIDIA H200, NVIDIA B");
}

} // namespace
} // namespace mpf
