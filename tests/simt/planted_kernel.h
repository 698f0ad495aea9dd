// A small kernel with a fault planted in its text, for the SIMT checker.
#pragma once

#include "runtime/simt/simt_check.h"

#include <fmt/core.h>
#include <numeric>
#include <string>
#include <vector>

namespace mpf::simt {

/// A kernel over one float buffer `data`; its body is the text between the braces.
struct Planted {
  std::vector<float> data;
  Launch launch;
  Report report;
  std::string preamble;
  bool isReadOnly = false; ///< `data` is an operand

  void run(const std::string &body, uint32_t threads, uint64_t blocks = 1) {
    launch.gridBlocks = blocks;
    launch.blockThreads = threads;
    Program program(
        preamble + fmt::format("extern \"C\" __global__ void k(float *data) {{\n{}\n}}\n", body),
        {{"k", {"float *"}}});
    std::vector<Buffer> buffers = {
        {"data", std::as_writable_bytes(std::span(data)), false, isReadOnly}};
    const std::vector<Argument> arguments = {Argument::buffer(0)};
    report = program.run("k", launch, buffers, arguments);
  }
};

inline std::vector<float> counting(size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

} // namespace mpf::simt
