#include "runtime/execute/cpu/row_permute.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

size_t reachOf(std::span<const uint64_t> offsets) {
  return offsets.empty() ? 0 : *std::max_element(offsets.begin(), offsets.end()) + 1;
}

} // namespace

bool areNear(std::span<const uint64_t> offsets, size_t lanes) {
  if (lanes == 0 || offsets.size() < lanes)
    return false;
  for (size_t begin = 0; begin < offsets.size(); begin += lanes) {
    const auto vector = offsets.subspan(begin, std::min(lanes, offsets.size() - begin));
    const auto [least, greatest] = std::minmax_element(vector.begin(), vector.end());
    if (*greatest - *least >= 2 * lanes)
      return false;
  }
  return true;
}

template <class T>
RowPermute<T>::RowPermute(size_t mostElems) : starts_(mostElems), lanes_(mostElems) {}

template <class T>
bool RowPermute<T>::plan(const CpuKernels<T> &kernels, std::span<const uint64_t> offsets,
                         size_t shortElems) {
  kernels_ = nullptr;
  MPF_CHECK(offsets.size() <= lanes_.size(), "a row of {} entries, at most {}", offsets.size(),
            lanes_.size());
  const size_t width = kernels.pickLanes;
  if (!areNear(offsets, width))
    return false;
  even_ = true;
  lanesReach_ = 0;
  for (size_t begin = 0; begin < offsets.size(); begin += width) {
    const auto vector = offsets.subspan(begin, std::min(width, offsets.size() - begin));
    const uint64_t start = *std::min_element(vector.begin(), vector.end());
    starts_[begin / width] = start;
    for (size_t lane = 0; lane < vector.size(); ++lane) {
      const uint64_t behind = vector[lane] - start;
      lanes_[begin + lane] = static_cast<PickLane<T>>(behind);
      lanesReach_ = std::max<size_t>(lanesReach_, behind + 1);
      even_ &= lanes_[begin + lane] == lanes_[lane];
    }
    std::fill(lanes_.data() + begin + vector.size(), lanes_.data() + begin + width, PickLane<T>{0});
  }
  wholeElems_ = offsets.size();
  wholeReach_ = reachOf(offsets);
  shortReach_ = reachOf(offsets.first(shortElems));
  kernels_ = &kernels;
  return true;
}

template <class T> void RowPermute<T>::copy(const T *from, size_t n, T *to) const {
  PickArgs<T> p;
  p.from = from;
  p.readable = n == wholeElems_ ? wholeReach_ : shortReach_;
  p.starts = starts_.data();
  p.lanes = lanes_.data();
  p.even = even_;
  p.lanesReach = lanesReach_;
  p.n = n;
  p.to = to;
  kernels_->pick(p);
}

template class RowPermute<double>;
template class RowPermute<float>;

} // namespace mpf
