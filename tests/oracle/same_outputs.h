// Compares the outputs of two executors of a bundle: other tables may have been overwritten.
#pragma once

#include "runtime/execute/host/executor.h"

#include <cstring>
#include <gtest/gtest.h>

namespace mpf::oracle {

/// Expects the same bits and the same scale of every output.
inline void expectSameOutputs(const Bundle &bundle, const Executor &expected,
                              const Executor &actual) {
  for (const BundleOutput &output : bundle.outputs) {
    const TableView a = expected.table(output.buffer), b = actual.table(output.buffer);
    ASSERT_EQ(a.state.scale, b.state.scale) << output.name;
    ASSERT_EQ(a.state.form, b.state.form) << output.name;
    ASSERT_EQ(std::memcmp(a.entries, b.entries, a.sizeElems * elementBytes(bundle.type)), 0)
        << output.name;
  }
}

} // namespace mpf::oracle
