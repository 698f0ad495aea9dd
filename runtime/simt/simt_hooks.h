// What an instrumented kernel calls: plain C, no headers, included by both sides of the checker.
#pragma once

extern "C" {

struct SimtIndex {
  unsigned x, y, z;
};

/// The CUDA thread that runs at the moment; one at a time.
struct SimtCurrent {
  SimtIndex threadIdx, blockIdx, blockDim, gridDim;
};

enum SimtKind { SimtLoad, SimtStore, SimtAtomic };
enum SimtCollective { SimtShuffle, SimtMin, SimtMax, SimtAdd, SimtSync, SimtMatrix };

/// A lane's registers of one mma.sync of f64, in the order of the PTX ISA.
struct SimtMatrixLane {
  int rows, terms; ///< of the instruction; it has 8 columns
  double *c;
  const double *a, *b;
};

struct SimtHooks {
  void *runner; ///< first argument of every hook
  const SimtCurrent *current;
  /// Where to read or write instead: the address itself, or a dummy when it is out of bounds.
  void *(*access)(void *runner, unsigned site, const void *address, unsigned bytes, int kind);
  void (*barrier)(void *runner, int line);
  void (*fence)(void *runner);
  /// All lanes of `mask` meet; Shuffle returns the value of `source`, the others reduce ints.
  unsigned long long (*collective)(void *runner, int kind, unsigned mask, unsigned long long value,
                                   unsigned source);
  /// cp.async: what is read now appears in shared memory when the thread has waited for its group.
  void (*copyAsync)(void *runner, unsigned toSite, void *to, unsigned fromSite, const void *from,
                    unsigned bytes, int inside);
  void (*copyCommit)(void *runner);
  void (*copyWait)(void *runner, unsigned groupsLeft);
  /// From here on tables may be loaded from, and perhaps stored to, though the launch before may
  /// still be running until gridWait.
  void (*gridBegin)(void *runner, int mayStore);
  void (*gridWait)(void *runner);
  void *(*dynamicShared)(void *runner);
  /// The same block-wide array for every thread of a block that names `id`.
  void *(*staticShared)(void *runner, unsigned id, unsigned long long bytes);
};

} // extern "C"
