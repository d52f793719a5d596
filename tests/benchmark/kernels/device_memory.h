// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dubito::benchmarks {

/// Throws std::runtime_error with the runtime's words unless `status` is cudaSuccess.
inline void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
  }
}

/// `size` elements in the memory of the current device, uninitialised.
template <class T>
class OnDevice {
 public:
  OnDevice() = default;
  explicit OnDevice(std::int64_t size) : size_(size) {
    if (size > 0) {
      require(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()), "cudaMalloc");
    }
  }
  explicit OnDevice(const std::vector<T>& host) : OnDevice(static_cast<std::int64_t>(host.size())) {
    require(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice), "copy to the device");
  }
  ~OnDevice() { static_cast<void>(cudaFree(data_)); }
  OnDevice(OnDevice&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  OnDevice& operator=(OnDevice&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

  /// Elements [begin, begin + count) in host memory, after all work before.
  [[nodiscard]] std::vector<T> read(std::int64_t begin, std::int64_t count) const {
    std::vector<T> host(static_cast<std::size_t>(count));
    require(cudaMemcpy(host.data(), data_ + begin, host.size() * sizeof(T), cudaMemcpyDeviceToHost),
            "copy from the device");
    return host;
  }
  [[nodiscard]] std::vector<T> read() const { return read(0, size_); }

  /// Sets all bytes to 0xFF, so that elements that a kernel does not write are noticed.
  void poison() const { require(cudaMemset(data_, 0xFF, bytes()), "cudaMemset"); }
  void clear() const { require(cudaMemset(data_, 0, bytes()), "cudaMemset"); }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace dubito::benchmarks
