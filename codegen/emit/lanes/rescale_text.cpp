#include "codegen/emit/lanes/rescale_text.h"

#include <fmt/core.h>

namespace mpf {

std::string magnitudeText(const LinearPlan &plan, const std::string &entry,
                          const std::string &name) {
  return plan.isSigned ? fmt::format("mpfAbs<{}>({})", entry, name) : name;
}

std::string greatestText(const LinearPlan &plan, const std::string &entry,
                         const std::vector<std::string> &names) {
  std::string greatest = magnitudeText(plan, entry, names.front());
  for (size_t i = 1; i < names.size(); ++i)
    greatest =
        fmt::format("mpfMax<{}>({}, {})", entry, greatest, magnitudeText(plan, entry, names[i]));
  return greatest;
}

/// Returns the text of the condition that an entry other than 0 is too far below the greatest. It
/// subtracts 1 from unsigned magnitudes, so that 0 becomes the greatest number and does not count.
static std::string leavesText(const LinearPlan &plan, const std::string &entry, uint32_t message,
                              const std::vector<std::string> &names) {
  std::string least;
  for (const std::string &name : names) {
    const std::string one =
        fmt::format("mpfMagnitude<{}, {}>({}) - 1u", entry, plan.isSigned, name);
    least = least.empty() ? one : fmt::format("mpfLesser({}, {})", least, one);
  }
  return fmt::format("{} < mpfFloor<{}>(g{}, {}) - 1u", least, entry, message, plan.orders);
}

std::vector<std::string> rescalingLines(const LinearPlan &plan, const std::string &entry,
                                        uint32_t message, const std::vector<std::string> &names) {
  std::vector<std::string> lines = {
      fmt::format("const {} g{} = {};", entry, message, greatestText(plan, entry, names)),
      fmt::format("left |= {};", leavesText(plan, entry, message, names)),
      fmt::format("int x{};", message),
      fmt::format("const {0} f{1} = mpfRescaling<{0}>(g{1}, {2}, x{1});", entry, message,
                  plan.greatestExponent),
      fmt::format("left |= f{0} != f{0};", message)}; // maxima drop what is no number
  for (const std::string &name : names)
    lines.push_back(fmt::format("{} *= f{};", name, message));
  return lines;
}

} // namespace mpf
