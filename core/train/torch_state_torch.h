// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/device.h"

namespace dubito {

/// The torch device for `device`.
[[nodiscard]] at::Device torchDevice(const Device& device);

/// The generator that dropout uses on this device.
[[nodiscard]] at::Generator generatorOf(const at::Device& device);

/// For its lifetime, makes torch use `threads` threads and seeds its default generators of the CPU
/// (for initial weights) and of `device` (for dropout in training) with `seed`. The destructor
/// restores the previous state.
class TorchState {
 public:
  TorchState(int threads, std::uint64_t seed, const at::Device& device);
  ~TorchState();
  TorchState(const TorchState&) = delete;
  TorchState& operator=(const TorchState&) = delete;

  /// The default generator of the CPU.
  [[nodiscard]] const at::Generator& generator() const;

 private:
  struct Seeded {
    at::Generator generator;
    at::Tensor state_before;
  };

  int threads_before_;
  std::vector<Seeded> seeded_;
};

}  // namespace dubito
