#include "runtime/schedule/placement/placement_tasks.h"

#include "dsl/support/check.h"
#include "runtime/schedule/arena_order.h"
#include "runtime/schedule/lay_apart.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

constexpr uint32_t kUnset = UINT32_MAX;

/// Returns the number of operations of the task that begins with operation `first`.
uint32_t countFrom(const Bundle &bundle, uint32_t first, const std::vector<uint32_t> &chainEnd) {
  // The slice with the best value is computed again by the device that found it: one task.
  if (!bundle.sliced.empty() && !bundle.traceback.empty())
    return static_cast<uint32_t>(bundle.operations.size());
  const std::vector<BundleOperation> &operations = bundle.operations;
  if (operations[first].loop == 0)
    return std::max(first + 1, chainEnd[first]) - first;
  uint32_t end = first; // operations in loops are consecutive, one outermost loop after the other
  while (end < operations.size() && operations[end].loop != 0)
    ++end;
  return end - first;
}

void addOnce(std::vector<uint32_t> &list, uint32_t value) {
  if (list.empty() || list.back() != value)
    list.push_back(value);
}

void sortUnique(std::vector<uint32_t> &list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

class TaskBuilder {
public:
  TaskBuilder(const Bundle &bundle, const OperationTimes &times)
      : bundle_(bundle), tableOf_(bundle.buffers.size(), kUnset), isAlone_(aloneResults(bundle)) {
    addTasks(times);
    addTables();
    addOrder();
    for (PlacementTask &task : built_.tasks)
      for (std::vector<uint32_t> *list : {&task.reads, &task.traces, &task.behind})
        sortUnique(*list);
    for (PlacedTable &table : built_.tables)
      sortUnique(table.tracers);
  }
  PlacementTasks take() { return std::move(built_); }

private:
  void addTasks(const OperationTimes &times) {
    const size_t count = bundle_.operations.size();
    for (const std::vector<double> &us : times.us)
      MPF_CHECK(us.size() == count, "{} times of {} operations", us.size(), count);
    std::vector<uint32_t> chainEnd(count, 0);
    for (const BundleChain &chain : bundle_.chains)
      chainEnd[chain.first] = chain.first + chain.count;
    for (uint32_t first = 0; first < count; first += built_.tasks.back().count) {
      PlacementTask task{first, countFrom(bundle_, first, chainEnd), {}, {}, {}, {}, {}};
      for (const std::vector<double> &us : times.us)
        task.us.push_back(
            std::accumulate(us.begin() + first, us.begin() + first + task.count, 0.0));
      built_.taskOf.insert(built_.taskOf.end(), task.count,
                           static_cast<uint32_t>(built_.tasks.size()));
      built_.tasks.push_back(std::move(task));
    }
  }

  void addTables() {
    std::vector<uint32_t> writer(bundle_.buffers.size(), kUnset); // task
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
      const BundleOperation &operation = bundle_.operations[i];
      const uint32_t task = built_.taskOf[i];
      for (const BundleAccess &access : operation.operands)
        if (const uint32_t from = writer[access.buffer.index()]; from != kUnset && from != task) {
          const uint32_t table = tableAt(access.buffer, from);
          addOnce(built_.tables[table].readers, task);
          built_.tasks[task].reads.push_back(table);
        }
      writer[operation.result.buffer.index()] = task;
    }
    const auto toHost = [&](BufferId buffer) {
      if (const uint32_t from = writer[buffer.index()]; from != kUnset)
        built_.tables[tableAt(buffer, from)].hostReads = true;
    };
    for (const BundleOutput &output : bundle_.outputs)
      toHost(output.buffer);
    addTraceback(writer);
  }

  /// Adds the tables that the traceback reads. `writer`: the writing task, by buffer.
  void addTraceback(const std::vector<uint32_t> &writer) {
    built_.traceback = tracedSteps(bundle_);
    for (size_t i = 0; i < built_.traceback.size(); ++i) {
      const uint32_t task = built_.taskOf[built_.traceback[i].operation];
      for (const BundleTraceback::Table &traced : bundle_.traceback[i].tables) {
        const uint32_t from = writer[traced.buffer.index()];
        if (from == kUnset || from == task)
          continue;
        const uint32_t table = tableAt(traced.buffer, from);
        built_.tables[table].tracers.push_back(task);
        built_.tasks[task].traces.push_back(table);
      }
    }
  }

  void addOrder() {
    const std::vector<std::vector<uint32_t>> order = arenaOrder(bundle_, {});
    for (uint32_t i = 0; i < order.size(); ++i)
      for (const uint32_t earlier : order[i])
        if (built_.taskOf[earlier] != built_.taskOf[i])
          built_.tasks[built_.taskOf[i]].behind.push_back(built_.taskOf[earlier]);
  }

  uint32_t tableAt(BufferId buffer, uint32_t writer) {
    uint32_t &table = tableOf_[buffer.index()];
    if (table == kUnset) {
      table = static_cast<uint32_t>(built_.tables.size());
      const uint64_t elems = bundle_.buffer(buffer).sizeElems;
      built_.tables.push_back(
          {buffer,
           writer,
           {},
           false,
           static_cast<double>(bufferBytes(elems, bundle_.type, bundle_.signedValues)),
           isAlone_[buffer.index()] != 0,
           {}});
      built_.tasks[writer].writes.push_back(table);
    }
    return table;
  }

  const Bundle &bundle_;
  std::vector<uint32_t> tableOf_;   ///< by buffer
  const std::vector<char> isAlone_; ///< by buffer
  PlacementTasks built_;
};

} // namespace

PlacementTasks placementTasks(const Bundle &bundle, const OperationTimes &times) {
  return TaskBuilder(bundle, times).take();
}

uint32_t parentOf(const PlacementTasks &tasks, uint32_t task) {
  uint32_t parent = UINT32_MAX;
  for (const uint32_t table : tasks.tasks[task].writes)
    if (const std::vector<uint32_t> &readers = tasks.tables[table].readers; !readers.empty())
      parent = std::min(parent, readers.front());
  return parent;
}

std::vector<DeviceId> crossesTo(const PlacedTable &table, const std::vector<DeviceId> &devices) {
  const DeviceId from = devices[table.writer];
  std::vector<DeviceId> to;
  const auto add = [&](DeviceId device) {
    if (device != from && std::ranges::find(to, device) == to.end())
      to.push_back(device);
  };
  if (table.hostReads)
    add(DeviceId::cpu());
  for (const std::vector<uint32_t> *tasks : {&table.readers, &table.tracers})
    for (const uint32_t task : *tasks)
      add(devices[task]);
  std::ranges::sort(to);
  return to;
}

double crossingUs(const PlacedTable &table, const std::vector<DeviceId> &devices,
                  const PlacementSite &site) {
  double timeUs = 0;
  for (const DeviceId to : crossesTo(table, devices))
    timeUs += site.link(devices[table.writer], to).copyUs(table.bytes);
  return timeUs;
}

double serialUs(const PlacementTasks &tasks, const std::vector<DeviceId> &devices,
                const PlacementSite &site) {
  double timeUs = 0;
  for (size_t i = 0; i < tasks.tasks.size(); ++i)
    timeUs += tasks.tasks[i].us[site.at(devices[i])];
  for (const PlacedTable &table : tasks.tables)
    timeUs += crossingUs(table, devices, site);
  return timeUs;
}

} // namespace mpf
