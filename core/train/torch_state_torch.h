// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/device.h"

namespace dubito {

/// A device as torch names it.
[[nodiscard]] at::Device torchDevice(const Device& device);

/// The generator that dropout draws from on this device.
[[nodiscard]] at::Generator generatorOf(const at::Device& device);

/// While it lives, torch uses `threads` threads, and its default generators of the processor (which
/// initial weights are drawn from) and of `device` (which dropout in training draws from) run from
/// `seed`; afterwards all are as before.
class TorchState {
 public:
  TorchState(int threads, std::uint64_t seed, const at::Device& device);
  ~TorchState();
  TorchState(const TorchState&) = delete;
  TorchState& operator=(const TorchState&) = delete;

  /// The default generator of the processor.
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
