// Machines, and what is wrong with unsound ones.
#include "codegen/machine/machine.h"

#include "tests/unit/codegen/machine/fake_machine.h"

#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

TEST(Machine, HasDevicesInTheOrderOfTheirNumbers) {
  const Machine machine = test::machineWith({"sm_80", "sm_90"});
  EXPECT_EQ(machineFault(machine), "");
  EXPECT_EQ(machine.first(DeviceKind::Cpu), &machine.devices[0]);
  EXPECT_EQ(machine.first(DeviceKind::Gpu)->target, "sm_80");
  EXPECT_EQ(test::machineWith({}).first(DeviceKind::Gpu), nullptr);
}

TEST(Machine, IsUnsoundWithAnyOneMistake) {
  const std::vector<std::function<void(Machine &)>> mistakes = {
      [](Machine &m) { m.devices.clear(); },
      [](Machine &m) { m.devices.erase(m.devices.begin()); },
      [](Machine &m) { std::swap(m.devices[1], m.devices[2]); },
      [](Machine &m) { m.devices[2].id.number = 0; },
      [](Machine &m) { m.devices.push_back(m.devices[0]); },
      [](Machine &m) { m.devices[0].state = DeviceState::Unknown; },
      [](Machine &m) { m.devices[0].target = "sm_90"; },
      [](Machine &m) { m.devices[0].speed = GpuSpeed(); },
      [](Machine &m) { m.devices[1].speed = CpuSpeed(); },
      [](Machine &m) { m.devices[1].fault = "it is on fire"; },
      [](Machine &m) { m.devices[1].state = DeviceState::Faulty; },
      [](Machine &m) { m.devices[1].openUs = -1; },
      [](Machine &m) { std::get<GpuSpeed>(m.devices[1].speed).launchUs = -1; },
      [](Machine &m) { std::get<GpuSpeed>(m.devices[2].speed).bytesPerUs = 0; },
      [](Machine &m) { std::get<GpuSpeed>(m.devices[2].speed).multiprocessors = 0; },
      [](Machine &m) { std::get<CpuSpeed>(m.devices[0].speed).threads.wakeUs = -1; },
      [](Machine &m) {
        std::get<CpuSpeed>(m.devices[0].speed).rows = TimeCurve({{1, 2}, {2, 1}});
      },
      [](Machine &m) { m.devices[1].openUs = std::numeric_limits<double>::quiet_NaN(); },
  };
  for (size_t i = 0; i < mistakes.size(); ++i) {
    Machine machine = test::machineWith({"sm_80", "sm_90"});
    mistakes[i](machine);
    EXPECT_NE(machineFault(machine), "") << "mistake " << i;
  }
}

} // namespace
} // namespace mpf
