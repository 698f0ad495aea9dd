// Times and rates by which engines for lists of cases are chosen
// (runtime/engine/list/choose_engine.h), as plain data. They are part of a machine's speed
// (machine_speed.h), which stores them. The defaults were measured on the machines that each
// comment names; `mpfc calibrate` keeps them.
#pragma once

namespace mpf {

/// Speed of lanes on the CPU. Rates are multiply-adds of a lane per microsecond, on one core.
struct CpuLaneRates {
  /// Measured with `mpf-bench cases` over alarm, hailfinder and win95pts, on cores with AVX2 and
  /// with AVX-512; the rates are between both. AVX-512 reaches 16500 to 21500 in F64. AVX2 was not
  /// measured again since calls of kernels became faster. Compiled steps (lanes/compiled) are not
  /// modelled: they take half the time, if they pay.
  double f64PerUs = 12500, f32PerUs = 17000;
  /// Rates if the messages of a strip exceed the cache of a core. Measured over andes, diabetes,
  /// munin4 and pigs: 4000 to 18000 with AVX-512.
  double farF64PerUs = 5500, farF32PerUs = 6500;
  double widePerUs = 24; ///< in numbers with separate exponents, over a chain of 30 variables
  /// Other times of a case: of its codes, and of each entry of its answers.
  double caseUs = 0.02, answerUs = 0.002;

  bool operator==(const CpuLaneRates &) const = default;
};

/// Speed of lanes on a GPU.
struct GpuLaneRates {
  /// Time from one step of a team to the next, because all its warps wait for each other. The 27
  /// steps of alarm take 30 us on an H200; the time over hailfinder on an H100 is 1.3 us.
  double teamStepUs = 1.1;
  /// Time that a worker of a team waits for each load of its share of a step
  /// (TeamWork::busiestWaits): of messages in device memory and in shared memory. Measured over 64
  /// cases of diabetes and munin1 on an H200, all marginals and best assignments: 0.034 to 0.06 us.
  /// The time for shared memory follows from the latencies of both memories.
  double farWaitUs = 0.045, nearWaitUs = 0.008;
  double decodedStateUs = 0.8; ///< time of each decoded state, measured likewise
  /// The part of that wait if a worker is a whole warp, because its lists of addresses are read
  /// once for 32 cases. Measured over 16384 cases of hailfinder and munin4 on an H200.
  double wholeWarpWaits = 0.5;
  /// The share of a multiprocessor's issue rate that kernels with a thread for each case reach. On
  /// an H200 it is 0.70 over hailfinder, 0.63 over alarm, 0.44 over child and win95pts; in F64 0.40
  /// to 0.70.
  double issuedShare = 0.54;
  double threadsOfSm = 512; ///< such threads on a multiprocessor; their registers bound it
  /// Emitted teams are this many times as fast as table-driven ones: insurance 4.8, water 1.7 on an
  /// H200.
  double emittedGain = 3;

  bool operator==(const GpuLaneRates &) const = default;
};

/// Processor time to plan an engine. It is that of `mpfc run` over one row less that of `mpfc
/// check`, over nine networks of 20 to 441 factors.
struct PlanningRates {
  double programUs = 4000, factorUs = 60; ///< of a program, and of each factor of the model
  double marginals = 1.5;                 ///< factor of the time for all marginals
  /// Factor of the time for lanes, which divide all operations once. Their further trials have a
  /// separate budget (codegen/lanes/lane_budget.h).
  double lanes = 1.5;

  bool operator==(const PlanningRates &) const = default;
};

/// Times of a run of a table program that answers cases, besides its operations.
struct CaseRunRates {
  /// Times to write and bind the input of cases, to read answers, and of the calls.
  double bindUsPerByte = 0.0005, tableUs = 0.8, readUsPerElem = 0.003, leastRunUs = 1;
  /// Time of a traceback on the host to look up an entry; most of it is a logarithm.
  double traceUsPerEntry = 0.003;

  bool operator==(const CaseRunRates &) const = default;
};

struct EngineRates {
  CpuLaneRates cpuLanes;
  GpuLaneRates gpuLanes;
  PlanningRates planning;
  CaseRunRates runs;

  bool operator==(const EngineRates &) const = default;
};

} // namespace mpf
