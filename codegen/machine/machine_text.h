// The text of a machine: lines of words (dsl/source/line_reader.h). The line of a device is
// followed by a line for each number and each curve of its speed.
//
//   machine
//   device cpu 0 present target="" open_us=0 table_bytes=none fault=""
//   cpu_wake_us 50
//   entries 0.004 0.037 0.012 0.044       (modelled and measured times of a curve, in turn)
//   link gpu 0 gpu 1 us=30 bytes_per_us=390000                         (after all devices)
#pragma once

#include "codegen/machine/machine.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// Returns the text of a sound machine. Reading it returns an equal machine.
std::string printMachine(const Machine &machine);

/// Reads and verifies a machine. Reports what is wrong with the text. Returns none if
/// `diagnostics` has errors.
std::optional<Machine> readMachine(std::shared_ptr<const SourceBuffer> buffer,
                                   Diagnostics &diagnostics);

} // namespace mpf
