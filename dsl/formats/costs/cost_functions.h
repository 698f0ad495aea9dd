// Cost functions -> Model, for the readers of .wcsp and .cfn. A weighted constraint satisfaction
// problem asks for an assignment whose sum of costs is least, or greatest, and within a bound. An
// infinite cost is forbidden. (Cooper, de Givry and Schiex 2020.)
//
// A forbidden cost becomes a finite one that no costs of other functions make up for: every
// assignment that has it costs the bound or more. An answer that is not within the bound therefore
// means that there is no solution.
#pragma once

#include "dsl/formats/network/network_builder.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Functions that report an error return false or nothing. Not thread-safe; the network must
/// outlive the object.
class CostFunctions {
public:
  explicit CostFunctions(NetworkBuilder &network) : network_(network) {}

  /// Sets the bound, before all other calls. A sum must be below it; with `maximises` costs are
  /// gains, and a sum must be above it.
  void setBound(double bound, bool maximises);

  /// Takes memory for this many functions.
  void reserve(uint64_t count);

  /// Begins a function over `scope`, whose variables the network has; messages point to `place`.
  /// No other function has the name. With `others`, this is the cost of the tuples that are not
  /// set, else `listable` numbers can follow in the text. Reports a variable that stands twice, and
  /// a table beyond the limits.
  bool begin(std::string name, std::vector<VarId> scope, SourceRange place,
             std::optional<double> others, uint64_t listable);
  const std::vector<VarId> &scope() const { return current_->scope; }
  /// The number of tuples of the function.
  uint64_t tuples() const { return current_->costs.size(); }
  /// Sets the cost of a tuple: its number with the last variable of the scope fastest. Reports one
  /// that was set before. An infinite cost is forbidden.
  bool set(uint64_t tuple, double cost, SourceRange at);
  /// Ends the function and returns its number.
  size_t end();
  /// Adds a function with the costs of another one. No other function has the name. Reports scopes
  /// of other extents.
  bool share(std::string name, std::vector<VarId> scope, size_t function, SourceRange place);

  /// Returns the Model with the query `cost`, whose answer is the optimum and an assignment;
  /// nothing if the network failed. Call it once.
  std::optional<Model> finish(NetworkCheck check);

private:
  struct Function {
    std::string name;
    std::vector<VarId> scope;
    SourceRange place;
    std::vector<double> costs;             ///< infinite: forbidden
    std::optional<size_t> sharedWith = {}; ///< has its costs
  };

  bool checkScope(const std::vector<VarId> &scope, SourceRange place);
  /// Returns the cost that stands for a forbidden one.
  double forbiddenCost() const;
  void addFactors();
  Query query(const Model &model) const;

  NetworkBuilder &network_;
  double bound_ = 0;
  bool maximises_ = false;
  std::vector<Function> functions_;
  std::optional<Function> current_;
  std::vector<bool> isSet_; ///< by tuple of the current function
};

} // namespace mpf
