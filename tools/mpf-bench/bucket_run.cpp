#include "tools/mpf-bench/bucket_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace mpf::bench {

namespace {

/// The value of an operand's entry: a hash of its place, uniform in [0.5, 1), so that the check
/// needs no copy of tables of gigabytes.
double valueAt(size_t operand, uint64_t offset) {
  uint64_t bits = (offset + 1) * 0x9e3779b97f4a7c15ull + operand * 0xd1b54a32d192ed03ull;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93ull;
  bits ^= bits >> 32;
  return 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
}

template <class T> T storedAt(size_t operand, uint64_t offset, ValueForm form) {
  const double value = valueAt(operand, offset);
  return static_cast<T>(form == ValueForm::Log ? std::log2(value) : value);
}

/// Digit values of an address over digits [first, last), most significant first.
std::vector<uint64_t> decode(const DigitForm &form, size_t first, size_t last, uint64_t address) {
  std::vector<uint64_t> values(last - first);
  for (size_t d = last; d-- > first;) {
    values[d - first] = address % form.digits[d].extent;
    address /= form.digits[d].extent;
  }
  return values;
}

} // namespace

BucketRun::BucketRun(const CudaDevice &device, const KernelPlan &plan, const std::string &cubin)
    : device_(device), plan_(plan), module_(device, cubin),
      function_(module_.function(plan.name, plan.launch.sharedBytes)) {
  if (plan.type == ElementType::F32)
    fillOperands<float>();
  else
    fillOperands<double>();
  result_ = DeviceMemory(device, plan.form.result.sizeElems * elementBytes(plan.type));
  // Entries in [0.5, 1): exponent -1, so that no rescaling happens.
  std::vector<TableState> states(plan.form.operands.size() + 1);
  const int32_t form = plan.valueForm == ValueForm::Log ? 1 : 0;
  for (size_t i = 0; i < plan.form.operands.size(); ++i)
    states[i] = {0, -1, -1, form};
  states_ = DeviceMemory(device, states.size() * sizeof(TableState));
  states_.upload(states.data(), states_.sizeBytes());
  device.synchronize();
}

template <class T> void BucketRun::fillOperands() {
  for (size_t i = 0; i < plan_.form.operands.size(); ++i) {
    const uint64_t count = plan_.form.operands[i].sizeElems;
    std::vector<T> stored(count);
    for (uint64_t offset = 0; offset < count; ++offset)
      stored[offset] = storedAt<T>(i, offset, plan_.valueForm);
    operands_.emplace_back(device_, count * sizeof(T));
    operands_.back().upload(stored.data(), count * sizeof(T));
    device_.synchronize();
  }
}

void BucketRun::launch() {
  const size_t count = plan_.form.operands.size();
  std::vector<CudaDevicePointer> tables;
  for (const DeviceMemory &operand : operands_)
    tables.push_back(operand.address());
  tables.push_back(result_.address());
  std::vector<int> indices(count + 1);
  std::vector<void *> arguments;
  for (CudaDevicePointer &table : tables)
    arguments.push_back(&table);
  CudaDevicePointer states = states_.address();
  arguments.push_back(&states);
  for (size_t i = 0; i <= count; ++i) {
    indices[i] = static_cast<int>(i);
    arguments.push_back(&indices[i]);
  }
  int mode = 0;
  arguments.push_back(&mode);
  const LaunchShape &shape = plan_.launch;
  device_.check(device_.driver().launch(function_, static_cast<unsigned>(shape.gridBlocks), 1, 1,
                                        shape.blockThreads, 1, 1, shape.sharedBytes,
                                        device_.stream(), arguments.data(), nullptr),
                plan_.name.c_str());
}

double BucketRun::medianUs(unsigned repeats) {
  launch();
  std::vector<double> times;
  for (unsigned i = 0; i < repeats; ++i) {
    const CudaEvent before(device_), after(device_);
    before.record();
    launch();
    after.record();
    device_.synchronize();
    times.push_back(after.microsecondsSince(before));
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

template <class T> double BucketRun::expectedEntry(uint64_t keptAddress) const {
  const DigitForm &form = plan_.form;
  const size_t kept = form.keptCount();
  const bool log = plan_.valueForm == ValueForm::Log;
  const std::vector<uint64_t> outer = decode(form, 0, kept, keptAddress);
  long double sum = 0;
  for (uint64_t r = 0; r < form.reducedAddresses(); ++r) {
    const std::vector<uint64_t> inner = decode(form, kept, form.digits.size(), r);
    long double product = 1;
    for (size_t i = 0; i < form.operands.size(); ++i) {
      uint64_t offset = 0;
      for (size_t d = 0; d < form.digits.size(); ++d)
        offset += (d < kept ? outer[d] : inner[d - kept]) * form.operands[i].stridesElems[d];
      const long double stored = storedAt<T>(i, offset, plan_.valueForm);
      product *= log ? std::exp2(stored) : stored;
    }
    sum += product;
  }
  return static_cast<double>(log ? std::log2(sum) : sum);
}

template <class T> double BucketRun::worstErrorOf(unsigned count) {
  const DigitForm &form = plan_.form;
  result_.fill(0xff); // all bits set: NaN in both types
  launch();
  std::vector<T> result(form.result.sizeElems);
  result_.download(result.data(), result.size() * sizeof(T));
  device_.synchronize();
  for (const T entry : result)
    if (std::isnan(entry))
      return std::numeric_limits<double>::infinity(); // an entry was never written
  std::mt19937_64 random(20080607);
  double worst = 0;
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t address = random() % form.keptAddresses();
    const std::vector<uint64_t> kept = decode(form, 0, form.keptCount(), address);
    uint64_t offset = 0;
    for (size_t d = 0; d < kept.size(); ++d)
      offset += kept[d] * form.result.stridesElems[d];
    const double expected = expectedEntry<T>(address);
    // A difference of logarithms is the relative error of the value they stand for.
    const double scale = plan_.valueForm == ValueForm::Log ? 1 / std::log(2.0) : std::abs(expected);
    const double error = std::abs(static_cast<double>(result[offset]) - expected) / scale;
    worst = std::max(worst, error);
  }
  return worst;
}

double BucketRun::worstError(unsigned count) {
  return plan_.type == ElementType::F32 ? worstErrorOf<float>(count) : worstErrorOf<double>(count);
}

} // namespace mpf::bench
