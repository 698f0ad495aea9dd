#include "tools/mpf-check-kernel/check_lane_text.h"

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/lanes_in_text.h"
#include "codegen/emit/marked_text.h"
#include "codegen/emit/tooling/check_source.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "runtime/simt/lanes/check_lanes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace mpf {

namespace {

constexpr uint64_t kLaneRuns = 5; ///< number of runs, each with other cases

/// Runs of each entry point with the most and the fewest lanes of a launch.
constexpr std::array<simt::TeamRun, kLaneRuns> kTeamRuns = {
    {{simt::TeamArena::Shared, kCasesOfTeam},
     {simt::TeamArena::Global, kCasesOfTeam},
     {simt::TeamArena::Shared, kLeastTeamLanes},
     {simt::TeamArena::Global, kCasesOfTeam / 2},
     {simt::TeamArena::Global, kLeastTeamLanes}}};
/// Greatest host memory for the tables of a program.
constexpr uint64_t kMostTableBytes = uint64_t{1} << 30;

/// Checks a text by kLaneRuns launches. Where needed, its answers are compared with those of the
/// text that mpf writes.
class LaneTextCheck {
public:
  explicit LaneTextCheck(CheckedText &text) : text_(text), diagnostics_(text.diagnostics()) {}

  std::vector<std::string> run() {
    if (!hasMarkedLines(text_.text())) {
      diagnostics_.error({},
                         "{}: expected a lane program in its comments, as --emit=cuda and "
                         "--dump-kernels write it behind the kernel",
                         text_.buffer().name());
      return {};
    }
    described_ = readLanesInText(text_.buffer(), diagnostics_);
    if (!described_ || !makeOwn())
      return {};
    text_.setAlias(kernel_ ? kernel_->name : "", "MPF_LANES");
    const size_t trusted = kernel_ ? laneHeadBytes(own_) : teamHeadBytes(program().type);
    const bool isSame =
        text_.text().substr(0, trusted) == std::string_view(own_).substr(0, trusted);
    text_.checkSource(isSame ? trusted : 0, own_);
    if (!diagnostics_.hasErrors())
      text_.checkDeclarations(checkKernelFile(own_, trusted).kernels);
    return diagnostics_.hasErrors() ? std::vector<std::string>() : runAll();
  }

private:
  const LaneProgram &program() const { return described_->program; }

  void refuse(const std::string &why) const { diagnostics_.error(described_->place, "{}", why); }

  /// Makes the text that mpf writes for the program. The edited text must have its name or its
  /// first lines.
  bool makeOwn() {
    if (std::ranges::any_of(program().values,
                            [](const LaneValues &values) { return values.values == nullptr; })) {
      refuse("the lane program has tables without entries: a host program binds them, and they are "
             "not in the text");
      return false;
    }
    if (const uint64_t bytes = CommonTables::bytes(program()); bytes > kMostTableBytes) {
      refuse(fmt::format("the tables of the lane program take {}, at most {} are taken",
                         formatBytes(bytes), formatBytes(kMostTableBytes)));
      return false;
    }
    const CommonTables common(program());
    const LinearPlan plan = planLinear(program(), common, program().type);
    if (!plan.possible) {
      refuse("cases of this lane program are computed in wide numbers, which have no kernel");
      return false;
    }
    const std::string_view named = laneKernelName(text_.text());
    if (named.empty()) {
      own_ = teamSource(program().type);
      return true;
    }
    kernel_ = emitLaneKernel(program(), common, plan, program().type, described_->limits);
    if (!kernel_ || kernel_->name != named) {
      refuse(fmt::format("{} is not the name that the kernel of this lane program has: the program "
                         "or the limits were edited, or belong to another kernel",
                         named));
      return false;
    }
    own_ = kernel_->source;
    return true;
  }

  std::unique_ptr<simt::Program> compiled(const std::string &source) const {
    return kernel_ ? simt::compileLanes(source, kernel_->name, program().type)
                   : simt::compileTeams(source);
  }

  std::vector<std::string> runAll() {
    try {
      edited_ = compiled(std::string(text_.text()));
      for (uint64_t seed = 0; seed < kLaneRuns; ++seed)
        if (!runOnce(seed))
          return {};
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::BadInput)
        throw;
      diagnostics_.error({}, "{}", error.what());
      return {};
    }
    return {fmt::format("{}: {} runs of {} cases of {}",
                        kernel_ ? kernel_->name : teamEntry(true, kCasesOfTeam), kLaneRuns, cases(),
                        program().name)};
  }

  /// Returns a number of cases that needs more than two blocks of a launch.
  uint32_t cases() const {
    return kernel_ ? 2 * kernel_->blockCases + kernel_->blockCases / 2 : 80;
  }

  simt::LaneCheck check(simt::Program &by, const CaseBlock &block, uint64_t seed) const {
    if (kernel_)
      return simt::checkLanes(by, program(), *kernel_, block);
    return simt::checkTeams(by, program(), block, kTeamRuns[seed]);
  }

  static const char *entryOf(const simt::TeamRun &run) {
    return teamEntry(run.arena == simt::TeamArena::Shared, run.lanes);
  }

  bool runOnce(uint64_t seed) {
    const CaseBlock block = simt::randomCases(program(), cases(), seed);
    simt::LaneCheck found = check(*edited_, block, seed);
    if (found.faults.empty() && (!found.left.empty() || !found.states.empty())) {
      if (!emitted_)
        emitted_ = compiled(own_);
      simt::compareWithEmitted(program(), check(*emitted_, block, seed), found);
    }
    return !text_.report(kernel_ ? kernel_->name : entryOf(kTeamRuns[seed]), found.faults);
  }

  CheckedText &text_;
  Diagnostics &diagnostics_;
  std::optional<DescribedLanes> described_;
  std::optional<LaneKernel> kernel_; ///< none: table-driven teams
  std::string own_;
  std::unique_ptr<simt::Program> edited_, emitted_;
};

} // namespace

bool isOfLanes(std::string_view cudaText) {
  return cudaText.find("\n#define MPF_LANES ") != std::string_view::npos ||
         cudaText.find(teamEntry(true, kCasesOfTeam)) != std::string_view::npos;
}

std::vector<std::string> checkLaneText(CheckedText &text) { return LaneTextCheck(text).run(); }

} // namespace mpf
