#include "dsl/support/check.h"
#include "tools/mpf-bench/measure/measure_buckets.h"

namespace mpf::bench {

std::unique_ptr<BucketDevice> openBucketGpu(const MeasureOptions &) {
  fail(ErrorKind::Device, "this mpf-bench was built without CUDA");
}

std::unique_ptr<BucketDevice> openBucketCompiler(const std::string &, const MeasureOptions &) {
  fail(ErrorKind::Device, "this mpf-bench was built without CUDA");
}

} // namespace mpf::bench
