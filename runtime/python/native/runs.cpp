#include "runtime/python/native/runs.h"

#include "dsl/support/check.h"
#include "runtime/api/network.h"
#include "runtime/api/session.h"
#include "runtime/python/native/answers.h"
#include "runtime/python/native/arrays.h"
#include "runtime/python/native/beyond_doubles.h"
#include "runtime/python/native/interrupts.h"
#include "runtime/python/native/process_lock.h"
#include "runtime/python/native/without_gil.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

class Run {
public:
  Run(const Network &network, CompileOptions options, SessionOptions session,
      std::optional<double> seconds)
      : session_(opened(network, std::move(options), std::move(session), seconds)) {}

  /// `seconds`: the time limit of the call; none: it has none.
  Result run(const std::vector<std::string> &factors, const std::vector<Doubles> &values,
             std::optional<double> seconds) {
    const std::lock_guard lock(lock_);
    interrupts_.start(seconds);
    for (size_t f = 0; f < factors.size(); ++f) // each run lends all operands again
      session_.lend(factors[f], spanOf(values[f]));
    Result result = session_.run();
    bytes_ = std::max(result.allocatedBytes, result.peakBytes);
    return result;
  }

  /// The memory of its tables after the last run.
  uint64_t bytes() const { return bytes_; }

private:
  Session opened(const Network &network, CompileOptions options, SessionOptions session,
                 std::optional<double> seconds) {
    interrupts_.start(seconds);
    options.watch = session.watch = interrupts_.watch();
    return Session(compile(network, options), session);
  }

  Interrupts interrupts_; ///< of the session and the call that has the lock
  Session session_;
  ProcessLock lock_;
  std::atomic<uint64_t> bytes_{0};
};

size_t sizeOf(const ResultTable &table) {
  size_t size = 1;
  for (const uint32_t extent : table.extents)
    size *= extent;
  return size;
}

/// Returns the entries as doubles: 0 or infinite out of their range.
nb::object valuesOf(const ResultTable &table) {
  const size_t size = sizeOf(table);
  return newArray({size}, [&](double *data) {
    if (!table.logEntries && table.exponent == 0)
      std::copy_n(table.entries.data(), size, data);
    else
      for (size_t i = 0; i < size; ++i)
        data[i] = table.at(i).nearest();
  });
}

nb::object integersOf(const ResultTable &table) {
  nb::list list;
  for (const Uint128 value : table.integerEntries)
    list.append(exactInt(value));
  return list;
}

/// Returns (natural logarithm, nearest double) of a greatest entry that doubles do not hold, or
/// None.
nb::object beyondOf(const ResultTable &table) {
  if (!table.logEntries && table.exponent == 0)
    return nb::none();
  const auto found = beyondDoubles(sizeOf(table), [&](size_t e) { return table.at(e); });
  if (!found)
    return nb::none();
  return nb::make_tuple(found->ln(), found->nearest());
}

nb::tuple planProducts(const Network &network, const std::string &query,
                       std::optional<double> seconds) {
  CompileOptions options;
  options.query = query;
  options.device = "cpu";
  options.maxMemoryBytes = UINT64_MAX; // nothing is run, and a path has no slices
  Interrupts interrupts;
  interrupts.start(seconds);
  options.watch = interrupts.watch();
  Network copy = network; // another thread may change the network when the GIL is gone
  std::vector<std::string> factors;
  std::vector<std::vector<uint32_t>> products;
  {
    const WithoutGil others;
    const Program program = compile(std::move(copy), options);
    for (const InputInfo &input : program.inputs())
      factors.push_back(input.factor);
    products = program.products();
  }
  return nb::make_tuple(factors, products);
}

} // namespace

void defineRuns(nb::module_ &module) {
  nb::class_<Run>(module, "Run")
      .def_prop_ro("bytes", &Run::bytes)
      .def(
          "__init__",
          [](Run *self, const Network &network, const std::string &query, const std::string &type,
             std::optional<uint64_t> memory, unsigned threads, std::optional<double> seconds) {
            CompileOptions options;
            options.query = query;
            options.type = type;
            options.device = "cpu";
            options.maxMemoryBytes = memory;
            SessionOptions session;
            session.device = "cpu";
            session.threads = threads;
            const WithoutGil others;
            new (self) Run(network, options, session, seconds);
          },
          nb::arg("network"), nb::arg("query"), nb::arg("type"), nb::arg("memory").none(),
          nb::arg("threads"), nb::arg("seconds").none())
      .def(
          "run",
          [](Run &run, const std::vector<std::string> &factors, const std::vector<Doubles> &values,
             std::optional<double> seconds) {
            Result result;
            {
              const WithoutGil others;
              result = run.run(factors, values, seconds);
            }
            const ResultTable &table = result.tables.front();
            return table.integerEntries.empty() ? nb::make_tuple(valuesOf(table), beyondOf(table))
                                                : nb::make_tuple(integersOf(table), nb::none());
          },
          nb::arg("factors"), nb::arg("values"), nb::arg("seconds").none(),
          "The entries of the result, the last axis fastest: an array of doubles, or a list of "
          "ints; and (natural logarithm, nearest double) of a result beyond doubles, or None");
  module.def("plan_products", &planProducts, nb::arg("network"), nb::arg("query"),
             nb::arg("seconds").none(),
             "(the factors, the tables that each product reads): Program::products");
}

} // namespace mpf::python
