// Measures the rate at which a GPU writes runs of given lengths, like tiles of kernels. Rows have
// `row` bytes. Every block writes runs of `run` bytes in `rows` rows, `pages` times, with 16 bytes
// per lane. Build and run:
//   nvcc -O3 -arch=native -std=c++17 write_runs.cu -o write_runs && ./write_runs
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

struct Shape {
  int rows;  ///< that a block writes in a page
  int lanes; ///< of these side by side as lanes
  int pages;
};

__global__ void writeRuns(char *out, long row, int run, Shape shape) {
  const int lanes = run / 16, lane = threadIdx.x % lanes, lanesRow = threadIdx.x / lanes;
  const long runs = row / run, column = blockIdx.x % runs * run + lane * 16;
  const long group = blockIdx.x / runs;
  for (int page = 0; page < shape.pages; ++page) {
    const long first = (group * shape.pages + page) * shape.rows;
#pragma unroll 8
    for (int r = 0; r < shape.rows / shape.lanes; ++r)
      *reinterpret_cast<float4 *>(out + (first + lanesRow * (shape.rows / shape.lanes) + r) * row +
                                  column) = make_float4(1, 2, 3, 4);
  }
}

int main() {
  constexpr size_t kBytes = size_t{800} << 20;
  constexpr int kRunsInRow = 45;
  char *out = nullptr;
  cudaMalloc(&out, kBytes);
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  const std::vector<Shape> shapes = {{8, 1, 1}, {16, 2, 1}, {8, 4, 8}, {8, 1, 8}, {32, 4, 4}};
  std::printf("TB/s; columns: rows of a block, side by side as lanes, pages\n run");
  for (const Shape &shape : shapes)
    std::printf("  %2d,%d,%d", shape.rows, shape.lanes, shape.pages);
  std::printf("\n");
  for (const int run : {32, 64, 128, 256, 384, 432, 480, 496, 512, 528, 1008, 1024, 1040, 1152,
                        2048, 2064, 2080, 3072}) {
    const long row = long{kRunsInRow} * run;
    std::printf("%4d", run);
    for (const Shape &shape : shapes) {
      const long groups = static_cast<long>(kBytes) / row / (shape.rows * shape.pages);
      const auto blocks = static_cast<unsigned>(groups * kRunsInRow);
      std::vector<float> times;
      for (int i = 0; i < 5; ++i) {
        cudaEventRecord(before);
        writeRuns<<<blocks, run / 16 * shape.lanes>>>(out, row, run, shape);
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        times.push_back(0);
        cudaEventElapsedTime(&times.back(), before, after);
      }
      std::sort(times.begin(), times.end());
      const double bytes = static_cast<double>(groups) * shape.rows * shape.pages * row;
      std::printf("  %6.2f", bytes / times[2] * 1e-9);
    }
    std::printf("\n");
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
