// KNOWN MACHINE: a machine whose unknown facts are asked of drivers when a decision depends on
// them, because asking takes up to half a second.
#pragma once

#include "codegen/machine/machine.h"

#include <memory>
#include <mutex>

namespace mpf {

/// How much of a machine must be known. Each value includes those before it.
enum class MachineDetail {
  Speeds,  ///< kinds and speeds of devices; no driver is asked
  Devices, ///< which devices are present, and their architectures; drivers are started (0.2 s)
  Memory,  ///< the memory for tables on GPUs; their contexts are opened (0.3 s)
};

/// Finds out facts of a machine.
class MachineProbe {
public:
  MachineProbe() = default;
  MachineProbe(const MachineProbe &) = delete;
  MachineProbe &operator=(const MachineProbe &) = delete;
  virtual ~MachineProbe() = default;
  /// Sets the facts of `detail`, which is Devices or Memory. It is called once for each detail, in
  /// their order, on any thread. A device that fails becomes Faulty; the probe throws nothing.
  virtual void complete(Machine &machine, MachineDetail detail) = 0;
};

/// Thread-safe.
class KnownMachine {
public:
  /// `probe`: null: nothing more can be found out about `machine`.
  explicit KnownMachine(Machine machine, std::unique_ptr<MachineProbe> probe = nullptr)
      : machine_(std::make_shared<const Machine>(std::move(machine))), probe_(std::move(probe)) {}

  /// Returns the machine with the facts of `detail`. Asks the probe for facts that are asked for
  /// the first time. Without a probe they stay as they are.
  std::shared_ptr<const Machine> known(MachineDetail detail);

private:
  std::mutex mutex_;
  std::shared_ptr<const Machine> machine_; ///< replaced when facts are added
  const std::unique_ptr<MachineProbe> probe_;
  MachineDetail detail_ = MachineDetail::Speeds; ///< the facts that machine_ has
};

} // namespace mpf
