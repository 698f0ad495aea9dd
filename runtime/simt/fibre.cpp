#include "runtime/simt/fibre.h"

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <vector>

namespace mpf::simt {

namespace context = boost::context::detail;

namespace {

/// The stacks of a thread's fibres. Some are kept for later fibres, because mapping a stack and its
/// guard page costs as much as running a short kernel.
class Stacks {
public:
  Stacks() { free_.reserve(kMostKept); }
  Stacks(const Stacks &) = delete;
  ~Stacks() {
    for (boost::context::stack_context &stack : free_)
      allocator_.deallocate(stack);
  }

  boost::context::stack_context take() {
    if (free_.empty())
      return allocator_.allocate();
    const boost::context::stack_context stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give(boost::context::stack_context stack) noexcept {
    if (free_.size() < kMostKept)
      free_.push_back(stack);
    else
      allocator_.deallocate(stack);
  }

private:
  static constexpr size_t kStackBytes = 128 * 1024;
  static constexpr size_t kMostKept = 2048; ///< stacks; one or two pages of each were touched
  /// Stacks with a guard page, because a kernel that a user edited may overflow its stack.
  boost::context::protected_fixedsize_stack allocator_{kStackBytes};
  std::vector<boost::context::stack_context> free_;
};

Stacks &stacksOfThread() {
  thread_local Stacks stacks;
  return stacks;
}

} // namespace

// fcontext switches in 40 ns; ucontext makes a system call for the signal mask.
struct Fibre::State {
  boost::context::stack_context stack = stacksOfThread().take();
  context::fcontext_t inside = nullptr, outside = nullptr;
  std::function<void()> body;
  bool running = false;

  ~State() { stacksOfThread().give(stack); }

  static void enter(context::transfer_t transfer) {
    State *const state = static_cast<State *>(transfer.data);
    state->outside = transfer.fctx;
    state->body();
    state->running = false;
    context::jump_fcontext(state->outside, nullptr);
  }
};

Fibre::Fibre() : state_(std::make_unique<State>()) {}
Fibre::~Fibre() = default;
Fibre::Fibre(Fibre &&) noexcept = default;

void Fibre::start(std::function<void()> body) {
  state_->body = std::move(body);
  state_->inside = context::make_fcontext(state_->stack.sp, state_->stack.size, &State::enter);
  state_->running = true;
}

bool Fibre::resume() {
  state_->inside = context::jump_fcontext(state_->inside, state_.get()).fctx;
  return state_->running;
}

void Fibre::yield() { state_->outside = context::jump_fcontext(state_->outside, nullptr).fctx; }

} // namespace mpf::simt
