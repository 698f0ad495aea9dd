// The probe of a machine is asked late, and once for each detail.
#include "codegen/machine/known_machine.h"

#include "dsl/support/error.h"
#include "tests/unit/codegen/machine/fake_machine.h"

#include <gtest/gtest.h>
#include <thread>

namespace mpf {
namespace {

TEST(KnownMachine, AsksForEachDetailOnceAndOnlyIfItIsNeeded) {
  auto probe = std::make_unique<test::FakeProbe>();
  test::FakeProbe &fake = *probe;
  fake.gpus = {"sm_90"};
  fake.bytes = 1000;
  KnownMachine machine(test::machineWith({"", ""}), std::move(probe));
  const auto before = machine.known(MachineDetail::Speeds);
  EXPECT_EQ(fake.asked, 0u);
  EXPECT_EQ(before->devices[1].state, DeviceState::Unknown);
  const auto found = machine.known(MachineDetail::Devices);
  EXPECT_EQ(fake.asked, 1u);
  EXPECT_EQ(found->devices[1].target, "sm_90");
  EXPECT_EQ(found->devices[2].state, DeviceState::Absent);
  EXPECT_FALSE(found->devices[1].tableBytes);
  EXPECT_EQ(machine.known(MachineDetail::Memory)->devices[1].tableBytes, 1000u);
  EXPECT_EQ(fake.asked, 2u);
  machine.known(MachineDetail::Devices);
  machine.known(MachineDetail::Memory);
  EXPECT_EQ(fake.asked, 2u);
  EXPECT_EQ(before->devices[1].state, DeviceState::Unknown) << "earlier answers do not change";
}

TEST(KnownMachine, AsksForTheDevicesBeforeTheirMemory) {
  auto probe = std::make_unique<test::FakeProbe>();
  test::FakeProbe &fake = *probe;
  fake.gpus = {"sm_90"};
  KnownMachine machine(test::machineWith({""}), std::move(probe));
  EXPECT_EQ(machine.known(MachineDetail::Memory)->devices[1].state, DeviceState::Present);
  EXPECT_EQ(fake.asked, 2u);
}

TEST(KnownMachine, KnowsNoMoreWithoutAProbe) {
  const Machine given = test::machineWith({"sm_80", ""});
  EXPECT_EQ(*KnownMachine(given).known(MachineDetail::Memory), given);
}

TEST(KnownMachine, AnswersManyThreads) {
  auto probe = std::make_unique<test::FakeProbe>();
  test::FakeProbe &fake = *probe;
  KnownMachine machine(test::machineWith({""}), std::move(probe));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&machine] { machine.known(MachineDetail::Memory); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(fake.asked, 2u);
}

/// Breaks the machine that it is asked about.
class WrongProbe final : public MachineProbe {
public:
  void complete(Machine &machine, MachineDetail) override { machine.devices.clear(); }
};

TEST(KnownMachine, RefusesWhatAProbeBreaks) {
  KnownMachine machine(test::machineWith({""}), std::make_unique<WrongProbe>());
  EXPECT_THROW(machine.known(MachineDetail::Devices), Error);
}

} // namespace
} // namespace mpf
