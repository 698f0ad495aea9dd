// A binary heap of vertices whose keys can change. Every vertex is in it at most once, so it is
// never larger than the graph, however often scores change (Cormen et al., section 6.5).
#pragma once

#include "codegen/plan/order/interaction_graph.h"

#include <utility>
#include <vector>

namespace mpf {

/// `Key` must have operator<. The least key is on top; among equal keys, the smaller vertex. set()
/// and pop() take logarithmic time. Not thread-safe.
template <class Key> class VertexHeap {
public:
  explicit VertexHeap(size_t vertexCount) : keys_(vertexCount), place_(vertexCount, kAbsent) {}

  bool empty() const { return heap_.empty(); }

  /// Inserts v or changes its key.
  void set(Vertex v, const Key &key) {
    if (place_[v] == kAbsent) {
      place_[v] = heap_.size();
      heap_.push_back(v);
      keys_[v] = key;
      siftUp(place_[v]);
      return;
    }
    const bool smaller = key < keys_[v];
    keys_[v] = key;
    smaller ? siftUp(place_[v]) : siftDown(place_[v]);
  }

  /// Removes and returns the top vertex; the heap must not be empty.
  Vertex pop() {
    const Vertex top = heap_.front();
    const Vertex last = heap_.back();
    heap_.pop_back();
    place_[top] = kAbsent;
    if (!heap_.empty()) {
      put(0, last);
      siftDown(0);
    }
    return top;
  }

private:
  static constexpr size_t kAbsent = SIZE_MAX;

  bool less(Vertex a, Vertex b) const {
    return keys_[a] < keys_[b] || (!(keys_[b] < keys_[a]) && a < b);
  }
  void put(size_t at, Vertex v) {
    heap_[at] = v;
    place_[v] = at;
  }
  void siftUp(size_t at) {
    const Vertex v = heap_[at];
    for (; at > 0 && less(v, heap_[(at - 1) / 2]); at = (at - 1) / 2)
      put(at, heap_[(at - 1) / 2]);
    put(at, v);
  }
  void siftDown(size_t at) {
    const Vertex v = heap_[at];
    for (size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size() && less(heap_[child + 1], heap_[child]))
        ++child;
      if (!less(heap_[child], v))
        break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, v);
  }

  std::vector<Key> keys_;     ///< by vertex
  std::vector<size_t> place_; ///< by vertex
  std::vector<Vertex> heap_;
};

} // namespace mpf
