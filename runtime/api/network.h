// Models for host programs: read from a text or a file of any format, or built from arrays.
//
//   mpf::Network network;
//   network.addVariable("rain", {"no", "yes"});
//   network.addVariable("wet", {"no", "yes"});
//   network.addConditional("rain", {}, std::vector{0.8, 0.2});
//   network.addConditional("wet", {"rain"}, std::vector{0.9, 0.1, 0.2, 0.8});
//   network.observe("wet", "yes");
//   mpf::Program program = mpf::compile(network, {.query = "P(rain)"});
//
// Tables are row-major over their variables, the last one fastest; the child of a conditional table
// is its last variable. Names and labels are any texts of UTF-8 that are not empty.
//
// Errors: a function that throws Error leaves the network as it was. Error(BadInput): a wrong text,
// name or value. Error(Usage): a call that makes no sense in this network. Threads: any number may
// read a Network; one that changes it must be alone.
#pragma once

#include "dsl/support/error.h"
#include "dsl/support/expression/given_param.h"
#include "dsl/support/system/watch.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

/// A variable of a model or of a compiled program.
struct VariableInfo {
  std::string name;
  std::vector<std::string> labels; ///< of its states in their order; empty: they have numbers alone
  uint32_t states = 0;
  bool isObserved = false; ///< the evidence has its state; Session::observe can change that
};

/// A factor of a model.
struct FactorInfo {
  std::string name;
  std::vector<std::string> variables; ///< axes of its values, the last one fastest
  uint64_t sizeElems = 1;
  bool isConditional = false; ///< the last variable is the child of the others
  bool isInput = false;       ///< a session binds its values
  bool isLikelihood = false;  ///< soft evidence
};

/// A param of a model.
struct ParamInfo {
  std::string name;
  double value = 0;     ///< the first value if it is swept
  bool varies = false;  ///< cases may set it (ReadOptions::caseParams), or a param that it follows
  bool isSwept = false; ///< it has `swept` values, or follows from such a param
  std::vector<double> swept = {}; ///< values that make a case each
};

/// How a model is read.
struct ReadOptions {
  /// Network::parse: the ending of the text's format: ".mpf", ".bif", ".uai". Files are read by
  /// their own ending.
  std::string format = ".mpf";
  /// Values, sweeps and arrays of params by name, as `mpfc -D`. Formats without params:
  /// Error(Usage).
  std::map<std::string, GivenParam> params;
  /// Params that cases may set (CaseOptions::params).
  std::vector<std::string> caseParams;
  /// Divides each row of a conditional table that does not sum to 1 by its sum (mpfc --normalise).
  /// Without it, rows whose sum is within 0.01 of 1 are used unchanged. Other rows are
  /// Error(BadInput), except in .uai files, where they are used unchanged too.
  bool normalise = false;
  std::optional<std::string> evidence; ///< a UAI evidence file: variables by number
  /// The meaning of numbers in that file where labels look like numbers (mpfc --states): "labels",
  /// or "numbers" of states, from 0. Empty: a number that is a label and the number of another
  /// state is Error(BadInput).
  std::string states;
  /// Options that only some formats read, by their names in mpfc without the dashes: {"channel",
  /// "awgn:0.8"}, {"loci", "families.dat"}. Error(Usage): no file that is read has a use for one.
  std::map<std::string, std::string> formatOptions;
  Watch watch = {}; ///< sees and ends reading
};

/// A model that can be asked, changed and written. Copies share the tables.
class Network {
public:
  explicit Network(std::string_view name = "network");
  Network(const Network &);
  Network(Network &&) noexcept;
  Network &operator=(Network) noexcept;
  ~Network();

  /// Reads a text, or a file whose ending names its format. Files that it names are relative to the
  /// working folder. Errors are one Error(BadInput), whose message has all places.
  static Network parse(std::string_view text, const ReadOptions &options = {});
  static Network read(const std::string &path, const ReadOptions &options = {});
  /// Warnings of reading and building so far, each with its place, if it has one.
  const std::vector<std::string> &warnings() const;

  const std::string &name() const;
  /// Each list has the order in which its items were added. Auxiliary variables of noisy-max are
  /// left out.
  std::vector<VariableInfo> variables() const;
  std::vector<FactorInfo> factors() const;
  std::vector<ParamInfo> params() const;
  std::vector<std::string> queries() const; ///< names of the queries
  /// The values of a factor; nothing: an input without defaults, or values beyond doubles.
  std::optional<std::span<const double>> values(std::string_view factor) const;
  /// The observed states by variable. Throws Error(Usage) if the model lists cases.
  std::vector<std::pair<std::string, uint32_t>> observations() const;

  void addVariable(std::string_view name, uint32_t states);
  void addVariable(std::string_view name, const std::vector<std::string> &labels);
  void addFactor(std::string_view name, const std::vector<std::string> &variables,
                 std::span<const double> values);
  /// Adds P(child | parents), a factor of the name "P(child)". `normalise`: as in ReadOptions.
  void addConditional(std::string_view child, const std::vector<std::string> &parents,
                      std::span<const double> values, bool normalise = false);
  /// Adds a factor whose values sessions bind. `defaults` hold until then; empty: there are none.
  void addInput(std::string_view name, const std::vector<std::string> &variables,
                bool mayBeNegative = false, std::span<const double> defaults = {});
  /// Replaces the values of a factor, or the defaults of an input. Rows of a conditional table must
  /// sum to 1.
  void setValues(std::string_view factor, std::span<const double> values);

  /// Observe a state; it replaces what the network observes of the variable. States are numbered
  /// from 0. A text is always a label, even if it looks like a number.
  void observe(std::string_view variable, uint32_t state);
  void observe(std::string_view variable, std::string_view label);
  /// Adds soft evidence: a weight of each state, not negative and not all zero. It replaces what
  /// the network observes of the variable.
  void addLikelihood(std::string_view variable, std::span<const double> weights);
  /// Takes all evidence on a variable away.
  void unobserve(std::string_view variable);
  /// Replaces the queries, as texts of the language: "marginals", "P(a, b)", "Z = sum() f * g". The
  /// conditions of a single query become evidence of the network.
  void setQueries(const std::vector<std::string> &queries);

  /// Replaces the orders of the model by one in which planning eliminates these variables, the
  /// first one first. A query eliminates those of them that it sums or maximises over.
  void setOrder(const std::vector<std::string> &variables);

  /// The text of the model in the format of an ending: ".mpf", ".uai". Throws Error(Unsupported)
  /// for a model that the format cannot hold.
  std::string text(std::string_view ending) const;
  /// Writes a file, in the format of its ending, and its evidence beside it where the format keeps
  /// that apart. Returns a sentence on each thing that the format leaves out.
  std::vector<std::string> write(const std::string &path) const;

private:
  friend struct NetworkModel; // runtime/library/network_model.h
  struct State;
  explicit Network(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

/// Returns the name of a variable as texts of the language have it: in backquotes if it needs them.
std::string spelled(std::string_view name);

} // namespace mpf
