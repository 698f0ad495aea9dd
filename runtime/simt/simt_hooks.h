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

/// What a launch may still do before it is taken for one that never ends, and where it is.
struct SimtSteps {
  unsigned long long left;
  unsigned
      line; ///< of the loop whose turn the running thread began last; 0: of none since it went on
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
  /// No steps are left; does not return.
  void (*endless)(void *runner);
  /// Returns where to read or write: `address` itself, or a dummy when the access is a fault.
  void *(*access)(void *runner, unsigned site, const void *address, unsigned bytes, int kind);
  void (*barrier)(void *runner, int line);
  void (*fence)(void *runner);
  /// Returns when the word, to which other blocks add, is at least `count`; they are seen then.
  void (*await)(void *runner, const unsigned *counter, unsigned count);
  /// All lanes of `mask` meet; Shuffle returns the value of `source`, the others reduce ints.
  unsigned long long (*collective)(void *runner, int kind, unsigned mask, unsigned long long value,
                                   unsigned source);
  /// cp.async: reads now; the data appear in shared memory when the thread has waited for its
  /// group.
  void (*copyAsync)(void *runner, unsigned toSite, void *to, unsigned fromSite, const void *from,
                    unsigned bytes, int inside);
  void (*copyCommit)(void *runner);
  void (*copyWait)(void *runner, unsigned groupsLeft);
  /// From here on the thread may load from tables and, if mayStore, store to them, although an
  /// earlier launch may still be running until gridWait.
  void (*gridBegin)(void *runner, int mayStore);
  void (*gridWait)(void *runner);
  void *(*dynamicShared)(void *runner);
  /// The static shared array number `id` of the block; the same for all its threads.
  void *(*staticShared)(void *runner, unsigned id, unsigned long long bytes);
};

} // extern "C"
