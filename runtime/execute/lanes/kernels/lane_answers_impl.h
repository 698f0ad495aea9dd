// Converts a strip's results to rows of answers, for every instruction set. Everything has internal
// linkage, as in lane_kernels_impl.h.
#pragma once

#include "runtime/execute/lanes/kernels/lane_kernels_impl.h"

namespace mpf {

namespace {

/// Writes the answers of a strip, some entries of all lanes at a time.
template <class Of, class T> struct AnswerRows {
  static constexpr size_t kLanes = Of::kLanes;
  static constexpr size_t kMostEntries = 8; ///< entries that are transposed at a time

  /// Computes entries [first, first + n) of all rows. Posteriors are divided by vectors.
  static void fill(const LaneAnswers<T> &a, const double *sums, size_t first, size_t n,
                   double (&rows)[kMostEntries][kLanes]) {
    for (size_t e = 0; e < n; ++e) {
      const T *const from = a.entries + a.addresses[first + e] * kLanes;
      if (a.normalised)
        for (size_t lane = 0; lane < kLanes; ++lane) {
          const double share = static_cast<double>(from[lane]) / sums[lane];
          rows[e][lane] = sums[lane] == 0 ? 0 : share;
        }
      else
        for (size_t lane = 0; lane < kLanes; ++lane)
          rows[e][lane] = static_cast<double>(from[lane]);
    }
  }

  /// Marks the lanes in which the share of an entry other than 0 is no normal double.
  static void leaveVanished(const LaneAnswers<T> &a, size_t first, size_t n,
                            const double (&rows)[kMostEntries][kLanes]) {
    constexpr double kLeastNormal = 0x1p-1022;
    for (size_t e = 0; e < n; ++e) {
      const T *const from = a.entries + a.addresses[first + e] * kLanes;
      for (size_t lane = 0; lane < a.count; ++lane) {
        const bool isSmall = rows[e][lane] < kLeastNormal && rows[e][lane] > -kLeastNormal;
        a.left[lane] |= isSmall && from[lane] != 0 ? 1 : 0;
      }
    }
  }

  /// Stores the entries. `N`: entries of an answer, so that its rows are contiguous; 0: any number.
  template <size_t N>
  static void store(const LaneAnswers<T> &a, size_t first, size_t n,
                    const double (&rows)[kMostEntries][kLanes]) {
    const size_t size = N == 0 ? a.size : N, entries = N == 0 ? n : N;
    for (size_t lane = 0; lane < a.count; ++lane)
      for (size_t e = 0; e < entries; ++e)
        a.to[lane * size + first + e] = rows[e][lane];
  }

  static void run(const LaneAnswers<T> &a) {
    double sums[kLanes] = {};
    for (size_t e = 0; e < a.size; ++e) {
      const T *const from = a.entries + a.addresses[e] * kLanes;
      for (size_t lane = 0; lane < kLanes; ++lane)
        sums[lane] += static_cast<double>(from[lane]);
    }
    for (size_t lane = 0; lane < a.count; ++lane)
      a.left[lane] |= sums[lane] - sums[lane] != 0 ? 1 : 0; // infinite, or no number
    double rows[kMostEntries][kLanes];
    for (size_t first = 0; first < a.size; first += kMostEntries) {
      const size_t n = a.size - first < kMostEntries ? a.size - first : kMostEntries;
      fill(a, sums, first, n, rows);
      if (a.mayVanish)
        leaveVanished(a, first, n, rows);
      switch (a.size) {
      case 1:
        store<1>(a, first, n, rows);
        break;
      case 2:
        store<2>(a, first, n, rows);
        break;
      case 3:
        store<3>(a, first, n, rows);
        break;
      case 4:
        store<4>(a, first, n, rows);
        break;
      default:
        store<0>(a, first, n, rows);
      }
    }
  }
};

} // namespace

} // namespace mpf
