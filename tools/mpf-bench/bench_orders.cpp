// Elimination orders of the reference instances: time to a first plan, operations of the plan after
// a given time of search, simplified first or as declared, against the best orders known of the
// networks as declared. Results: RESULTS.md.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/simplify/simplify.h"
#include "dsl/formats/uai_evidence.h"
#include "dsl/formats/uai_reader.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <ctime>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace {

using namespace mpf;
using nlohmann::json;

constexpr const char *kHardFamilies[] = {"linkage", "csp", "objdetect", "grids", "promedus", "wmc"};

struct Planned {
  ProgramStatistics statistics;
  SearchEffort effort;
  double seconds = 0; ///< of the processor, all threads together
};

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Instances {
public:
  Instances(std::string folder, bool simplified)
      : folder_(std::move(folder)), simplified_(simplified) {
    instances_ = json::parse(readFile(folder_ + "/reference.json")).at("instances");
  }

  /// False: there was nothing to measure.
  bool measure(double seconds) {
    fmt::print("{:32} {:>8} {:>9} {:>6} {:>9} {:>9} {:>7} {:>7}\n", "instance", "first_ms",
               "first_ops", "width", "ops", "best_ops", "ratio", "rounds");
    for (const auto &[name, instance] : instances_.items())
      if (instance.contains("best_order_found") && !instance["best_order_found"].is_null())
        measure(name, instance, seconds);
    if (firstMs_.empty()) {
      fmt::print(stderr, "bench_orders: nothing measured\n");
      return false;
    }
    std::sort(firstMs_.begin(), firstMs_.end());
    fmt::print(
        "processor time to a first plan: median {:.2f} ms, longest {:.2f} ms; after {} s: {} "
        "of {} above the reference\n",
        firstMs_[firstMs_.size() / 2], firstMs_.back(), seconds, above_, firstMs_.size());
    if (hard_ != 0)
      fmt::print(
          "geometric mean of operations over best_order_found {:.3f} of {} instances of hard "
          "families\n",
          std::exp2(log2Ratios_ / hard_), hard_);
    return true;
  }

private:
  std::shared_ptr<const SourceBuffer> load(const std::string &name) const {
    return std::make_shared<const SourceBuffer>(name, readFile(folder_ + "/" + name));
  }

  Planned plan(const Model &model, const SearchLimits &limits) const {
    PlanOptions options;
    options.search = limits;
    Diagnostics diagnostics;
    Planned planned;
    PlanHooks hooks;
    hooks.searched = [&planned](const SearchEffort &effort) { planned.effort = effort; };
    const double start = processorSeconds();
    const Simplified simple =
        simplify(model, model.queries.front(),
                 {.finalTables = simplified_, .finalEvidence = simplified_}, {});
    const TableProgram program =
        buildProgram(simple.model, simple.query, options, diagnostics, hooks);
    planned.seconds = processorSeconds() - start;
    planned.statistics = programStatistics(program, ElementType::F64);
    return planned;
  }

  void measure(const std::string &name, const json &instance, double seconds) {
    Diagnostics diagnostics;
    std::optional<Model> model = readUai(load(instance.at("model")), diagnostics);
    if (model && instance.value("evidence", json()).is_string())
      readEvidence(load(instance["evidence"]), *model, diagnostics);
    if (!model)
      fail(ErrorKind::BadInput, "{}", renderDiagnostics(diagnostics));
    SearchLimits limits;
    limits.rounds = 0;
    double firstSeconds = 1e9, firstOps = 0;
    try {
      for (int i = 0; i < 3; ++i) {
        const Planned first = plan(*model, limits);
        firstSeconds = std::min(firstSeconds, first.seconds);
        firstOps = first.statistics.log2TotalOps;
      }
      limits.rounds.reset();
      limits.seconds = seconds;
      const Planned best = plan(*model, limits);
      const double known = instance["best_order_found"].value("log2_flops", 0.0);
      // A network that simplification answers whole has no operations left: counted as one.
      const double ratio = std::max(0.0, best.statistics.log2TotalOps) - known;
      fmt::print("{:32} {:8.2f} {:9.2f} {:6} {:9.2f} {:9.2f} {:7.3f} {:7}\n", name,
                 firstSeconds * 1e3, firstOps, best.statistics.inducedWidth,
                 best.statistics.log2TotalOps, known, std::exp2(ratio), best.effort.rounds);
      firstMs_.push_back(firstSeconds * 1e3);
      above_ += ratio > 0.005; // the reference is rounded
      const std::string family = name.substr(0, name.find('/'));
      if (std::find(std::begin(kHardFamilies), std::end(kHardFamilies), family) !=
          std::end(kHardFamilies)) {
        log2Ratios_ += ratio;
        ++hard_;
      }
    } catch (const Error &error) {
      fmt::print("{:32} {}\n", name, error.what());
    }
    std::fflush(stdout);
  }

  const std::string folder_;
  const bool simplified_;
  json instances_;
  std::vector<double> firstMs_;
  double log2Ratios_ = 0;
  int hard_ = 0, above_ = 0;
};

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool declared = std::erase(words, "--declared") != 0;
  const std::optional<double> seconds = words.size() == 2 ? parseDouble(words[1]) : 1.0;
  if (words.empty() || words.size() > 2 || !seconds || !(*seconds >= 0)) {
    fmt::print(stderr, "usage: bench_orders FOLDER_WITH_REFERENCE_JSON [SECONDS] [--declared]\n"
                       "--declared: without simplification\n");
    return 2;
  }
  try {
    return Instances(words[0], !declared).measure(*seconds) ? 0 : 1;
  } catch (const std::exception &error) {
    fmt::print(stderr, "bench_orders: {}\n", error.what());
    return 1;
  }
}
