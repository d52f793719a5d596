// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmark/kernels/card.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/benchmark/kernels/case_values.h"
#include "tests/benchmark/kernels/event_timer.h"

namespace dubito::benchmarks {
namespace {

/// GB/s, read plus written, of copies many times the cache.
double copyBandwidth(std::int64_t bytes) {
  const std::int64_t floats = bytes / static_cast<std::int64_t>(sizeof(float));
  const OnDevice<float> from = inventedOnDevice(floats, {});
  const OnDevice<float> to(floats);
  const double milliseconds = medianMilliseconds([&] {
    require(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice),
            "copy on the device");
  });
  return 2.0 * static_cast<double>(from.bytes()) / (milliseconds * 1e6);
}

/// GB/s from page-locked host memory to the device.
double uploadBandwidth(std::size_t bytes) {
  void* host = nullptr;
  require(cudaMallocHost(&host, bytes), "cudaMallocHost");
  const OnDevice<char> device(static_cast<std::int64_t>(bytes));
  const double milliseconds = medianMilliseconds([&] {
    require(cudaMemcpyAsync(device.data(), host, bytes, cudaMemcpyHostToDevice), "upload");
  });
  static_cast<void>(cudaFreeHost(host));
  return static_cast<double>(bytes) / (milliseconds * 1e6);
}

/// TFLOP/s.
double multiplyAddRate(int multiprocessors) {
  const OnDevice<float> sink(1);
  double operations = 0.0;
  const double milliseconds = medianMilliseconds(
      [&] { operations = multiplyAdd(multiprocessors, std::int64_t{1} << 16, sink.data()); });
  return operations / (milliseconds * 1e9);
}

}  // namespace

nlohmann::json describeCard() {
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  int driver = 0;
  require(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  const auto whole = static_cast<std::int64_t>(properties.totalGlobalMem);
  const std::int64_t buffer = std::min(std::int64_t{1} << 30, whole / 8);
  return {{"name", properties.name},
          {"compute_capability", fmt::format("{}.{}", properties.major, properties.minor)},
          {"multiprocessors", properties.multiProcessorCount},
          {"memory_bytes", whole},
          {"l2_bytes", properties.l2CacheSize},
          {"cuda_of_driver", fmt::format("{}.{}", driver / 1000, driver % 1000 / 10)},
          {"copy_gb_per_s", copyBandwidth(buffer)},
          {"upload_gb_per_s", uploadBandwidth(std::size_t{1} << 28)},
          {"float32_tflops", multiplyAddRate(properties.multiProcessorCount)}};
}

}  // namespace dubito::benchmarks
