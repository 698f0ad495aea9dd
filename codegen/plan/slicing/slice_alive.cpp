#include "codegen/plan/slicing/slice_alive.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace mpf {

namespace {

/// Calls f with the messages of every bucket that reads messages, children before parents.
template <class F> void forReaders(std::vector<MessageRead> &reads, F f) {
  for (size_t begin = 0, end = 0; begin < reads.size(); begin = end) {
    while (end < reads.size() && reads[end].reader == reads[begin].reader)
      ++end;
    MPF_CHECK(begin == 0 || reads[begin - 1].reader < reads[begin].reader,
              "reads of bucket {} stand behind those of bucket {}", reads[begin].reader,
              reads[begin - 1].reader);
    f(std::span(reads).subspan(begin, end - begin));
  }
}

void orderReads(const std::vector<BucketEstimate> &buckets, std::vector<MessageRead> &reads) {
  std::vector<double> peaks; // by bucket: entries alive while its subtree is computed
  for (const BucketEstimate &bucket : buckets)
    peaks.push_back(comparableElems(bucket.log2LocalElems));
  forReaders(reads, [&peaks](std::span<MessageRead> messages) {
    std::sort(
        messages.begin(), messages.end(), [&peaks](const MessageRead &a, const MessageRead &b) {
          const double beyondA = peaks[a.writer] - a.elems, beyondB = peaks[b.writer] - b.elems;
          return beyondA != beyondB ? beyondA > beyondB : a.writer < b.writer;
        });
    MPF_CHECK(messages.front().reader < peaks.size(), "a message to bucket {} of {}",
              messages.front().reader, peaks.size());
    double &peak = peaks[messages.front().reader];
    double held = 0;
    for (const MessageRead &message : messages) {
      if (message.entered != 0)
        continue;
      peak = std::max(peak, held + peaks[message.writer]);
      held += message.elems;
    }
  });
}

} // namespace

void findAlive(std::vector<BucketEstimate> &buckets, std::vector<MessageRead> &reads) {
  orderReads(buckets, reads);
  std::vector<double> waiting(buckets.size(), 0), entering(buckets.size(), 0);
  std::map<uint64_t, double> outside; // entries that loops read from outside, by set of loops
  // From the last bucket down: parents are known before their children.
  for (size_t end = reads.size(); end > 0;) {
    const uint32_t reader = reads[end - 1].reader;
    size_t begin = end;
    while (begin > 0 && reads[begin - 1].reader == reader)
      --begin;
    double held = waiting[reader];
    for (size_t i = begin; i < end; ++i) {
      const MessageRead &message = reads[i];
      MPF_CHECK(message.writer < reader, "bucket {} reads the message of bucket {}", reader,
                message.writer);
      if (message.entered != 0) {
        outside[message.entered] += message.elems;
        entering[reader] += message.elems;
      } else {
        waiting[message.writer] = held;
        held += message.elems;
      }
    }
    end = begin;
  }
  for (size_t b = 0; b < buckets.size(); ++b) {
    BucketEstimate &bucket = buckets[b];
    double beside = -entering[b]; // its own reads are counted already
    for (const auto &[loops, elems] : outside)
      if ((loops & bucket.dependsOn) != 0)
        beside += elems;
    const double elems = waiting[b] + std::max(0.0, beside);
    bucket.log2AliveElems =
        elems > 0 ? log2Sum(bucket.log2LocalElems, std::log2(elems)) : bucket.log2LocalElems;
  }
}

} // namespace mpf
