// SPDX-License-Identifier: GPL-3.0-or-later
// The generators that training draws from. There may be no GPU, so torch's place for devices of
// other makers gets one here, whose random numbers are made by the processor.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <gtest/gtest.h>

#include "core/train/torch_state_torch.h"

namespace dubito {
namespace {

/// A device with nothing but a generator.
struct OtherDevice : at::PrivateUse1HooksInterface {
  [[nodiscard]] bool hasPrimaryContext(at::DeviceIndex /*index*/) const override { return true; }
  [[nodiscard]] const at::Generator& getDefaultGenerator(at::DeviceIndex /*index*/) const override {
    return generator;
  }
  void init() const override {}

  at::Generator generator = at::detail::createCPUGenerator(99);
};

const OtherDevice& otherDevice() {
  static OtherDevice* const device = [] {
    auto* const made = new OtherDevice;  // torch keeps it until the end
    at::RegisterPrivateUse1HooksInterface(made);
    return made;
  }();
  return *device;
}

/// That device, which is there from the first call on.
at::Device placeOfOther() {
  static_cast<void>(otherDevice());
  return {at::kPrivateUse1, 0};
}

at::Tensor drawn(const at::Generator& generator) {
  return at::rand({8}, generator);
}

TEST(TorchState, SeedsTheGeneratorOfTheDevice) {
  const at::Device device = placeOfOther();
  const at::Generator& of_device = otherDevice().generator;
  const auto drawnWith = [&](std::uint64_t seed) {
    const TorchState state(1, seed, device);
    return drawn(of_device);
  };
  const at::Tensor first = drawnWith(1);
  EXPECT_TRUE(at::equal(drawnWith(1), first));
  EXPECT_FALSE(at::equal(drawnWith(2), first));
  EXPECT_TRUE(at::equal(first, drawn(at::detail::createCPUGenerator(1))));
}

TEST(TorchState, LeavesAllGeneratorsAsTheyWere) {
  const at::Device device = placeOfOther();
  for (at::Generator generator : {generatorOf(device), generatorOf(at::kCPU)}) {
    generator.set_current_seed(5);
    const at::Tensor undisturbed = drawn(generator);
    generator.set_current_seed(5);
    {
      const TorchState state(1, 1, device);
      static_cast<void>(drawn(generatorOf(device)));
      static_cast<void>(drawn(state.generator()));
    }
    EXPECT_TRUE(at::equal(drawn(generator), undisturbed));
  }
}

TEST(TorchState, TheProcessorIsSeededWhateverTheDevice) {
  for (const at::Device device : {placeOfOther(), at::Device(at::kCPU)}) {
    const TorchState state(1, 7, device);
    EXPECT_TRUE(at::equal(drawn(state.generator()), drawn(at::detail::createCPUGenerator(7))));
  }
}

}  // namespace
}  // namespace dubito
