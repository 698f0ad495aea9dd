// The programs that can run from device memory, and the places of their tables.
#include "runtime/session/device_tables.h"

#include "tests/oracle/bundle_builder.h"
#include "tests/support/error_kind.h"

#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

/// sum over a of f(a, b) g(a): a table over b, in either order of a joint one.
Bundle smallBundle() {
  oracle::BundleBuilder builder;
  const VarId a = builder.variable(3), b = builder.variable(2), c = builder.variable(4);
  const Semiring semiring{Reduce::Sum, Combine::Times};
  const BufferId f = builder.input({a, b, c}, std::vector<double>(24, 0.5));
  const BufferId g = builder.input({a}, std::vector<double>(3, 0.25));
  const BufferId table = builder.operation(semiring, {f, g}, {b, c});
  builder.output(table);
  builder.output(table, true);
  Bundle bundle = builder.finish();
  std::swap(bundle.outputs[1].scope[0], bundle.outputs[1].scope[1]);
  bundle.inputs[0].factor = "f";
  bundle.inputs[1].factor = "g";
  return bundle;
}

TEST(DeviceTables, StandOneBehindTheOther) {
  const Bundle bundle = smallBundle();
  const DeviceTables tables = deviceTablesOf(bundle, {"g", "f"});
  EXPECT_EQ(tables.inputs, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(tables.factors, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(tables.layout.factors[0].sizeElems, 3u);
  EXPECT_EQ(tables.layout.factors[1].sizeElems, 24u);
  ASSERT_EQ(tables.layout.tables.size(), 2u);
  EXPECT_EQ(tables.layout.tables[1].firstElem, 8u);
  EXPECT_EQ(tables.layout.resultElems, 16u);
  EXPECT_EQ(tables.layout.tables[0].variables[0], tables.layout.tables[1].variables[1]);
  EXPECT_TRUE(tables.layout.tables[1].isPosterior);
  EXPECT_EQ(deviceTablesOf(bundle, {}).layout.factors.size(), 0u);
}

TEST(DeviceTables, AFactorMayBeSeveralInputs) {
  Bundle bundle = smallBundle();
  bundle.inputs[1].factor = "f";
  bundle.inputs[1].scope = bundle.inputs[0].scope;
  const DeviceTables tables = deviceTablesOf(bundle, {"f"});
  EXPECT_EQ(tables.layout.factors.size(), 1u);
  EXPECT_EQ(tables.factors, (std::vector<uint32_t>{0, 0}));
}

TEST(DeviceTables, WhatNeedsTheHostIsRefused) {
  const std::function<void(Bundle &)> changes[] = {
      [](Bundle &bundle) { bundle.type = ElementType::U64; },
      [](Bundle &bundle) { bundle.kind = QueryKind::Mpe; },
      [](Bundle &bundle) { bundle.answer.emplace(); },
      [](Bundle &bundle) { bundle.buffers[0].packed = true; },
      [](Bundle &bundle) { bundle.buffers[bundle.outputs[0].buffer.index()].packed = true; },
  };
  for (const auto &change : changes) {
    Bundle bundle = smallBundle();
    change(bundle);
    EXPECT_EQ(errorKindOf([&] { deviceTablesOf(bundle, {"f"}); }), ErrorKind::Unsupported)
        << &change - changes;
  }
  EXPECT_EQ(errorKindOf([] { deviceTablesOf(smallBundle(), {"h"}); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([] { deviceTablesOf(smallBundle(), {"f", "g", "f"}); }), ErrorKind::Usage);
}

} // namespace
} // namespace mpf
