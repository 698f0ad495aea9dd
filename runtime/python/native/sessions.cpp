#include "runtime/python/native/sessions.h"
#include "runtime/python/native/arrays.h"
#include "runtime/python/native/block.h"
#include "runtime/python/native/interrupts.h"
#include "runtime/python/native/process_lock.h"
#include "runtime/python/native/without_gil.h"

#include "dsl/support/check.h"
#include "runtime/api/cases.h"

#include <mutex>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

using Codes = std::vector<std::pair<uint32_t, uint32_t>>;              // column, code
using Weights = std::vector<std::pair<uint32_t, std::vector<double>>>; // likelihood, weights

/// A CaseSession that several threads may call.
class LockedSession {
public:
  LockedSession(const CaseProgram &program, const SessionOptions &options,
                const ExpectedCases &expected, std::optional<double> seconds)
      : program_(program), session_(program, watched(options, seconds), expected),
        single_(program.block(1)) {
    single_.count = 1;
  }

  void bind(const std::string &factor, const Doubles &values) {
    const std::lock_guard lock(lock_);
    session_.bind(factor, spanOf(values));
  }

  /// `seconds`: the time limit of the call; none: it has none. `skips`: refused cases are noted in
  /// the answers.
  CaseAnswers run(const Block &block, std::optional<double> seconds, bool skips) {
    const std::lock_guard lock(lock_);
    interrupts_.start(seconds);
    CaseAnswers answers;
    if (skips)
      session_.runSkipping(block.cases(), answers);
    else
      session_.run(block.cases(), answers);
    return answers;
  }

  CaseAnswers runOne(const Codes &codes, const Weights &weights, std::optional<double> seconds) {
    const std::lock_guard lock(lock_);
    interrupts_.start(seconds);
    const auto reset = [&](const void *) { clear(codes, weights); };
    const std::unique_ptr<LockedSession, decltype(reset)> atEnd(this, reset);
    for (const auto &[column, code] : codes)
      single_.setCode(column, 0, code);
    for (const auto &[likelihood, values] : weights)
      setWeights(likelihood, values);
    CaseAnswers answers;
    session_.run(single_, answers);
    return answers;
  }

  /// Queues the cases of arrays on the device. Nothing is waited for.
  void runOnDevice(const DeviceCaseArrays &arrays, uint64_t stream) {
    const std::lock_guard lock(lock_);
    session_.runArrays(arrays, reinterpret_cast<void *>(static_cast<uintptr_t>(stream)));
  }

  std::vector<std::pair<std::string, uint64_t>> deviceTables() {
    const std::lock_guard lock(lock_);
    std::vector<std::pair<std::string, uint64_t>> tables;
    for (const DeviceCaseLayout::Table &table : session_.deviceLayout().tables)
      tables.emplace_back(table.name, table.rows);
    return tables;
  }

  /// Waits for them.
  DeviceCaseCounts deviceCounts() {
    const std::lock_guard lock(lock_);
    return session_.deviceCounts();
  }

  uint64_t casesPerPlan() const { return session_.casesPerPlan(); }
  double caseUs() const { return session_.caseUs(); }

private:
  SessionOptions watched(SessionOptions options, std::optional<double> seconds) {
    interrupts_.start(seconds);
    options.watch = interrupts_.watch();
    return options;
  }

  void setWeights(uint32_t likelihood, const std::vector<double> &values) {
    const CaseSchema &schema = program_.schema();
    if (likelihood >= schema.likelihoods.size() ||
        values.size() != schema.likelihoods[likelihood].extent)
      fail(ErrorKind::Internal, "likelihood {} with {} weights", likelihood, values.size());
    for (size_t e = 0; e < values.size(); ++e)
      single_.weights()[(schema.firstWeight(likelihood) + e) * single_.pitch()] = values[e];
  }

  void clear(const Codes &codes, const Weights &weights) {
    for (const auto &[column, code] : codes)
      if (column < single_.columns())
        single_.setCode(column, 0, program_.schema().observed[column].extent);
    if (!weights.empty())
      std::fill(single_.weights().begin(), single_.weights().end(), 1.0);
  }

  Interrupts interrupts_; ///< of the session and the call that has the lock
  CaseProgram program_;
  CaseSession session_;
  CaseBlock single_; ///< one case that observes nothing
  ProcessLock lock_;
};

using DeviceColumns = std::vector<std::tuple<size_t, uint64_t, int64_t, int, uint32_t>>;
using DeviceTables = std::vector<std::tuple<size_t, uint64_t, int64_t, bool>>;

void runOnDevice(LockedSession &session, uint64_t count, const DeviceColumns &columns,
                 const Codes &findings, const DeviceTables &tables, uint64_t states,
                 uint64_t stream) {
  DeviceCaseArrays arrays;
  arrays.count = count;
  for (const auto &[column, cells, stride, number, bytes] : columns)
    arrays.columns.push_back({column, cells, stride, static_cast<DeviceNumber>(number), bytes});
  for (const auto &[column, code] : findings)
    arrays.findings.push_back({column, code});
  for (const auto &[table, to, rowElems, isLogarithm] : tables)
    arrays.tables.push_back({table, to, rowElems, isLogarithm});
  arrays.states = states;
  const WithoutGil others;
  session.runOnDevice(arrays, stream);
}

} // namespace

void defineSessions(nb::module_ &module) {
  nb::class_<LockedSession>(module, "Session")
      .def(
          "__init__",
          [](LockedSession *self, const CaseProgram &program, const std::string &device,
             unsigned threads, std::optional<uint64_t> rows, std::optional<double> seconds,
             bool onDevice) {
            SessionOptions options;
            options.device = device;
            options.threads = threads;
            const WithoutGil others;
            new (self) LockedSession(program, options, {rows, onDevice}, seconds);
          },
          nb::arg("program"), nb::arg("device") = "auto", nb::arg("threads") = 0,
          nb::arg("rows").none() = nb::none(), nb::arg("seconds").none() = nb::none(),
          nb::arg("on_device") = false)
      .def("bind", &LockedSession::bind, nb::call_guard<WithoutGil>())
      .def("cases_per_plan", &LockedSession::casesPerPlan)
      .def("case_us", &LockedSession::caseUs)
      .def("run", &LockedSession::run, nb::arg("block"), nb::arg("seconds").none() = nb::none(),
           nb::arg("skips") = false, nb::call_guard<WithoutGil>())
      .def("run_on_device", &runOnDevice, nb::arg("count"), nb::arg("columns"), nb::arg("findings"),
           nb::arg("tables"), nb::arg("states"), nb::arg("stream"),
           "Queues cases of arrays: columns of (column, address, stride, kind of number, bytes), "
           "(column, code) of all cases, tables of (number, address, elements of a row, is log)")
      .def(
          "device_tables", [](LockedSession &session) { return session.deviceTables(); },
          nb::call_guard<WithoutGil>(), "(name, entries) of the tables that run_on_device knows")
      .def(
          "device_counts",
          [](LockedSession &session) {
            DeviceCaseCounts counts;
            {
              const WithoutGil others;
              counts = session.deviceCounts();
            }
            return std::pair(counts.wrong, counts.left);
          },
          "(cases with wrong numbers, cases out of range) of all such arrays; waits")
      .def("run_one", &LockedSession::runOne, nb::arg("codes"), nb::arg("weights"),
           nb::arg("seconds").none() = nb::none(), nb::call_guard<WithoutGil>());
}

} // namespace mpf::python
