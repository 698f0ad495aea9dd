#include "runtime/execute/host/host_executor.h"

#include "dsl/support/check.h"
#include "runtime/execute/host/accumulate_slice.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/claim_memory.h"
#include "runtime/execute/host/decode_tables.h"
#include "runtime/execute/host/verify_operation.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace mpf {

HostExecutor::HostExecutor(const Bundle &bundle, size_t threads, const char *kernels)
    : bundle_(bundle), pool_(threads), states_(bundle.buffers.size()),
      slice_(bundle.sliced.size(), 0), kernels_(kernels),
      inputs_(bundle.inputArenaBytes, "input tables"),
      work_(bundle.workArenaBytes, "intermediate tables"), best_(bundle),
      profileOf_(bundle.operations.size()) {
  profile_.reserve(bundle.operations.size());
}

std::string HostExecutor::deviceName() const {
  return fmt::format("cpu ({}, {} thread{})", kernels_, pool_.threadCount(),
                     pool_.threadCount() == 1 ? "" : "s");
}

void HostExecutor::claimTables() const {
  const std::array<const AlignedMemory *, 2> tables{&inputs_, &work_};
  claimMemory(tables, bundle_.name);
}

std::vector<std::vector<uint32_t>> HostExecutor::decode(const DecodeRequest &request) const {
  return decodeTables(bundle_, *this, request);
}

void HostExecutor::run(std::span<const ScheduleStep> steps, const RunRequest &request) {
  profile_.clear();
  std::fill(profileOf_.begin(), profileOf_.end(), nullptr);
  walkSteps(steps, bundle_, request.slice,
            [&](const ScheduleStep &step, const SliceStates &states) {
              if (step.kind != StepKind::Run)
                return; // the host's memory is ours
              MPF_CHECK(step.device == StepDevice::Cpu, "operation {} is scheduled elsewhere",
                        step.index);
              slice_ = states;
              runStep(step.index, request);
            });
}

void HostExecutor::setTable(BufferId buffer, const TableView &table) {
  const uint64_t elems = bundle_.buffer(buffer).sizeElems;
  MPF_CHECK(table.sizeElems == elems && table.type == bundle_.type, "{} entries for table {} of {}",
            table.sizeElems, bundle_.buffer(buffer).name, elems);
  std::copy_n(table.entries, elems * elementBytes(bundle_.type), memory(buffer));
  if (table.signs != nullptr)
    std::copy_n(table.signs, elems, signsOf(buffer));
  states_[buffer.index()] = table.state;
}

void HostExecutor::runStep(uint32_t index, const RunRequest &request) {
  if (bundle_.operations[index].accumulates) {
    if (request.slice.empty()) // one slice alone leaves the sums as they are
      accumulate(bundle_.operations[index]);
    return;
  }
  if (request.profile) {
    const auto start = std::chrono::steady_clock::now();
    const Ran ran = runOperation(index);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    record(index, ran, time.count());
  } else {
    runOperation(index);
  }
  if (request.verifySamples != 0)
    verify(index, request.verifySamples);
}

/// Slices of one operation share an entry.
void HostExecutor::record(uint32_t index, const Ran &ran, double timeUs) {
  if (profileOf_[index] == nullptr) {
    profile_.push_back({index, StepDevice::Cpu, ran.path, ran.log});
    profileOf_[index] = &profile_.back();
  }
  profileOf_[index]->timeUs += timeUs;
  profileOf_[index]->log |= ran.log;
}

void HostExecutor::accumulate(const BundleOperation &operation) {
  const BufferId result = operation.result.buffer;
  const bool first = slice_[operation.loop - 1] == 0;
  const SliceSum how{operation.semiring.reduce, hasPlainTables(bundle_), bundle_.forcedLog, first,
                     operation.name};
  const MutableTable sum{bundle_.type, &states_[result.index()], bundle_.buffer(result).sizeElems,
                         memory(result), bundle_.signedValues ? signsOf(result) : nullptr};
  if (accumulateSlice(how, view(operation.operands[0].buffer, 0), sum))
    best_.record(operation.loop, slice_);
}

TableView HostExecutor::view(BufferId id, uint64_t offsetElems) const {
  const TableState &state = states_[id.index()];
  const bool signs = state.form != 0 && bundle_.signedValues;
  return {bundle_.type, state, bundle_.buffer(id).sizeElems - offsetElems,
          memory(id) + offsetElems * elementBytes(bundle_.type),
          signs ? signsOf(id) + offsetElems : nullptr};
}

void HostExecutor::verify(uint32_t index, size_t samples) const {
  const BundleOperation &operation = bundle_.operations[index];
  std::array<TableView, kMaxBundleOperands> operands;
  for (size_t i = 0; i < operation.operands.size(); ++i)
    operands[i] =
        view(operation.operands[i].buffer, sliceOffsetElems(operation.operands[i], slice_));
  verifyOperation(operation, std::span<const TableView>(operands.data(), operation.operands.size()),
                  table(operation.result.buffer), samples);
}

} // namespace mpf
