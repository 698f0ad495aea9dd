// Transfer plans of random bundles are sound and follow the predicted times; every fault planted in
// one is found.
#include "runtime/schedule/transfers/build_transfer_plan.h"
#include "runtime/schedule/transfers/print_transfer_plan.h"
#include "runtime/schedule/transfers/verify_transfer_plan.h"
#include "tests/support/trials.h"
#include "tests/unit/runtime/schedule/schedule_bundles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

/// Speed for which copies are slower than any launch, so that groups pay.
constexpr CopySpeed kSlowCopies{0.5, 0, 0.5};

struct Planned {
  Bundle bundle;
  LaunchPlan launches;
  std::vector<uint32_t> wanted;
  TransferPlan transfers;
  std::string fault() const { return findFault(transfers, launches, bundle, wanted); }
};

Planned randomlyPlanned(std::mt19937_64 &random, const CopySpeed &copies) {
  Planned planned;
  planned.bundle = randomScheduleBundle(random);
  planned.launches = buildLaunchPlan(planned.bundle, randomLaunchOptions(planned.bundle, random));
  for (uint32_t i = 0; i < planned.bundle.buffers.size(); ++i)
    if (!planned.bundle.buffers[i].input && random() % 2 == 0)
      planned.wanted.push_back(i);
  planned.transfers =
      buildTransferPlan(planned.bundle, planned.launches, {planned.wanted, {}, copies});
  return planned;
}

TEST(TransferPlan, OfRandomBundlesIsSound) {
  std::mt19937_64 random(5);
  size_t up = 0, down = 0;
  for (unsigned i = 0; i < trials(2000U); ++i) {
    const Planned planned = randomlyPlanned(random, kSlowCopies);
    EXPECT_EQ(planned.fault(), "") << printTransferPlan(planned.transfers, planned.bundle);
    up += planned.transfers.uploads.size();
    down += planned.transfers.downloads.size();
  }
  EXPECT_GT(up, trials(100U));
  EXPECT_GT(down, trials(100U));
}

TEST(TransferPlan, OfSmallProgramsIsEmpty) {
  std::mt19937_64 random(6);
  for (unsigned i = 0; i < trials(200U); ++i)
    EXPECT_EQ(randomlyPlanned(random, {1e9, 2, 5}).transfers, TransferPlan());
}

/// Plants a fault if the plan has a place for it.
using TransferPlant = bool (*)(Planned &);

bool waitsTooLate(Planned &of) {
  for (UploadGroup &group : of.transfers.uploads)
    if (&group == &of.transfers.uploads.back() && group.before + 1 < of.launches.launches.size()) {
      ++group.before;
      return true;
    }
  return false;
}
bool comesDownEarlier(Planned &of) {
  if (of.transfers.downloads.empty() || of.transfers.downloads.front().behind == 0)
    return false;
  --of.transfers.downloads.front().behind;
  return true;
}
bool copiesTwice(Planned &of) {
  if (of.transfers.downloads.size() < 2)
    return false;
  auto &buffers = of.transfers.downloads[1].buffers;
  buffers.push_back(of.transfers.downloads[0].buffers[0]);
  std::ranges::sort(buffers);
  return true;
}
bool copiesWhatNobodyWants(Planned &of) {
  if (of.transfers.downloads.empty())
    return false;
  std::erase(of.wanted, of.transfers.downloads[0].buffers[0]);
  return true;
}
bool uploadsAResult(Planned &of) {
  if (of.transfers.uploads.empty() || of.transfers.downloads.empty())
    return false;
  of.transfers.uploads[0].buffers = {of.transfers.downloads[0].buffers[0]};
  of.transfers.downloads.clear();
  return true;
}
bool isEmpty(Planned &of) {
  if (of.transfers.uploads.empty())
    return false;
  of.transfers.uploads[0].buffers.clear();
  return true;
}
bool isBehindAll(Planned &of) {
  if (of.transfers.downloads.empty())
    return false;
  of.transfers.downloads.back().behind = static_cast<uint32_t>(of.launches.launches.size());
  return true;
}
bool isOutOfOrder(Planned &of) {
  if (of.transfers.downloads.size() < 2)
    return false;
  std::swap(of.transfers.downloads[0], of.transfers.downloads[1]);
  return true;
}
/// Gives a later result the memory of a downloaded one.
bool losesItsMemory(Planned &of) {
  if (of.transfers.downloads.empty() ||
      of.transfers.downloads[0].behind + 1 >= of.launches.launches.size())
    return false;
  const Launch &last = of.launches.launches.back();
  const uint32_t operation =
      last.kind == LaunchKind::Chain ? last.first + last.count - 1 : last.first;
  const BundleAccess &result = of.bundle.operations[operation].result;
  BundleBuffer &taken = of.bundle.buffers[result.buffer.index()];
  const uint32_t early = of.transfers.downloads[0].buffers[0];
  if (result.buffer.value == early || taken.sizeElems == 0)
    return false;
  taken.offsetBytes = of.bundle.buffers[early].offsetBytes;
  return true;
}
/// Downloads a result that no launch computes, in the memory of one that a launch computes.
bool isWrittenByAnother(Planned &of) {
  for (DownloadGroup &group : of.transfers.downloads)
    for (uint32_t &buffer : group.buffers)
      for (const BundleOperation &operation : of.bundle.operations)
        if (operation.result.buffer.value == buffer) {
          of.bundle.buffers.push_back(of.bundle.buffers[buffer]);
          buffer = static_cast<uint32_t>(of.bundle.buffers.size() - 1);
          of.wanted.push_back(buffer);
          std::ranges::sort(group.buffers);
          return true;
        }
  return false;
}

TEST(TransferPlan, EveryPlantedFaultIsFound) {
  const TransferPlant plants[] = {
      waitsTooLate,          comesDownEarlier, copiesTwice, isOutOfOrder,   isEmpty,
      copiesWhatNobodyWants, uploadsAResult,   isBehindAll, losesItsMemory, isWrittenByAnother};
  std::mt19937_64 random(7);
  for (size_t number = 0; number < std::size(plants); ++number) {
    size_t planted = 0;
    for (unsigned i = 0; i < trials(600U); ++i) {
      Planned planned = randomlyPlanned(random, kSlowCopies);
      if (!plants[number](planned))
        continue;
      ++planted;
      EXPECT_NE(planned.fault(), "") << "fault " << number << ", trial " << i << "\n"
                                     << printTransferPlan(planned.transfers, planned.bundle);
    }
    EXPECT_GE(planted, trials(5U)) << "fault " << number;
  }
}

TEST(HideCopies, CutsWhereTheCopyEndsEarliest) {
  std::mt19937_64 random(8);
  const CopySpeed speed{1, 2, 5};
  size_t cut = 0;
  for (unsigned i = 0; i < trials(500U); ++i) {
    std::vector<CopyPoint> points;
    double workUs = 0;
    for (size_t p = 0; p < 1 + random() % 9; ++p)
      points.push_back(
          {workUs += static_cast<double>(random() % 30), static_cast<double>(1 + random() % 40)});
    workUs += static_cast<double>(random() % 30);
    const std::vector<size_t> cuts = hideCopies(points, workUs, speed);
    const double endUs = endOfCopiesUs(points, cuts, workUs, speed);
    EXPECT_LE(endUs, endOfCopiesUs(points, {}, workUs, speed));
    for (size_t one = 1; one <= points.size(); ++one)
      EXPECT_LE(endUs, endOfCopiesUs(points, std::vector{one}, workUs, speed));
    cut += cuts.size();
  }
  EXPECT_GT(cut, trials(100U));
}

TEST(HideCopies, HidesAllButTheLastBehindTheWork) {
  // Two results of 100 us each; the first is ready when computing the second begins.
  const std::vector<CopyPoint> points = {{200, 100}, {400, 100}};
  const CopySpeed speed{1, 2, 5};
  EXPECT_EQ(hideCopies(points, 400, speed), std::vector<size_t>{1});
  EXPECT_DOUBLE_EQ(endOfCopiesUs(points, {}, 400, speed), 602);
  EXPECT_DOUBLE_EQ(endOfCopiesUs(points, std::vector<size_t>{1}, 400, speed), 507);
  EXPECT_TRUE(hideCopies(points, 400, {100, 2, 5}).empty()) << "not worth two events";
}

} // namespace
} // namespace mpf
