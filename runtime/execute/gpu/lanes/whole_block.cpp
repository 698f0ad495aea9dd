#include "runtime/execute/gpu/lanes/whole_block.h"

#include "dsl/support/error.h"

#include <cstddef>
#include <limits>

namespace mpf {

WholeBlock::WholeBlock(LaneLauncher &launcher, const LanePacking &packing)
    : launcher_(launcher), packing_(packing) {}

void WholeBlock::reserve(uint32_t cases) {
  if (cases <= cases_.pitch)
    return;
  constexpr uint64_t kStep = 256; // rows of words consist of whole sectors
  const uint64_t pitch = (uint64_t{cases} + kStep - 1) / kStep * kStep;
  if (pitch > static_cast<uint64_t>(std::numeric_limits<int>::max()))
    fail(ErrorKind::MemoryBound, "a block of {} cases is more than a launch numbers", cases);
  cases_.reserve(launcher_.device(), launcher_.caseSize(), pitch);
}

void WholeBlock::upload(const CaseBlock &block) {
  cases_.count = now_.count = 0; // nothing is launched if the device refuses memory
  reserve(block.count);
  std::vector<uint32_t> words(launcher_.kernel().wordCount() * cases_.pitch);
  std::vector<std::byte> weights(launcher_.caseSize().weightBytes * cases_.pitch);
  packing_.pack(block, {0, block.count, cases_.pitch}, cases_.pitch, words.data(), weights.data(),
                packing_.poolOfCaller());
  cases_.codes.upload(words.data(), words.size() * sizeof(uint32_t));
  if (!weights.empty())
    cases_.weights.upload(weights.data(), weights.size());
  launcher_.device().synchronize();
  cases_.count = block.count;
  now_ = cases_.pointers();
}

void WholeBlock::fetch(CaseAnswers &answers, std::vector<uint32_t> &left) {
  std::vector<std::byte> results(launcher_.caseSize().resultBytes * cases_.pitch);
  std::vector<int32_t> exponents(launcher_.kernel().exponentOutputs.size() * cases_.pitch);
  std::vector<uint32_t> states(answers.variables * cases_.pitch);
  cases_.results.download(results.data(), results.size());
  cases_.exponents.download(exponents.data(), exponents.size() * sizeof(int32_t));
  cases_.states.download(states.data(), states.size() * sizeof(uint32_t));
  launcher_.device().synchronize();
  left.clear();
  packing_.read({cases_.pitch, results.data(), exponents.data(), states.data()},
                {0, answers.count, answers.count}, answers, left, packing_.poolOfCaller());
}

void WholeBlock::run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  const std::lock_guard lock(mutex_);
  upload(block);
  launcher_.launch(now_, launcher_.device().stream());
  fetch(answers, left);
}

} // namespace mpf
