#include "codegen/emit/nest/fragment.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

bool Fragment::contains(size_t axis) const {
  return std::any_of(axes.begin(), axes.end(),
                     [&](const FragmentAxis &part) { return part.axis == axis; });
}

Fragment layOutFragment(std::vector<std::pair<size_t, uint64_t>> axes,
                        const std::vector<uint64_t> &extents, uint32_t vector) {
  std::stable_sort(axes.begin(), axes.end(),
                   [](const auto &a, const auto &b) { return a.second < b.second; });
  Fragment fragment;
  fragment.vector = vector;
  MPF_CHECK(vector > 0, "a fragment over {} axes in vectors of no entry", axes.size());
  for (const auto &[axis, stride] : axes) {
    MPF_CHECK(axis < extents.size(), "axis {} of {}", axis, extents.size());
    fragment.axes.push_back({axis, stride, fragment.sizeElems});
    if (stride == fragment.sizeElems && fragment.runAxes + 1 == fragment.axes.size()) {
      ++fragment.runAxes;
      fragment.runElems *= extents[axis];
    }
    fragment.sizeElems *= extents[axis];
  }
  MPF_CHECK(fragment.runElems % vector == 0, "vectors of {} entries in a run of {}", vector,
            fragment.runElems);
  return fragment;
}

} // namespace mpf
