// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dubito {

/// While it lives, torch uses `threads` threads and its default generator of the processor runs
/// from `seed` (dropout in training draws from it); afterwards both are as before.
class TorchState {
 public:
  TorchState(int threads, std::uint64_t seed);
  ~TorchState();
  TorchState(const TorchState&) = delete;
  TorchState& operator=(const TorchState&) = delete;

  /// The default generator.
  [[nodiscard]] const at::Generator& generator() const;

 private:
  int threads_before_;
  at::Tensor generator_before_;
};

}  // namespace dubito
