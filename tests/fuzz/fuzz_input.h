// The common part of all harnesses: the fuzzer's bytes as a source text.
//
// A harness calls one reader and checks the rules that must hold for any bytes. Uncaught exceptions
// are findings: readers report to Diagnostics, and a failed MPF_CHECK is our bug.
#pragma once

#include "dsl/source/source_buffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace mpf {

inline std::shared_ptr<const SourceBuffer> fuzzSource(const uint8_t *data, size_t size) {
  return std::make_shared<const SourceBuffer>(
      "fuzz", std::string(reinterpret_cast<const char *>(data), size));
}

} // namespace mpf
