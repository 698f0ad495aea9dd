// FIBRE: a function with its own stack that can be suspended and resumed.
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
  /// Runs the body until it yields or ends. Returns false once the body has ended.
  bool resume();
  /// Called by the body: returns control to resume().
  void yield();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace mpf::simt
