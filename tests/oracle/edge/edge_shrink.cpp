#include "tests/oracle/edge/edge_shrink.h"

#include "codegen/simplify/simplify_pipeline.h"
#include "dsl/model/verify_model.h"
#include "tests/oracle/edge/edge_reduce.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mpf::oracle {

namespace {

class Shrinker {
public:
  Shrinker(EdgeCase edge, const EdgeFails &fails, size_t attempts)
      : edge_(std::move(edge)), fails_(fails), attempts_(attempts) {}

  EdgeCase run() {
    do {
      changed_ = false;
      runs();
      options();
      factors();
      variables();
      states();
      evidence();
      values();
    } while (changed_ && attempts_ > 0);
    return std::move(edge_);
  }

private:
  /// Takes the case that `change` makes, if it fails too.
  template <class Change> bool attempt(const Change &change) {
    if (attempts_ == 0)
      return false;
    EdgeCase smaller = edge_;
    change(smaller);
    if (!isValid(smaller))
      return false;
    --attempts_;
    if (!fails_(smaller))
      return false;
    edge_ = std::move(smaller);
    return changed_ = true;
  }

  static bool isValid(const EdgeCase &edge) {
    for (size_t run = 0; run < edge.runs(); ++run)
      if (!findModelFault(edge.modelOf(run)).empty())
        return false;
    return (!edge.options.finalTables || !edge.changesTables()) &&
           (edge.options.path != EdgePath::Text || hasText(edge.model, edge.query));
  }

  void runs() {
    for (size_t i = edge_.later.size(); i-- > 0;)
      attempt([i](EdgeCase &edge) {
        edge.later.erase(edge.later.begin() + static_cast<std::ptrdiff_t>(i));
      });
    if (!edge_.later.empty()) // a later run alone
      attempt([](EdgeCase &edge) {
        edge.model = edge.later.back();
        edge.later.clear();
      });
  }

  template <class Field> void toDefault(Field EdgeOptions::*field) {
    const EdgeOptions simplest;
    if (edge_.options.*field != simplest.*field)
      attempt([&](EdgeCase &edge) { edge.options.*field = simplest.*field; });
  }

  void options() {
    toDefault(&EdgeOptions::gpu);
    toDefault(&EdgeOptions::specialisedKernels);
    toDefault(&EdgeOptions::compiled);
    toDefault(&EdgeOptions::path);
    toDefault(&EdgeOptions::memoryShare);
    toDefault(&EdgeOptions::slicedVariables);
    toDefault(&EdgeOptions::threads);
    toDefault(&EdgeOptions::verifySamples);
    toDefault(&EdgeOptions::forcedLog);
    toDefault(&EdgeOptions::type);
    if (edge_.later.empty()) // sessions keep messages
      toDefault(&EdgeOptions::keep);
    if (edge_.options.finalTables)
      attempt([](EdgeCase &edge) {
        edge.options.finalTables = edge.options.finalEvidence = false;
        edge.options.offPasses.clear();
      });
    toDefault(&EdgeOptions::finalEvidence);
    if (edge_.options.finalTables && edge_.options.path != EdgePath::Text)
      offPasses();
    for (size_t i = 0; i < edge_.input.size(); ++i)
      if (edge_.input[i])
        attempt([i](EdgeCase &edge) { edge.input[i] = 0; });
  }

  /// Turns passes off: the fewer are left, the clearer which of them the failure needs.
  void offPasses() {
    for (const SimplifyPass &pass : simplifyPasses()) {
      const auto &off = edge_.options.offPasses;
      if (std::find(off.begin(), off.end(), pass.name) == off.end())
        attempt([&pass](EdgeCase &edge) { edge.options.offPasses.emplace_back(pass.name); });
    }
  }

  void factors() {
    for (size_t i = edge_.model.factors.size(); i-- > 0;)
      attempt([i](EdgeCase &edge) { dropFactor(edge, i); });
  }

  void variables() {
    for (size_t i = edge_.model.variables.size(); i-- > 0;)
      for (uint32_t s = 0; s < edge_.model.variables[i].extent; ++s)
        if (edge_.model.variables.size() > 1 &&
            attempt([i, s](EdgeCase &edge) { fixVariable(edge, i, s); }))
          break;
    const bool reduces =
        edge_.query.kind != QueryKind::Expression || !edge_.query.reductions.empty();
    for (size_t i = edge_.query.output.size(); reduces && i-- > 0;)
      attempt([i](EdgeCase &edge) { dropOutput(edge, i); });
  }

  void states() {
    for (size_t i = edge_.model.variables.size(); i-- > 0;)
      for (uint32_t s = edge_.model.variables[i].extent; s-- > 0;)
        if (edge_.model.variables[i].extent > 1)
          attempt([i, s](EdgeCase &edge) { dropState(edge, i, s); });
  }

  void evidence() {
    for (size_t i = edge_.model.evidence.findings.size(); i-- > 0;)
      attempt([i](EdgeCase &edge) { dropEvidence(edge, i); });
  }

  /// Returns the nearest power of two below; subnormal and infinite values stay.
  static double powerBelow(double value) {
    return std::isnormal(value) ? std::copysign(std::ldexp(1.0, std::ilogb(value)), value) : value;
  }

  void values() {
    for (size_t run = 0; run < edge_.runs(); ++run)
      for (size_t f = 0; f < edge_.model.factors.size(); ++f) {
        std::vector<double> distinct = *edge_.modelOf(run).factors[f].values;
        std::sort(distinct.begin(), distinct.end());
        const auto equalBits = [](double a, double b) { // -0 is not 0
          return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
        };
        distinct.erase(std::unique(distinct.begin(), distinct.end(), equalBits), distinct.end());
        for (const double value : distinct)
          simplify(run, f, value);
      }
  }

  void simplify(size_t run, size_t factor, double value) {
    if (value == 1)
      return;
    const double magnitude = std::isfinite(value) ? std::abs(value) : value;
    for (const double by : {1.0, 0.0, magnitude, powerBelow(value)}) {
      const bool simpler = by != value || (by == 0 && std::signbit(value));
      // 0 is not simpler than 1, nor the other way: without an order they would alternate.
      if (simpler && !(value == 0 && by != 0) &&
          attempt([&](EdgeCase &edge) { replaceValue(edge, run, factor, value, by); }))
        return;
    }
  }

  EdgeCase edge_;
  const EdgeFails &fails_;
  size_t attempts_;
  bool changed_ = false;
};

} // namespace

EdgeCase shrinkCase(EdgeCase edge, const EdgeFails &fails, size_t attempts) {
  return Shrinker(std::move(edge), fails, attempts).run();
}

} // namespace mpf::oracle
