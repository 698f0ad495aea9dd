// RESULT: everything that one run of a query returns, as plain data. Scales are explicit, so a
// probability of 1e-900 needs no special treatment. print_result.h and result_json.h print it.
#pragma once

#include "dsl/support/evidence.h"
#include "dsl/support/integer_value.h"
#include "dsl/support/query_traits.h"
#include "dsl/support/scaled_number.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// A table of results: one entry per assignment of its variables, last variable fastest. A table
/// without variables is one number.
struct ResultTable {
  std::string name;
  std::vector<std::string> variables;
  std::vector<uint32_t> extents; ///< one per variable
  bool normalised = false;       ///< true for a posterior: entries sum to 1
  /// `P(x | y)`: the number of variables y, which come first. The entries sum to 1 for each joint
  /// state of y, or are 0 if that has probability 0, so that there is no posterior. 0: all entries
  /// together sum to 1.
  uint32_t rowVariables = 0;
  bool logValues = false;      ///< true for `logsum` queries: the answer is the logarithm of at()
  bool logEntries = false;     ///< whether `entries` holds log2 of magnitudes
  std::vector<double> entries; ///< value = entry * 2^exponent, or sign * 2^(entry + exponent)
  std::vector<int8_t> signs;   ///< signs of log entries; empty: all positive
  /// Exact entries of queries in u64 and u128, where `entries` holds the nearest doubles; else
  /// empty.
  std::vector<Uint128> integerEntries;
  int64_t exponent = 0;
  /// With rowVariables: 1 for each row without posterior. Empty: there are no such rows.
  std::vector<char> undefinedRows;

  /// Returns the value of entry i. If logValues is set, the answer of the query is its ln().
  ScaledNumber at(size_t i) const;
  /// Returns the number of entries that sum to 1 if the table is normalised.
  size_t rowElems() const;
  /// Whether the row of entry i has no posterior, because its conditions have probability 0.
  bool isUndefined(size_t i) const;
};

/// A best assignment: one state per variable of the model, observed variables included.
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
  std::string path; ///< the kind of kernel that ran it
  bool log = false; ///< whether it ran in the log domain
  double timeUs = 0;
  /// Time of the cost model's choice over that of this kernel, when candidates were measured; 1: it
  /// is the model's choice; 0: no kernel was measured.
  double tunedGain = 0;
  uint32_t tunedCandidates = 0; ///< number of measured candidates
};

struct ResultTiming {
  std::string phase; ///< "plan", "bind", "run", "read", ...
  double timeUs = 0;
};

/// A variable and the label of a state.
struct NamedState {
  std::string_view variable, label;
};

struct Result {
  std::string query;
  QueryKind kind = QueryKind::Evidence;
  std::vector<ResultVariable> variables; ///< declared variables, numbered as in the model
  Evidence evidence;                     ///< the states that this run used
  std::vector<ResultTable> tables;
  /// Best assignments, the best one first; empty for queries that ask for none. With held variables
  /// (Query::output) there is one for each of their joint states, the last variable fastest. An
  /// assignment whose value is 0 has no states.
  std::vector<ResultAssignment> assignments;
  /// True if the evidence has probability zero: tables hold zeros, posteriors have no entries. With
  /// held variables: true if that holds for every state of these. A posterior is undefined for a
  /// state whose evidence, the first table, is zero.
  bool zeroProbability = false;
  /// Names of variables whose findings have probability zero together; empty: not searched for.
  std::vector<std::string> conflict = {};
  std::string device;           ///< the device that ran the query
  std::string deviceFault;      ///< why a GPU failed, if the CPU replaced it; else empty
  std::string element;          ///< "f64", "f32", "u64", "u128"
  uint64_t logOperations = 0;   ///< operations that ran in the log domain (profile runs only)
  uint64_t operationsInAll = 0; ///< operations of the program
  uint64_t operationsRun = 0;   ///< operations that ran; the others had results of earlier runs
  uint64_t peakBytes = 0;       ///< memory of all tables, as predicted before the run
  uint64_t allocatedBytes = 0;  ///< memory that the executor allocated for tables
  std::vector<ResultTiming> timings;
  std::vector<ResultOperationTime> operations; ///< profile runs only

  /// Returns the number of a query with one number, also that beside the posteriors of marginals.
  ScaledNumber number() const;
  /// Returns the table with these variables, in any order. Throws Error(Usage) if there is none.
  const ResultTable &table(std::span<const std::string_view> names) const;
  /// Returns the entry for these states: one for each variable of a table, in any order. A variable
  /// without a posterior, because it is observed, has 1 for the observed state and 0 for others. A
  /// variable without labels calls its states "0", "1", ... Throws Error(Usage) for other
  /// names, and for an entry without posterior (ResultTable::isUndefined).
  ScaledNumber at(std::string_view variable, std::string_view label) const;
  ScaledNumber at(const std::vector<NamedState> &states) const;
  /// Returns the label, or the number, of a variable's state in an assignment. Throws Error(Usage).
  std::string stateOf(std::string_view variable, size_t assignment = 0) const;
};

} // namespace mpf
