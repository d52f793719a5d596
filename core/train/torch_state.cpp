// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <mutex>

#include "core/train/torch_state_torch.h"

namespace dubito {

at::Device torchDevice(const Device& device) {
  return device.isCuda() ? at::Device(at::kCUDA, static_cast<at::DeviceIndex>(device.index))
                         : at::Device(at::kCPU);
}

at::Generator generatorOf(const at::Device& device) {
  return at::globalContext().defaultGenerator(device);
}

TorchState::TorchState(int threads, std::uint64_t seed, const at::Device& device)
    : threads_before_(at::get_num_threads()) {
  at::set_num_threads(threads);
  seeded_.push_back({generatorOf(at::kCPU), {}});
  if (!device.is_cpu()) {
    seeded_.push_back({generatorOf(device), {}});
  }
  for (Seeded& seeded : seeded_) {
    const std::scoped_lock lock(seeded.generator.mutex());
    seeded.state_before = seeded.generator.get_state();
    seeded.generator.set_current_seed(seed);
  }
}

TorchState::~TorchState() {
  at::set_num_threads(threads_before_);
  for (Seeded& seeded : seeded_) {
    const std::scoped_lock lock(seeded.generator.mutex());
    seeded.generator.set_state(seeded.state_before);
  }
}

const at::Generator& TorchState::generator() const {
  return seeded_.front().generator;
}

}  // namespace dubito
