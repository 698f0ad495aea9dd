#include "codegen/machine/placement_method.h"

#include "dsl/support/check.h"

#include <string>

namespace mpf {

namespace {

constexpr PlacementMethodName kMethods[] = {
    {PlacementMethod::Auto, "auto"},
    {PlacementMethod::Cpu, "cpu"},
    {PlacementMethod::Gpu, "gpu"},
    {PlacementMethod::Greedy, "greedy"},
    {PlacementMethod::Acceleration, "acceleration"},
};

} // namespace

std::span<const PlacementMethodName> placementMethods() { return kMethods; }

PlacementMethod placementMethodNamed(std::string_view name) {
  std::string known;
  for (const PlacementMethodName &method : kMethods) {
    if (method.name == name)
      return method.method;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
  }
  fail(ErrorKind::Usage, "unknown schedule {}; known are {}", name, known);
}

std::string_view placementMethodName(PlacementMethod method) {
  for (const PlacementMethodName &each : kMethods)
    if (each.method == method)
      return each.name;
  MPF_UNREACHABLE("method {}", static_cast<int>(method));
}

} // namespace mpf
