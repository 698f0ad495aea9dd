// Uploads of inputs to a fake GPU (tests/support/fake_cuda.cpp), whose copies do copy.
#include "runtime/execute/gpu/runs/input_uploads.h"

#include "tests/unit/runtime/execute/gpu/runs/program_parts.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

namespace mpf {
namespace {

constexpr uint32_t kExtent = 256; ///< inputs of 512 KiB

class UploadsOfInputs : public ScriptedDriver {
protected:
  void SetUp() override {
    ScriptedDriver::SetUp();
    if (IsSkipped())
      return;
    parts_.emplace(sumsOfInputs(kExtent));
    beside_.emplace(parts_->device);
    CopySpeed copies;
    copies.groupUs = 1; // uploads beside launches pay
    uploads_.emplace(parts_->device, parts_->bundle(), parts_->arenas, *beside_, copies);
    arena_ = HostImage(parts_->device, parts_->bundle().inputArenaBytes);
    plan_.uploads = {{1, {parts_->input(1).value}}};
  }

  /// Writes a number into the first entry of an input of the host.
  void write(size_t input, double value) {
    std::memcpy(arena_.data() + parts_->bundle().buffer(parts_->input(input)).offsetBytes, &value,
                sizeof(value));
  }
  /// Returns the first entry of an input on the device.
  double read(size_t input) const {
    double value = 0;
    parts_->arenas.inputs().download(&value, sizeof(value),
                                     parts_->arenas.buffers().offsetBytes(parts_->input(input)));
    parts_->device.synchronize();
    return value;
  }
  void set(bool first, bool second) {
    std::vector<char> changed(parts_->bundle().buffers.size(), 0);
    changed[parts_->input(0).index()] = first ? 1 : 0;
    changed[parts_->input(1).index()] = second ? 1 : 0;
    uploads_->set(arena_, std::vector<TableState>(changed.size()), changed);
  }

  std::optional<ProgramParts> parts_;
  std::optional<BesideStream> beside_;
  std::optional<InputUploads> uploads_;
  HostImage arena_;
  TransferPlan plan_;
};

TEST_F(UploadsOfInputs, SendAllTheFirstTimeAndThenWhatChanged) {
  write(0, 1);
  write(1, 2);
  set(false, false);
  uploads_->begin({}, true);
  EXPECT_FALSE(uploads_->waits());
  EXPECT_EQ(read(0), 1);
  EXPECT_EQ(read(1), 2);
  write(0, 3);
  write(1, 4);
  set(false, true);
  uploads_->sendAll();
  EXPECT_EQ(read(0), 1);
  EXPECT_EQ(read(1), 4);
}

TEST_F(UploadsOfInputs, OfAGroupComeBeforeTheLaunchThatNeedsThem) {
  write(0, 1);
  write(1, 2);
  set(true, true);
  uploads_->reserve(plan_);
  uploads_->begin(plan_, true);
  EXPECT_TRUE(uploads_->waits());
  EXPECT_EQ(read(0), 1);
  EXPECT_NE(read(1), 2);
  EXPECT_FALSE(uploads_->await(plan_, 0, false));
  EXPECT_NE(read(1), 2);
  EXPECT_TRUE(uploads_->await(plan_, 1, false));
  EXPECT_EQ(read(1), 2);
}

TEST_F(UploadsOfInputs, DoNotWaitIfNothingPaysOrTheCallerOrTheDriverRefuses) {
  set(true, true);
  uploads_->reserve(plan_);
  uploads_->begin(plan_, false);
  EXPECT_FALSE(uploads_->waits());
  set(true, false); // nothing of the group
  uploads_->begin(plan_, true);
  EXPECT_FALSE(uploads_->waits());
  set(false, true);
  uploads_->begin(plan_, true);
  EXPECT_TRUE(uploads_->waits());
  uploads_->sendGroups(plan_);
  uploads_->refuseWaits();
  write(1, 5);
  set(false, true);
  uploads_->begin(plan_, true);
  EXPECT_FALSE(uploads_->waits());
  EXPECT_EQ(read(1), 5);
}

} // namespace
} // namespace mpf
