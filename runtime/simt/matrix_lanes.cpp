#include "runtime/simt/matrix_lanes.h"

#include <cmath>

namespace mpf::simt {

namespace {
constexpr int kColumns = 8;

struct Place {
  int row, column;
};
Place placeOfA(int lane, int i) { return {lane / 4 + 8 * (i % 2), lane % 4 + 4 * (i / 2)}; }
Place placeOfB(int lane, int i) { return {lane % 4 + 4 * i, lane / 4}; }
Place placeOfC(int lane, int i) { return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2}; }
} // namespace

bool multiplyMatrix(const std::vector<const SimtMatrixLane *> &lanes) {
  const int rows = lanes.front()->rows, terms = lanes.front()->terms;
  if (lanes.size() != 32)
    return false;
  std::vector<double> a(static_cast<size_t>(rows * terms)),
      b(static_cast<size_t>(terms * kColumns));
  for (int lane = 0; lane < 32; ++lane) {
    const SimtMatrixLane &registers = *lanes[static_cast<size_t>(lane)];
    if (registers.rows != rows || registers.terms != terms)
      return false;
    for (int i = 0; i < rows * terms / 32; ++i) {
      const Place at = rows == 8 ? Place{lane / 4, lane % 4} : placeOfA(lane, i);
      a[static_cast<size_t>(at.row * terms + at.column)] = registers.a[i];
    }
    for (int i = 0; i < terms * kColumns / 32; ++i) {
      const Place at = placeOfB(lane, i);
      b[static_cast<size_t>(at.row * kColumns + at.column)] = registers.b[i];
    }
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < rows * kColumns / 32; ++i) {
      const Place at = placeOfC(lane, i);
      double &sum = lanes[static_cast<size_t>(lane)]->c[i];
      for (int term = 0; term < terms; ++term)
        sum = std::fma(a[static_cast<size_t>(at.row * terms + term)],
                       b[static_cast<size_t>(term * kColumns + at.column)], sum);
    }
  return true;
}

} // namespace mpf::simt
