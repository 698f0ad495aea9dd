#include "dsl/support/strided_operation.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

struct TestDigit {
  uint64_t extent = 1;
  bool reduced = false;
};
struct TestAccess {
  std::vector<uint64_t> stridesElems;
};
using TestOperation = StridedOperation<TestDigit, TestAccess>;

/// result(a, b) = sum over c of f(a, c) * g(c, b), extents 2, 3 and 5.
TestOperation matrixProduct() {
  TestOperation operation;
  operation.digits = {{2, false}, {3, false}, {5, true}};
  operation.operands = {{{5, 0, 1}}, {{0, 1, 3}}};
  operation.result = {{3, 1, 0}};
  return operation;
}

TEST(StridedOperation, CountsAddresses) {
  const TestOperation operation = matrixProduct();
  EXPECT_EQ(operation.keptCount(), 2u);
  EXPECT_EQ(operation.keptAddresses(), 6u);
  EXPECT_EQ(operation.reducedAddresses(), 5u);
  EXPECT_EQ(operation.addresses(), 30u);
  EXPECT_EQ(operation.lastOffset(operation.operands[0]), 9u);
  EXPECT_EQ(operation.lastOffset(operation.operands[1]), 14u);
  EXPECT_EQ(operation.lastOffset(operation.result), 5u);
  EXPECT_EQ(findDigitFault(operation), "");
}

TEST(StridedOperation, HasOneAddressWithoutDigits) {
  TestOperation operation;
  operation.operands = {{}};
  EXPECT_EQ(operation.addresses(), 1u);
  EXPECT_EQ(operation.lastOffset(operation.result), 0u);
  EXPECT_EQ(findDigitFault(operation), "");
}

TEST(StridedOperation, Saturates) {
  TestOperation operation = matrixProduct();
  operation.digits[0].extent = operation.digits[1].extent = uint64_t{1} << 40;
  EXPECT_EQ(operation.keptAddresses(), UINT64_MAX);
  EXPECT_EQ(operation.reducedAddresses(), 5u);
  operation.result.stridesElems[0] = UINT64_MAX / 2;
  EXPECT_EQ(operation.lastOffset(operation.result), UINT64_MAX);
}

TEST(StridedOperation, FaultsAreNamed) {
  const auto faultOf = [](auto change) {
    TestOperation operation = matrixProduct();
    change(operation);
    return findDigitFault(operation);
  };
  EXPECT_EQ(faultOf([](TestOperation &o) { o.digits[1].extent = 0; }), "digit 1 has extent 0");
  EXPECT_EQ(faultOf([](TestOperation &o) { o.digits[0].reduced = true; }),
            "kept digit 1 after a reduced one");
  EXPECT_EQ(faultOf([](TestOperation &o) { o.digits[0].extent = o.digits[2].extent = 1ull << 40; }),
            "the bucket has more than 2^64 addresses");
  EXPECT_EQ(faultOf([](TestOperation &o) { o.operands[1].stridesElems.pop_back(); }),
            "operand 1 has 2 strides for 3 digits");
  EXPECT_EQ(faultOf([](TestOperation &o) { o.result.stridesElems.push_back(0); }),
            "the result has 4 strides for 3 digits");
}

} // namespace
} // namespace mpf
