// ANSWER PLAN: how a query is answered, as plain data: by which form of program, on which devices,
// and why. It lists every candidate with its predicted time, its memory, and the reason why it
// cannot be taken. Sessions open it, `mpfc explain` describes it, and --emit=answer prints it.
// choose_answer.h makes the plan of a single result. That of a list of cases is made by
// runtime/engine/list/planned_list.h, and chooses by choose_for_list.h.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/machine/device_request.h"
#include "runtime/choose/answer/answer_form.h"
#include "runtime/schedule/placement/placement.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The memory of a program's tables on one device.
struct DeviceBytes {
  DeviceId device;
  uint64_t bytes = 0;

  bool operator==(const DeviceBytes &) const = default;
};

/// One way to answer a query.
struct AnswerCandidate {
  AnswerForm form = AnswerForm::Tables;
  PlacementMethod method = PlacementMethod::Cpu; ///< never Auto
  /// Predicted microseconds of a run, or of all cases of a list. None: not predicted, because it
  /// does not decide.
  std::optional<double> runUs;
  double onceUs = 0; ///< a run's share of the time that passes once: opening devices, compiling
  std::vector<DeviceBytes> memory; ///< by device; empty: unknown
  std::string refusal;             ///< why it cannot be taken, one sentence; empty: it can

  double totalUs() const { return runUs.value_or(0) + onceUs; }
  bool operator==(const AnswerCandidate &) const = default;
};

struct AnswerPlan {
  std::string query;
  DeviceRequest devices;       ///< devices that the user allows
  std::optional<double> cases; ///< expected cases of a list; none: a single result
  double expectedRuns = 1;     ///< runs that share what happens once
  std::vector<AnswerCandidate> candidates;
  size_t chosen = 0;    ///< index into `candidates`
  std::string why;      ///< why it is chosen, one sentence
  std::string gpuFault; ///< why a GPU failed that would have been considered; else empty
  // These are set for single results that both devices compute together, by operation:
  TaskPlacement placement;
  std::vector<uint32_t> supersteps; ///< runtime/schedule/placement/supersteps.h

  const AnswerCandidate &choice() const { return candidates[chosen]; }
  bool usesGpu() const { return choice().method != PlacementMethod::Cpu; }
  /// Whether operations are placed on several devices.
  bool isSpread() const { return !placement.devices.empty(); }
  bool operator==(const AnswerPlan &) const = default;
};

/// Returns the plan as text, in lines of words (dsl/source/line_reader.h). Equal plans have equal
/// texts.
std::string printAnswerPlan(const AnswerPlan &plan);

} // namespace mpf
