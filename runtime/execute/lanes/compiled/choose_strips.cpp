#include "runtime/execute/lanes/compiled/choose_strips.h"

#include "dsl/support/hash.h"
#include "runtime/execute/lanes/compiled/strip_cost.h"

#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// The most terms of a compiled step; in larger steps inner loops take all of the time.
constexpr double kMostStepTerms = 512;
/// The most terms of a function, because compile times grow faster than texts; and of a text, so
/// that several are compiled at one time.
constexpr double kMostSegmentTerms = 1500, kMostTextTerms = 3000;
/// The most entries of a gathered table, because the index of a row has 32 bits.
constexpr uint64_t kMostRowElems = uint64_t{1} << 30;

bool canBeWritten(const LaneProgram &program, const LaneStep &step) {
  const auto *gather = std::get_if<LaneGather>(&step);
  return gather == nullptr || program.tables[gather->table].sizeElems < kMostRowElems;
}

class StripChooser {
public:
  StripChooser(const StripTextParts &parts, std::vector<char> mayBeWritten, double expectedCases)
      : parts_(parts), isOther_(mayBeWritten.size()),
        strips_(std::ceil(expectedCases / static_cast<double>(parts.places.lanes))) {
    for (size_t i = 0; i < mayBeWritten.size(); ++i)
      isOther_[i] = mayBeWritten[i] == 0;
  }

  StripChoice choose() {
    chooseSteps();
    for (const StripSegment &segment : segments())
      add(segment);
    closeText();
    return std::move(choice_);
  }

private:
  double gainUs(size_t step) const {
    return (costs_[step].builtInNs - costs_[step].compiledNs) * strips_ * 1e-3;
  }

  void chooseSteps() {
    for (size_t i = 0; i < parts_.program.steps.size(); ++i) {
      const LaneStep &step = parts_.program.steps[i];
      costs_.push_back(stripStepCost(parts_.program, step, parts_.places));
      const bool pays = gainUs(i) > costs_[i].compileUs && costs_[i].terms <= kMostStepTerms;
      choice_.isWritten.push_back(!isOther_[i] && pays && canBeWritten(parts_.program, step));
    }
  }

  /// Returns runs of consecutive compiled steps.
  std::vector<StripSegment> segments() const {
    std::vector<StripSegment> found;
    double terms = 0;
    bool isOpen = false;
    for (size_t i = 0; i < choice_.isWritten.size(); ++i) {
      if (choice_.isWritten[i] == 0) {
        isOpen = false;
        continue;
      }
      if (!isOpen || terms + costs_[i].terms > kMostSegmentTerms) {
        found.push_back({i, i});
        terms = 0;
      }
      isOpen = true;
      terms += costs_[i].terms;
      found.back().end = i + 1;
    }
    return found;
  }

  void add(const StripSegment &segment) {
    double terms = 0;
    for (size_t i = segment.first; i < segment.end; ++i)
      terms += costs_[i].terms;
    if (terms_ != 0 && terms_ + terms > kMostTextTerms)
      closeText();
    terms_ += terms;
    text_.segments.push_back(segment);
    for (size_t i = segment.first; i < segment.end; ++i) {
      text_.compileUs += costs_[i].compileUs;
      text_.gainUs += gainUs(i);
    }
  }

  /// Writes the text of the segments so far, if it pays.
  void closeText() {
    StripText text = std::exchange(text_, {});
    terms_ = 0;
    text.compileUs += kStripTextUs;
    if (text.segments.empty())
      return;
    if (text.gainUs < text.compileUs) {
      for (const StripSegment &segment : text.segments)
        for (size_t i = segment.first; i < segment.end; ++i)
          choice_.isWritten[i] = 0;
      return;
    }
    choice_.texts.push_back(std::move(text));
  }

  const StripTextParts &parts_;
  std::vector<char> isOther_; ///< by step: whether another kernel runs it
  const double strips_;
  std::vector<StripStepCost> costs_; ///< by step
  StripText text_;                   ///< the current text
  double terms_ = 0;                 ///< terms of the current text
  StripChoice choice_;
};

} // namespace

StripChoice chooseStrips(const StripTextParts &parts, std::vector<char> mayBeWritten,
                         double expectedCases) {
  if (expectedCases <= 0)
    return {std::vector<char>(mayBeWritten.size(), 0), {}};
  StripChoice choice = StripChooser(parts, std::move(mayBeWritten), expectedCases).choose();
  const StepReaders readers(parts.program);
  for (StripText &text : choice.texts) {
    std::string functions;
    for (const StripSegment &segment : text.segments)
      functions +=
          stripFunction(parts, readers, segment, fmt::format("MPF_STEPS({})", segment.first)) +
          '\n';
    text.name = "strip_" + HashBuilder().add(functions).finish().hex().substr(0, 16);
    text.functions = fmt::format("#define MPF_STEPS(first) {}_##first\n\n{}#undef MPF_STEPS\n",
                                 text.name, functions);
  }
  return choice;
}

} // namespace mpf
