#include "codegen/bundle/verify_lifetimes.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mpf {

namespace {

constexpr size_t kNever = SIZE_MAX;

/// The operations during which a buffer is needed: from the one that writes it to the last one that
/// reads it. Outputs are needed to the end, inputs always. An accumulated result is needed from the
/// first operation of its loop on. A buffer that a loop reads from outside is needed to the loop's
/// last operation.
struct Lifetime {
  size_t first = kNever;
  size_t last = 0;
};

/// Returns the first and the last operation of each loop, loops inside it included.
std::vector<Lifetime> loopsOf(const Bundle &bundle) {
  std::vector<Lifetime> loops(bundle.sliced.size());
  for (size_t i = 0; i < bundle.operations.size(); ++i)
    for (uint32_t loop = bundle.operations[i].loop; loop > 0; loop = bundle.loops.parent(loop)) {
      loops[loop - 1].first = std::min(loops[loop - 1].first, i);
      loops[loop - 1].last = i;
    }
  return loops;
}

/// Returns the last operation that needs a table of loop `own` which operation `when` in loop
/// `reader` reads. Loops around the reader that are not around the table need it to their end,
/// because their next iteration reads it again.
size_t untilLoopsEnd(const LoopTree &tree, const std::vector<Lifetime> &loops, uint32_t own,
                     size_t when, uint32_t reader) {
  for (; !tree.contains(reader, own); reader = tree.parent(reader))
    when = std::max(when, loops[reader - 1].last);
  return when;
}

std::vector<Lifetime> lifetimesOf(const Bundle &bundle) {
  const size_t end = bundle.operations.size();
  std::vector<Lifetime> lifetimes(bundle.buffers.size());
  for (const BundleInput &input : bundle.inputs)
    lifetimes[input.buffer.index()] = {0, end};
  const std::vector<Lifetime> loops = loopsOf(bundle);
  // The loop that a buffer belongs to; readers in other loops read it from outside.
  std::vector<uint32_t> loopOf(bundle.buffers.size(), 0);
  const auto read = [&](BufferId id, size_t when, const char *what) {
    Lifetime &lifetime = lifetimes[id.index()];
    if (lifetime.first == kNever)
      fail(ErrorKind::BadInput, "bundle: {} reads {} before anything wrote it", what,
           bundle.buffer(id).name);
    if (when < end)
      when = untilLoopsEnd(bundle.loops, loops, loopOf[id.index()], when,
                           bundle.operations[when].loop);
    lifetime.last = std::max(lifetime.last, when);
  };
  for (size_t i = 0; i < end; ++i) {
    const BundleOperation &operation = bundle.operations[i];
    for (const BundleAccess &operand : operation.operands)
      read(operand.buffer, i, operation.name.c_str());
    Lifetime &result = lifetimes[operation.result.buffer.index()];
    if (result.first != kNever)
      fail(ErrorKind::BadInput, "bundle: {} writes {}, which holds something already",
           operation.name, bundle.buffer(operation.result.buffer).name);
    result = {operation.accumulates ? loops[operation.loop - 1].first : i, i};
    loopOf[operation.result.buffer.index()] =
        operation.accumulates ? bundle.loops.parent(operation.loop) : operation.loop;
  }
  for (const BundleOutput &output : bundle.outputs)
    read(output.buffer, end, "an output");
  for (const BundleTraceback &step : bundle.traceback)
    for (const BundleTraceback::Table &table : step.tables)
      read(table.buffer, end, "the traceback");
  return lifetimes;
}

/// Returns the buffers by ascending `moment`; equal ones keep their order.
std::vector<uint32_t> sortedBy(std::vector<uint32_t> buffers,
                               const std::vector<Lifetime> &lifetimes, size_t Lifetime::*moment) {
  std::stable_sort(buffers.begin(), buffers.end(), [&](uint32_t a, uint32_t b) {
    return lifetimes[a].*moment < lifetimes[b].*moment;
  });
  return buffers;
}

/// The bytes in use of one arena, by their begin; stretches never overlap.
class Occupancy {
public:
  explicit Occupancy(const Bundle &bundle) : bundle_(bundle) {}

  void take(uint32_t buffer) {
    const uint64_t begin = bundle_.buffers[buffer].offsetBytes;
    const uint64_t end = begin + bytesOf(buffer);
    auto next = used_.lower_bound(begin);
    uint32_t other = UINT32_MAX;
    if (next != used_.end() && next->first < end)
      other = next->second;
    else if (next != used_.begin() && endOf(std::prev(next)->second) > begin)
      other = std::prev(next)->second;
    if (other != UINT32_MAX)
      fail(ErrorKind::BadInput, "bundle: buffers {} and {} share memory while both are needed",
           bundle_.buffers[other].name, bundle_.buffers[buffer].name);
    if (spare_.empty()) {
      used_.emplace_hint(next, begin, buffer);
    } else {
      spare_.key() = begin;
      spare_.mapped() = buffer;
      used_.insert(next, std::move(spare_));
    }
  }
  void release(uint32_t buffer) { spare_ = used_.extract(bundle_.buffers[buffer].offsetBytes); }

private:
  uint64_t bytesOf(uint32_t buffer) const {
    return bufferBytes(bundle_.buffers[buffer].sizeElems, bundle_.type, bundle_.signedValues);
  }
  uint64_t endOf(uint32_t buffer) const {
    return bundle_.buffers[buffer].offsetBytes + bytesOf(buffer);
  }

  const Bundle &bundle_;
  std::map<uint64_t, uint32_t> used_;
  std::map<uint64_t, uint32_t>::node_type spare_; ///< taken out last; used again first
};

} // namespace

void verifyLifetimes(const Bundle &bundle) {
  const std::vector<Lifetime> lifetimes = lifetimesOf(bundle);
  Occupancy input(bundle), work(bundle);
  std::vector<uint32_t> results;
  for (uint32_t i = 0; i < bundle.buffers.size(); ++i) {
    if (lifetimes[i].first == kNever)
      continue;
    if (bundle.buffers[i].input)
      input.take(i);
    else
      results.push_back(i);
  }
  const std::vector<uint32_t> begin = sortedBy(results, lifetimes, &Lifetime::first);
  const std::vector<uint32_t> end = sortedBy(results, lifetimes, &Lifetime::last);
  // A result may not overlap with an operand of its operation: take first, release afterwards.
  for (size_t i = 0, b = 0, e = 0; i < bundle.operations.size(); ++i) {
    for (; b < begin.size() && lifetimes[begin[b]].first == i; ++b)
      work.take(begin[b]);
    for (; e < end.size() && lifetimes[end[e]].last == i; ++e)
      work.release(end[e]);
  }
}

} // namespace mpf
