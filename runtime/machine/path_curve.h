// The curve of a machine's speed that belongs to a way to run operations.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"
#include "runtime/machine/machine_speed.h"

namespace mpf {

/// Returns the curve of a path in linear arithmetic.
inline const TimeCurve &curveOf(CpuPath path, const CpuSpeed &speed) {
  switch (path) {
  case CpuPath::Entries:
    return speed.entries;
  case CpuPath::Rows:
    return speed.rows;
  case CpuPath::Tiles:
    return speed.tiles;
  }
  return speed.rows;
}

} // namespace mpf
