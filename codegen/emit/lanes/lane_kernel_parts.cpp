#include "codegen/emit/lanes/lane_kernel_parts.h"

#include "codegen/emit/nest/preambles.h"
#include "dsl/support/hash.h"
#include "dsl/support/identifier.h"

#include <algorithm>
#include <span>

namespace mpf {

extern const std::string_view kLanePreamble;

/// Returns all columns of the schema. Columns that the program reads come first, in the order of
/// its reads: codes that pick one row are neighbours and mostly share a word.
///
/// The other columns belong to variables that an explicit query does not use. They still need a
/// place: a device that gets unconverted rows checks all their bytes, and the writer of words
/// stores every code.
static std::vector<uint32_t> codeOrder(const LaneProgram &program) {
  std::vector<uint32_t> order;
  const auto add = [&order](uint32_t column) {
    if (std::find(order.begin(), order.end(), column) == order.end())
      order.push_back(column);
  };
  for (const LaneStep &step : program.steps)
    if (const auto *gather = std::get_if<LaneGather>(&step))
      for (const LaneCode &code : gather->codes)
        add(code.column);
  for (uint32_t column = 0; column < program.schema.observed.size(); ++column)
    add(column);
  return order;
}

void describeLaneKernel(const LaneProgram &program, const LinearPlan &plan, LaneKernel &kernel) {
  kernel.codeOrder = codeOrder(program);
  kernel.codesPerWord = 4 / codeBytesFor(program.schema);
  for (uint32_t o = 0; o < program.outputs.size(); ++o) {
    const LaneOutput &output = program.outputs[o];
    kernel.resultElems += output.sizeElems();
    if (!output.normalised && plan.hasExponent[output.access.table] != 0)
      kernel.exponentOutputs.push_back(o);
  }
}

namespace {

/// The text between the part that all kernels of lanes share and the kernel's name.
constexpr std::string_view kNaming = "\n#define MPF_LANES ";

std::string commonStart() {
  return fmt::format("{}{}{}", preambleText({}), kLanePreamble, kNaming);
}

std::string nameOf(std::string_view body) {
  HashBuilder hash;
  hash.addBytes(std::as_bytes(std::span(body)));
  return fmt::format("lanes_{:016x}", hash.finish().low);
}

} // namespace

std::string shareText(const std::string &entry, const std::string &share, const std::string &type,
                      bool mayVanish) {
  const std::string product = entry + " * " + share;
  return mayVanish ? fmt::format("{0} != 0 && {1} == 0 ? MpfReal<{2}>::fromBits(1) : {1}", entry,
                                 product, type)
                   : product;
}

void nameLaneKernel(LaneKernel &kernel, const std::string &body) {
  kernel.name = nameOf(body);
  kernel.source = fmt::format("{}{}\n{}", commonStart(), kernel.name, body);
}

size_t laneHeadBytes(std::string_view text) {
  const std::string_view name = laneKernelName(text);
  return name.empty() ? 0 : static_cast<size_t>(name.end() - text.begin()) + 1;
}

std::string_view laneKernelName(std::string_view text) {
  const std::string start = commonStart();
  if (!text.starts_with(start))
    return {};
  text.remove_prefix(start.size());
  const std::string_view name = text.substr(0, std::min(text.find('\n'), text.size()));
  return isIdentifier(name) && name.size() < text.size() ? name : std::string_view();
}

bool isNamedLaneText(std::string_view text) {
  const size_t head = laneHeadBytes(text);
  return head != 0 && nameOf(text.substr(head)) == laneKernelName(text);
}

} // namespace mpf
