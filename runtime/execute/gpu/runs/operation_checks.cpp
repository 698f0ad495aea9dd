#include "runtime/execute/gpu/runs/operation_checks.h"

#include "runtime/execute/gpu/runs/result_tables.h"
#include "runtime/execute/host/verify_operation.h"

#include <algorithm>

namespace mpf {

OperationChecks::OperationChecks(const CudaDevice &device, const Bundle &bundle,
                                 GpuProgram &program, const HostImage &inputs)
    : device_(device), bundle_(bundle), program_(program), inputs_(inputs) {}

void OperationChecks::run(size_t samples) {
  const SliceStates noSlice(bundle_.sliced.size(), 0);
  std::optional<Together> together;
  program_.led().runStepwise({[&](uint32_t index) {
                                if (std::optional<Together> begun = startChain(index))
                                  together = std::move(begun);
                              },
                              [&](uint32_t index) {
                                verify(index, noSlice, samples);
                                if (together && together->last == index) {
                                  endChain(*together, samples);
                                  together.reset();
                                }
                              }});
}

std::vector<std::byte> OperationChecks::read(BufferId buffer, const TableState &state) const {
  std::vector<std::byte> bytes = program_.arenas().startRead(buffer, state);
  device_.synchronize();
  return bytes;
}

void OperationChecks::verify(uint32_t index, const SliceStates &slice, size_t samples) const {
  const BundleOperation &operation = bundle_.operations[index];
  const std::vector<TableState> states = program_.states().read();
  refuseLost(bundle_, program_.outcome().faults.lost, states);
  std::vector<std::vector<std::byte>> copies;
  std::vector<TableView> operands;
  copies.reserve(operation.operands.size() + 1);
  for (const BundleAccess &access : operation.operands) {
    const BundleBuffer &buffer = bundle_.buffer(access.buffer);
    const TableState &state = states[access.buffer.index()];
    if (!buffer.input)
      copies.push_back(read(access.buffer, state));
    operands.push_back(
        viewOf(bundle_, access.buffer,
               buffer.input ? inputs_.data() + buffer.offsetBytes : copies.back().data(), state));
    const uint64_t offset = sliceOffsetElems(access, slice);
    operands.back().entries += offset * elementBytes(bundle_.type);
    operands.back().signs += operands.back().signs != nullptr ? offset : 0;
    operands.back().sizeElems -= offset;
  }
  const BufferId result = operation.result.buffer;
  copies.push_back(read(result, states[result.index()]));
  verifyOperation(operation, operands,
                  viewOf(bundle_, result, copies.back().data(), states[result.index()]), samples);
}

/// Runs the chain that begins with this operation, if it would run as one kernel.
std::optional<OperationChecks::Together> OperationChecks::startChain(uint32_t index) const {
  const auto chain = std::find_if(bundle_.chains.begin(), bundle_.chains.end(),
                                  [&](const BundleChain &c) { return c.first == index; });
  if (chain == bundle_.chains.end())
    return std::nullopt;
  Together together{{}, {}, chain->first + chain->count - 1};
  std::optional<std::vector<std::byte>> bytes = program_.led().tryChain(*chain, together.state);
  if (!bytes)
    return std::nullopt;
  together.bytes = std::move(*bytes);
  return together;
}

void OperationChecks::endChain(const Together &together, size_t samples) const {
  const BundleOperation &last = bundle_.operations[together.last];
  const BufferId result = last.result.buffer;
  const TableState state = program_.states().read()[result.index()];
  const std::vector<std::byte> bytes = read(result, state);
  verifySame(bundle_, last, viewOf(bundle_, result, together.bytes.data(), together.state),
             viewOf(bundle_, result, bytes.data(), state), samples);
}

} // namespace mpf
