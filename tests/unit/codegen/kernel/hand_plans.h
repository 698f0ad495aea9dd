// Kernel plans made by hand for tests of the emitters: small, odd and canonical shapes.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <string>
#include <vector>

namespace mpf::test {

/// Fills in a plan axis by axis; strides and sizes follow. Axes are added grouped by role.
class PlanMaker {
public:
  PlanMaker(std::string name, NestKind kind, ElementType type, Semiring semiring,
            ValueForm form = ValueForm::Linear);

  size_t keep(uint64_t extent) { return addDigit(extent, false); }
  size_t reduce(uint64_t extent) { return addDigit(extent, true); }
  /// An operand over `digits`, row-major in that order.
  void operand(const std::vector<size_t> &digits, Placement placement);
  void result(const std::vector<size_t> &digits);
  uint32_t axis(AxisRole role, size_t digit, uint64_t extent, uint64_t step, uint32_t unroll = 1);
  /// Shared operands: padded strides of the tag axes in scope, in the order of their axes; parts of
  /// the fetch, slowest first; vectors.
  void segment(size_t operand, std::vector<uint64_t> strides, std::vector<FetchPart> fetch,
               uint32_t fetchVector, uint32_t fragmentVector);
  void product(uint32_t left, uint32_t right);
  NestPlan finish(uint32_t blockThreads, uint32_t minBlocks = 1);

  NestPlan plan;

private:
  size_t addDigit(uint64_t extent, bool reduced);
  DigitAccess access(const std::vector<size_t> &digits) const;
};

/// result(x,y) = sum over k of f(x,k) g(y,k): 256 threads, 8x8 outputs each, pages of 16 terms.
/// x and y multiples of 128, k of 16.
NestPlan pairTile(uint64_t x, uint64_t y, uint64_t k, ValueForm form = ValueForm::Linear);
/// result(x) = sum over k of f(x,k): 4 outputs a thread, k values of one output next to each other.
NestPlan oneStepStream(uint64_t x, uint64_t k, ElementType type);

} // namespace mpf::test
