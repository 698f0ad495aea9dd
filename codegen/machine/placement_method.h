// PLACEMENT METHODS: the ways to spread the operations of a program over the devices that may run
// it (runtime/schedule/placement/placement.h). Options and texts name them.
#pragma once

#include <span>
#include <string_view>

namespace mpf {

enum class PlacementMethod { Auto, Cpu, Gpu, Greedy, Acceleration };

struct PlacementMethodName {
  PlacementMethod method;
  std::string_view name;
};
/// Returns every method with its name in options and texts.
std::span<const PlacementMethodName> placementMethods();
/// Returns the method of a name. Throws Error(Usage), which lists the known names, for others.
PlacementMethod placementMethodNamed(std::string_view name);
std::string_view placementMethodName(PlacementMethod method);

} // namespace mpf
