// Machines as text, and back; broken texts.
#include "codegen/machine/machine_text.h"

#include "tests/unit/codegen/machine/fake_machine.h"

#include <gtest/gtest.h>
#include <random>
#include <string_view>

namespace mpf {
namespace {

/// A machine with a device in every state, a fault that needs quotes, and a curve.
Machine manyDevices() {
  Machine machine = test::machineWith({"sm_80", "", "sm_90", "sm_90"});
  auto &cpu = std::get<CpuSpeed>(machine.devices[0].speed);
  cpu.rows = TimeCurve({{0.25, 1.0 / 3}, {1, 7}});
  cpu.threads.wakeUs = 0.1;
  machine.devices[1].tableBytes = 1 << 30;
  machine.devices[3].state = DeviceState::Absent;
  machine.devices[4].state = DeviceState::Faulty;
  machine.devices[4].fault = "the \"driver\" is old\n  # and tired";
  machine.devices[4].openUs = 1e300;
  std::get<GpuSpeed>(machine.devices[2].speed).copies.groupUs = 1e-3;
  machine.links = {{DeviceId::gpu(0), DeviceId::gpu(2), 30, 4e5},
                   {DeviceId::gpu(2), DeviceId::gpu(0), 0.1, 1.0 / 3}};
  return machine;
}

std::optional<Machine> read(std::string text, std::string *message = nullptr) {
  Diagnostics diagnostics;
  std::optional<Machine> machine =
      readMachine(std::make_shared<const SourceBuffer>("m", std::move(text)), diagnostics);
  if (message != nullptr)
    *message = renderDiagnostics(diagnostics);
  EXPECT_EQ(machine.has_value(), !diagnostics.hasErrors());
  return machine;
}

TEST(MachineText, IsReadBackAsItWas) {
  const Machine machine = manyDevices();
  ASSERT_EQ(machineFault(machine), "");
  const std::optional<Machine> again = read(printMachine(machine));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, machine);
  EXPECT_EQ(printMachine(*again), printMachine(machine));
}

TEST(MachineText, BrokenTextsAreReportedAtTheirPlace) {
  const std::string good = printMachine(manyDevices());
  const auto messageOf = [&good](std::string_view part, std::string_view other) {
    std::string text = good, message;
    const size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    text.replace(at, part.size(), other);
    EXPECT_FALSE(read(text, &message)) << other;
    return message;
  };
  EXPECT_NE(messageOf("machine", "computer")
                .find("m:1:1: error: expected a line that begins with "
                      "'machine'"),
            std::string::npos);
  EXPECT_NE(messageOf("device cpu", "device tpu").find("m:2:8: error: 'tpu' is not a kind"),
            std::string::npos);
  EXPECT_NE(messageOf("cpu_wake_us 0.1", "cpu_wake_us x").find("m:3:13"), std::string::npos);
  EXPECT_NE(messageOf("cpu_wake_us", "cpu_woke_us").find("begins with 'cpu_wake_us'"),
            std::string::npos);
  EXPECT_NE(messageOf("present", "asleep").find("'asleep' is not a state"), std::string::npos);
  EXPECT_NE(messageOf("table_bytes=none", "table_bytes=-1").find("needs a number of bytes"),
            std::string::npos);
  EXPECT_NE(messageOf("1 7\n", "1 0.1\n").find("times of a curve"), std::string::npos);
  EXPECT_NE(messageOf("gpu 1", "gpu 5").find("device 3 is gpu:2, which does not come after gpu:5"),
            std::string::npos);
  EXPECT_NE(messageOf("link gpu 0 gpu 2", "link gpu 0 cpu 0").find("link 0 does not join two GPUs"),
            std::string::npos);
  EXPECT_NE(messageOf("us=30", "us=x").find("us="), std::string::npos);
  EXPECT_NE(messageOf("link gpu 2 gpu 0 us=0.1", "device cpu 0 present").find("come before links"),
            std::string::npos);
  EXPECT_NE(messageOf("gpu_multiprocessors 132", "gpu_multiprocessors 0").find("a rate of 0"),
            std::string::npos);
}

/// No text makes the reader crash or accept an unsound machine.
TEST(MachineText, RandomEditsAreReadOrReported) {
  const std::string good = printMachine(manyDevices());
  std::mt19937 random(5);
  unsigned reported = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text = good;
    const size_t at = random() % text.size();
    if (trial % 3 == 0)
      text.erase(at, 1 + random() % 20);
    else if (trial % 3 == 1)
      text[at] = static_cast<char>(random());
    else
      text.resize(at);
    Diagnostics diagnostics;
    const auto machine = readMachine(std::make_shared<const SourceBuffer>("m", text), diagnostics);
    EXPECT_EQ(machine.has_value(), !diagnostics.hasErrors()) << text;
    EXPECT_EQ(machine ? machineFault(*machine) : "", "") << text;
    reported += !machine;
  }
  EXPECT_GT(reported, 1000u);
}

} // namespace
} // namespace mpf
