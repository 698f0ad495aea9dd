#include "codegen/emit/lanes_in_text.h"

#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "codegen/emit/marked_text.h"
#include "dsl/source/line_reader.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace mpf {

namespace {

/// Visits the numbers of the limits with their names in the text.
template <class Limits, class Visit> bool forEachLimit(Limits &limits, const Visit &visit) {
  return visit("terms", limits.threads.terms) &&
         visit("thread_shared_bytes", limits.threads.sharedBytes) &&
         visit("thread_sm_bytes", limits.threads.sharedBytesPerSm) &&
         visit("near_elems", limits.teams.nearMessageElems) &&
         visit("statements", limits.teams.statements) &&
         visit("team_shared_bytes", limits.teams.sharedBytes) &&
         visit("team_sm_bytes", limits.teams.sharedBytesPerSm);
}

} // namespace

std::string lanesInText(const LaneProgram &program, const LaneLimitsOfDevice &limits) {
  std::string text = "limits";
  forEachLimit(limits, [&text](const char *name, uint64_t value) {
    text += fmt::format(" {}={}", name, value);
    return true;
  });
  return markLines(text + "\n" + printLaneProgram(program));
}

std::optional<DescribedLanes> readLanesInText(const SourceBuffer &cudaText,
                                              Diagnostics &diagnostics) {
  std::string lines = markedLines(cudaText.text());
  DescribedLanes described;
  LineReader reader(std::make_shared<const SourceBuffer>(cudaText.name(), lines), diagnostics);
  if (!reader.next() || reader.keyword().text != "limits") {
    diagnostics.error(reader.here(),
                      "expected the limits of a kernel of lanes: 'limits terms=...'");
    return std::nullopt;
  }
  const bool isRead = forEachLimit(described.limits, [&reader](const char *name, uint64_t &value) {
    const std::optional<uint64_t> given = reader.takeUnsignedKey(name, UINT64_MAX);
    value = given.value_or(0);
    return given.has_value();
  });
  if (!isRead || !reader.expectEndOfLine())
    return std::nullopt;
  // The reader of programs gets only the program's lines, at their places in the text.
  const size_t begin = reader.keyword().range.begin;
  lines.replace(begin, lines.find('\n', begin) - begin, "");
  auto programs = readLanePrograms(
      std::make_shared<const SourceBuffer>(cudaText.name(), std::move(lines)), diagnostics);
  if (!programs)
    return std::nullopt;
  if (programs->size() != 1) {
    diagnostics.error((*programs)[1].place, "a kernel of lanes answers one program, there are {}",
                      programs->size());
    return std::nullopt;
  }
  described.program = std::move(programs->front().program);
  described.place = programs->front().place;
  return described;
}

std::string_view withoutLanesInText(std::string_view cudaText) {
  size_t end = cudaText.size();
  while (end != 0) {
    const size_t lineFeed = cudaText.rfind('\n', end - 1 == 0 ? 0 : end - 2);
    const size_t begin = lineFeed == cudaText.npos ? 0 : lineFeed + 1;
    const std::string_view line = cudaText.substr(begin, end - begin);
    if (!line.starts_with("// query ") && !hasMarkedLines(line))
      break;
    end = begin;
  }
  const bool hasReturn = cudaText.find('\r', end) != cudaText.npos;
  return hasReturn ? cudaText : cudaText.substr(0, end);
}

} // namespace mpf
