#include "runtime/simt/lanes/check_lanes.h"

#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/wide_lanes.h"
#include "runtime/simt/lanes/assignment_judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <random>

namespace mpf::simt {

namespace {

/// The number of wrong answers that are reported: a wrong kernel is wrong in many.
constexpr size_t kMostWrongAnswers = 3;
/// Fills the memory that a launch must write. No kernel answers this number.
constexpr int kNotWritten = -7;
/// Posteriors below it are below the range of f32.
constexpr double kLeastShareLog2 = -100;

double unit(std::mt19937_64 &random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

template <class T> class LaneJudge {
public:
  LaneJudge(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
            LaneCheck &check)
      : program_(program), common_(common), plan_(plan), check_(check) {}

  void judge(const Report &report, const LaneKernel &layout, const LaneMemory<T> &memory,
             const CaseBlock &block) {
    for (const Fault &fault : report.faults)
      check_.faults.push_back(problemOf(fault));
    if (report.has(FaultKind::EndlessLoop))
      return; // a stopped launch has no answers
    CaseAnswers found, expected;
    shapeAnswers(program_, block.count, found);
    shapeAnswers(program_, block.count, expected);
    readLaneResults<T>(program_, plan_, layout, memory.written(), {0, block.count, block.count},
                       found, check_.left);
    check_.states = found.states;
    WideLanes wide(program_, common_);
    std::optional<AssignmentJudge> assignments;
    if (found.variables != 0)
      assignments.emplace(program_, common_);
    for (uint32_t i = 0; i < block.count; ++i) {
      if (std::binary_search(check_.left.begin(), check_.left.end(), i))
        continue;
      wide.run(block, i, expected);
      compare(found, expected, i);
      if (assignments)
        judgeAssignment(*assignments, block, found, expected.tables.front().at(i), i);
      ++check_.compared;
    }
    if (wrong_ > kMostWrongAnswers)
      check_.faults.push_back(
          {0, fmt::format("{} answers in all are wrong, of {} cases", wrong_, block.count)});
  }

private:
  void compare(const CaseAnswers &found, const CaseAnswers &expected, uint32_t i) {
    for (size_t t = 0; t < found.tables.size(); ++t) {
      const CaseTable &table = found.tables[t];
      for (size_t e = 0; e < table.size; ++e)
        if (!isRight(table.at(i, e), expected.tables[t].at(i, e), table.normalised) &&
            ++wrong_ <= kMostWrongAnswers)
          check_.faults.push_back(
              {0, fmt::format("entry {} of {} in case {} is {}, it should be {}", e, table.name, i,
                              textOf(table.at(i, e)), textOf(expected.tables[t].at(i, e)))});
    }
  }

  /// Accepts any assignment of the best value, because rounding may decide between them.
  void judgeAssignment(AssignmentJudge &judge, const CaseBlock &block, const CaseAnswers &found,
                       const ScaledNumber &best, uint32_t i) {
    if (best.sign() == 0)
      return;
    const uint32_t *const states = found.states.data() + size_t{i} * found.variables;
    const AssignmentLoss loss = judge.lossOf(block, i, states);
    if (loss.ln <= tolerance() * std::max(1.0, std::abs(best.ln())) || ++wrong_ > kMostWrongAnswers)
      return;
    const HeadVariable &variable = program_.variables[loss.variable.index()];
    check_.faults.push_back(
        {0,
         fmt::format("the assignment of case {} is not a best one: its value is {:.6g} of theirs, "
                     "above all by {}={}, where {} is better",
                     i, std::exp(-loss.ln), variable.name,
                     stateText(variable, states[loss.variable.index()]),
                     stateText(variable, loss.better))});
  }

  /// Returns the label of the state, or its number.
  static std::string stateText(const HeadVariable &variable, uint32_t state) {
    return state < variable.labels.size() ? variable.labels[state] : std::to_string(state);
  }

  double tolerance() const { return std::is_same_v<T, float> ? 1e-5 : 1e-12; }

  bool isRight(const ScaledNumber &found, const ScaledNumber &expected, bool isShare) const {
    if (isShare && expected.log2() < kLeastShareLog2)
      return true;
    if (found.sign() != expected.sign() || expected.sign() == 0)
      return found.sign() == expected.sign();
    // Signed terms may cancel, which loses digits.
    return std::abs(found.ln() - expected.ln()) <=
           tolerance() * (plan_.isSigned ? 1e4 : 1) * std::max(1.0, std::abs(expected.ln()));
  }

  static std::string textOf(const ScaledNumber &number) {
    if (number.sign() == 0)
      return "0";
    const bool isDouble = std::abs(number.ln()) < 700;
    return fmt::format("{}{}", number.sign() < 0 ? "-" : "",
                       isDouble ? fmt::format("{:.12g}", std::exp(number.ln()))
                                : fmt::format("exp({})", number.ln()));
  }

  const LaneProgram &program_;
  const CommonTables &common_;
  const LinearPlan &plan_;
  LaneCheck &check_;
  size_t wrong_ = 0;
};

/// Checks a kernel that launch(memory, plan) runs.
template <class T, class Launch>
LaneCheck checkAs(const LaneProgram &program, const LaneKernel &layout, const CaseBlock &block,
                  const Launch &launch) {
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, program.type);
  LaneMemory<T> memory(program, common, plan, layout, block);
  std::ranges::fill(memory.results, T{kNotWritten});
  std::ranges::fill(memory.exponents, kNotWritten);
  LaneCheck check;
  const Report report = launch(memory, plan);
  LaneJudge<T>(program, common, plan, check).judge(report, layout, memory, block);
  return check;
}

template <class Check> LaneCheck withTypeOf(const LaneProgram &program, const Check &check) {
  return program.type == ElementType::F32 ? check(float{}) : check(double{});
}

} // namespace

CaseBlock randomCases(const LaneProgram &program, uint32_t count, uint64_t seed) {
  const CaseSchema &schema = program.schema;
  std::mt19937_64 random(seed);
  CaseBlock block(schema, count);
  block.count = count;
  for (uint32_t i = 0; i < count; ++i)
    for (size_t c = 0; c < schema.observed.size(); ++c) {
      const uint32_t extent = schema.observed[c].extent;
      block.setCode(c, i, static_cast<uint32_t>(random() % 3 == 0 ? extent : random() % extent));
    }
  for (double &weight : block.weights()) {
    const int exponent = seed % 2 == 0 ? 0 : static_cast<int>(random() % 40) - 20;
    weight = random() % 5 == 0 ? 0 : std::ldexp(0.5 + unit(random) / 2, exponent);
  }
  return block;
}

LaneCheck checkLanes(Program &compiled, const LaneProgram &program, const LaneKernel &kernel,
                     const CaseBlock &block) {
  return withTypeOf(program, [&]<class T>(T) {
    return checkAs<T>(program, kernel, block, [&](LaneMemory<T> &memory, const LinearPlan &) {
      return runLanes(compiled, kernel, memory);
    });
  });
}

LaneCheck checkTeams(Program &compiled, const LaneProgram &program, const CaseBlock &block,
                     const TeamRun &run) {
  const CommonTables common(program);
  TeamProgram team = buildTeamProgram(program, planLinear(program, common, program.type));
  return withTypeOf(program, [&]<class T>(T) {
    return checkAs<T>(program, team.layout, block,
                      [&](LaneMemory<T> &memory, const LinearPlan &plan) {
                        return runTeams(compiled, team, plan, memory, run);
                      });
  });
}

void compareWithEmitted(const LaneProgram &program, const LaneCheck &emitted, LaneCheck &check) {
  std::vector<uint32_t> more;
  std::ranges::set_difference(check.left, emitted.left, std::back_inserter(more));
  if (!more.empty())
    check.faults.push_back(
        {0, fmt::format("case {} is left to other numbers, as are {} in all: the kernel that mpf "
                        "emits answers them",
                        more.front(), more.size())});
  // Both kernels choose the same one of several best assignments in f64, where rounding hardly
  // decides.
  const size_t variables = program.variables.size();
  for (size_t at = 0; at < check.states.size() && program.type == ElementType::F64; ++at) {
    const auto i = static_cast<uint32_t>(at / variables);
    // A case that either kernel left has no states.
    if (check.states[at] == emitted.states[at] || std::ranges::binary_search(check.left, i) ||
        std::ranges::binary_search(emitted.left, i))
      continue;
    check.faults.push_back({0, fmt::format("state of {} in case {} is {}, it should be {}",
                                           program.variables[at % variables].name, i,
                                           check.states[at], emitted.states[at])});
    break;
  }
}

} // namespace mpf::simt
