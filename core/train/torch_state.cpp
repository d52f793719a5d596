// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <mutex>

#include "core/train/torch_state_torch.h"

namespace dubito {

TorchState::TorchState(int threads, std::uint64_t seed) : threads_before_(at::get_num_threads()) {
  at::set_num_threads(threads);
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::scoped_lock lock(generator.mutex());
  generator_before_ = generator.get_state();
  generator.set_current_seed(seed);
}

TorchState::~TorchState() {
  at::set_num_threads(threads_before_);
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(generator_before_);
}

const at::Generator& TorchState::generator() const {
  return at::detail::getDefaultCPUGenerator();
}

}  // namespace dubito
