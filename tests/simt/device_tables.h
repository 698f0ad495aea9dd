// The common parts of the tests of bound inputs and read results: random programs of every kind,
// and the kernels of runtime/execute/gpu/runs/gpu_device_runs.h in the checker.
#pragma once

#include "runtime/execute/gpu/runs/gpu_device_runs.h"
#include "runtime/execute/host/table_view.h"
#include "runtime/simt/simt_check.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace mpf::simt {

inline constexpr double kDeviceInfinity = std::numeric_limits<double>::infinity();

/// The kind of a program and its values.
struct DeviceKind {
  const char *name;
  ElementType type = ElementType::F64;
  double spreadLog10 = 2; ///< spread of the values' magnitudes
  double zeros = 0.1;     ///< share of zeros
  bool forcedLog = false, logInputs = false, signedValues = false, plain = false;
};
std::span<const DeviceKind> deviceKinds();

template <class T> std::span<std::byte> mutableBytes(std::vector<T> &values) {
  return std::as_writable_bytes(std::span(values));
}

uint64_t entriesOf(const Bundle &bundle, const std::vector<VarId> &scope);
/// Adds a buffer behind the present ones.
BufferId addDeviceBuffer(Bundle &bundle, const std::string &name, uint64_t elems, bool input);
TableView viewOf(const Bundle &bundle, BufferId id, const std::byte *arena,
                 const TableState &state);

class DeviceTables : public testing::TestWithParam<DeviceKind> {
protected:
  uint64_t below(uint64_t end) { return random_() % end; }
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  /// Returns a random value of the kind, representable in its type.
  double value();
  /// Returns a bundle of the kind with variables, some of them observed.
  Bundle emptyBundle(uint64_t greatestExtent);
  /// Returns some variables in random order.
  std::vector<VarId> someVariables(bool isObservedToo, const Bundle &bundle);
  /// Runs a kernel such as "mpf_bind_range"; buffer 0 holds its argument.
  void launch(const std::string &name, uint64_t blocks, std::vector<Buffer> &buffers,
              std::vector<PointerPlace> pointers);

  std::mt19937_64 random_{23};
  std::string faults_;
};

} // namespace mpf::simt
