// The functions that an instrumented kernel calls: plain C without headers, since both sides of the
// checker include this file.
#pragma once

extern "C" {

struct SimtIndex {
  unsigned x, y, z;
};

/// The indices of the CUDA thread that is running; only one runs at a time.
struct SimtCurrent {
  SimtIndex threadIdx, blockIdx, blockDim, gridDim;
};

/// The steps that a launch may still take before it counts as endless, and its current place.
struct SimtSteps {
  unsigned long long left;
  unsigned line; ///< line of the loop that the running thread iterated last; 0: none since it was
                 ///< resumed
};

enum SimtKind { SimtLoad, SimtStore, SimtAtomic };
enum SimtCollective { SimtShuffle, SimtMin, SimtMax, SimtAdd, SimtSync, SimtMatrix };

/// A lane's registers of one mma.sync of f64, in the order of the PTX ISA.
struct SimtMatrixLane {
  int rows, terms; ///< shape of the instruction; it has 8 columns
  double *c;
  const double *a, *b;
};

struct SimtHooks {
  void *runner; ///< first argument of every hook
  const SimtCurrent *current;
  SimtSteps *steps;
  /// Called when no steps are left; does not return.
  void (*endless)(void *runner);
  /// Returns where to read or write: `address` itself, or a dummy when the access is a fault.
  void *(*access)(void *runner, unsigned site, const void *address, unsigned bytes, int kind);
  void (*barrier)(void *runner, int line);
  void (*fence)(void *runner);
  /// Returns when the word, to which other blocks add, is at least `count`. What they published
  /// there is seen then.
  void (*await)(void *runner, const unsigned *counter, unsigned count);
  /// Makes all lanes of `mask` meet. Shuffle returns the value of lane `source`; other kinds reduce
  /// ints.
  unsigned long long (*collective)(void *runner, int kind, unsigned mask, unsigned long long value,
                                   unsigned source);
  /// cp.async: reads now. The data appear in shared memory when the thread has waited for its
  /// group.
  void (*copyAsync)(void *runner, unsigned toSite, void *to, unsigned fromSite, const void *from,
                    unsigned bytes, int inside);
  void (*copyCommit)(void *runner);
  void (*copyWait)(void *runner, unsigned groupsLeft);
  /// Allows the thread to load from tables and, if mayStore, to store to them, although an earlier
  /// launch may still run until gridWait.
  void (*gridBegin)(void *runner, int mayStore);
  void (*gridWait)(void *runner);
  void *(*dynamicShared)(void *runner);
  /// Returns the static shared array number `id` of the block; all its threads get the same
  /// address.
  void *(*staticShared)(void *runner, unsigned id, unsigned long long bytes);
};

} // extern "C"
