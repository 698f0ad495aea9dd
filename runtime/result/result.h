// RESULT: everything one run of a query gives, as plain data. Scales are explicit: a probability of
// 1e-900 is a number here like any other. print_result.h and result_json.h are its text forms.
#pragma once

#include "dsl/support/evidence.h"
#include "dsl/support/integer_value.h"
#include "dsl/support/query_traits.h"
#include "dsl/support/scaled_number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// A table of results: one entry per assignment of its variables, last variable fastest. Without
/// variables: one number.
struct ResultTable {
  std::string name;
  std::vector<std::string> variables;
  std::vector<uint32_t> extents; ///< one per variable
  bool normalised = false;       ///< a posterior: entries sum to 1
  bool logValues = false;        ///< the query asked for natural logs (logsum): see at()
  bool logEntries = false;       ///< entries are log2 magnitudes
  std::vector<double> entries;   ///< value = entry * 2^exponent, or sign * 2^(entry + exponent)
  std::vector<int8_t> signs;     ///< log entries of signed tables; empty: all positive
  /// The exact entries of queries in u64 and u128; `entries` holds the nearest doubles. Empty for
  /// others.
  std::vector<Uint128> integerEntries;
  int64_t exponent = 0;

  /// Entry i. When logValues is set the query's answer is ln() of it.
  ScaledNumber at(size_t i) const;
};

/// An assignment that was decoded: one state per variable of the model, observed ones included.
struct ResultAssignment {
  std::vector<uint32_t> states;
};

struct ResultVariable {
  std::string name;
  uint32_t extent = 0;
  std::vector<std::string> labels; ///< empty: states are numbers
};

/// Time of one operation, for --profile.
struct ResultOperationTime {
  std::string name;
  std::string device;
  std::string path; ///< which kernels ran it
  bool log = false; ///< in the log domain
  double timeUs = 0;
  /// For a kernel that was chosen by measuring: how much faster it was then than the cost model's
  /// choice (1: it is that one), and of how many candidates. 0: no kernel was measured.
  double tunedGain = 0;
  uint32_t tunedCandidates = 0;
};

struct ResultTiming {
  std::string phase; ///< "plan", "bind", "run", "read", ...
  double timeUs = 0;
};

struct Result {
  std::string query;
  QueryKind kind = QueryKind::Evidence;
  std::vector<ResultVariable> variables; ///< as declared, with the model's numbers
  Evidence evidence;                     ///< the states that this run used
  std::vector<ResultTable> tables;
  /// Empty unless the query decodes; the best one first. With held variables (Query::output) one
  /// for each of their states, the last variable fastest; without states where the value is 0.
  std::vector<ResultAssignment> assignments;
  /// The evidence has probability zero: tables hold zeros, posteriors do not exist (no entries).
  /// With held variables: for every state of these. A posterior says nothing for a state for which
  /// the evidence, the first table, is zero.
  bool zeroProbability = false;
  /// Names of variables whose findings have probability zero together; empty: nobody looked.
  std::vector<std::string> conflict = {};
  std::string device;           ///< what ran it
  std::string deviceFault;      ///< why the CPU ran what a GPU was to run, which failed; else empty
  std::string element;          ///< "f64", "f32", "u64", "u128"
  uint64_t logOperations = 0;   ///< operations that ran in the log domain (profile runs only)
  uint64_t operationsInAll = 0; ///< operations of the program
  uint64_t operationsRun = 0;   ///< those that ran; results of the others were there already
  uint64_t peakBytes = 0;       ///< memory of all tables, as promised before the run
  uint64_t allocatedBytes = 0;  ///< what the executor took for them
  std::vector<ResultTiming> timings;
  std::vector<ResultOperationTime> operations; ///< profile runs only
};

} // namespace mpf
