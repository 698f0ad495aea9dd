#include "codegen/machine/known_machine.h"

#include "dsl/support/check.h"

namespace mpf {

std::shared_ptr<const Machine> KnownMachine::known(MachineDetail detail) {
  const std::lock_guard lock(mutex_);
  while (probe_ && detail_ < detail) {
    const auto next = static_cast<MachineDetail>(static_cast<int>(detail_) + 1);
    Machine machine = *machine_;
    probe_->complete(machine, next);
    const std::string fault = machineFault(machine);
    MPF_CHECK(fault.empty(), "a probe found a machine where {}", fault);
    machine_ = std::make_shared<const Machine>(std::move(machine));
    detail_ = next;
  }
  return machine_;
}

} // namespace mpf
