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
      [](Machine &m) { m.links[0].bytesPerUs = 0; },
      [](Machine &m) { m.links[0].us = -1; },
      [](Machine &m) { m.links[0].to = m.links[0].from; },
      [](Machine &m) { m.links[0].to = DeviceId::cpu(); },
      [](Machine &m) { m.links[0].to = DeviceId::gpu(2); },
      [](Machine &m) { m.links.push_back(m.links[0]); },
  };
  for (size_t i = 0; i < mistakes.size(); ++i) {
    Machine machine = test::machineWith({"sm_80", "sm_90"});
    machine.links = {{DeviceId::gpu(0), DeviceId::gpu(1), 30, 4e5}};
    ASSERT_EQ(machineFault(machine), "");
    mistakes[i](machine);
    EXPECT_NE(machineFault(machine), "") << "mistake " << i;
  }
}

TEST(Machine, CopiesGoThroughTheCpuWithoutALink) {
  Machine machine = test::machineWith({"sm_90", "sm_90"});
  auto &first = std::get<GpuSpeed>(machine.devices[1].speed);
  auto &second = std::get<GpuSpeed>(machine.devices[2].speed);
  first = {{}, 100, 8, 2};
  second = {{}, 300, 6, 1};
  const DeviceId cpu = DeviceId::cpu(), one = DeviceId::gpu(0), two = DeviceId::gpu(1);
  EXPECT_DOUBLE_EQ(linkBetween(machine, cpu, one).copyUs(1000), 4 + 10);
  EXPECT_DOUBLE_EQ(linkBetween(machine, one, cpu).copyUs(1000), 2 + 10);
  EXPECT_DOUBLE_EQ(linkBetween(machine, one, two).copyUs(3000), 2 + 30 + 3 + 10);
  machine.links = {{one, two, 1, 1000}};
  EXPECT_DOUBLE_EQ(linkBetween(machine, one, two).copyUs(3000), 1 + 3);
  EXPECT_DOUBLE_EQ(linkBetween(machine, two, one).copyUs(3000), 1 + 10 + 4 + 30) << "one way";
}

TEST(Machine, HasUsableDevicesThatAreNotKnownToFail) {
  Machine machine = test::machineWith({"", "sm_90", "sm_90", "sm_90"});
  machine.devices[2].state = DeviceState::Absent;
  machine.devices[3].state = DeviceState::Faulty;
  const std::vector<const Device *> expected = {&machine.devices[0], &machine.devices[1],
                                                &machine.devices[4]};
  EXPECT_EQ(machine.usable(), expected);
}

} // namespace
} // namespace mpf
