#include "runtime/schedule/placement/placement.h"

#include <algorithm>

namespace mpf {

bool TaskPlacement::uses(StepDevice device) const {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

} // namespace mpf
