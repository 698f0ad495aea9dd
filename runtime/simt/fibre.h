// A fibre: a function with a stack of its own that can stop in the middle and be resumed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace mpf::simt {

/// Runs one function at a time and can be used again when it has ended. Not thread-safe. The
/// function must not throw.
class Fibre {
public:
  Fibre();
  ~Fibre();
  Fibre(Fibre &&) noexcept;
  Fibre(const Fibre &) = delete;

  void start(std::function<void()> body);
  /// Runs the body until it yields or ends; true while it is not at its end.
  bool resume();
  /// Called from inside the body: back to resume().
  void yield();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace mpf::simt
