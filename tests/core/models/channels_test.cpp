// SPDX-License-Identifier: GPL-3.0-or-later
// How many channels images have, where the metadata states only their size.
#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <string>

#include "core/models/model.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// A network that takes any number of channels: the mean and the largest value of each, from which
/// the number of classes tells what it was given.
Expected<ModelPtr> openAnyChannels(const test::TempDir& folder, const std::string& metadata) {
  torch::jit::Module module("network");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return torch.cat([x.mean([2, 3]), x.amax([2, 3])], 1)\n");
  module.save(folder.file("net.pt"), {{"metadata.json", metadata}});
  RunContext context;
  return loadModel(folder.file("net.pt"), {}, context);
}

TEST(Channels, AreThoseOfTheValuesPerChannel) {
  const test::TempDir folder;
  const auto colour = openAnyChannels(
      folder, R"({"size": {"height": 8, "width": 8}, "image_mean": [0.5, 0.4, 0.3]})");
  ASSERT_OK(colour);
  EXPECT_EQ((*colour)->metadata().preprocessing.channels, 3);
  EXPECT_EQ((*colour)->audit().classes, 6);
  const auto grey = openAnyChannels(folder, R"({"input_size": 8, "mean": 0.5})");
  ASSERT_OK(grey);
  EXPECT_EQ((*grey)->metadata().preprocessing.channels, 1);
  EXPECT_EQ((*grey)->audit().classes, 2);
}

TEST(Channels, OfAFirstLayerComeBeforeGrey) {
  const test::TempDir folder;
  for (const std::int64_t channels : {1, 3}) {
    torch::jit::Module module("network");
    module.register_attribute("training", c10::BoolType::get(), false);
    module.register_parameter("w", at::ones({4, channels, 3, 3}), false);
    // Grey images would be repeated in three channels.
    module.define(
        "def forward(self, x: Tensor) -> Tensor:\n"
        "    c = self.w.size(1)\n"
        "    return torch.conv2d(x.expand(x.size(0), c, x.size(2), x.size(3)), self.w).mean([2, "
        "3])\n");
    module.save(folder.file("net.pt"), {{"metadata.json", R"({"input_size": 8})"}});
    RunContext context;
    const auto model = loadModel(folder.file("net.pt"), {}, context);
    ASSERT_OK(model);
    EXPECT_EQ((*model)->metadata().preprocessing.channels, channels);
  }
}

TEST(Channels, OtherThanThoseOfTheValuesAreRefused) {
  const test::TempDir folder;
  torch::jit::Module module("network");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_parameter("w", at::ones({4, 1, 3, 3}), false);
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return torch.conv2d(x, self.w).mean([2, 3])\n");
  module.save(folder.file("net.pt"),
              {{"metadata.json", R"({"input_size": 8, "mean": [0.5, 0.4, 0.3]})"}});
  RunContext context;
  const auto model = loadModel(folder.file("net.pt"), {}, context);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("3"));
}

}  // namespace
}  // namespace dubito
