// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/methods/laplace/laplace_landscape.h"
#include "core/methods/method_data.h"
#include "tests/core/network/list_dataset.h"
#include "tests/core/network/made_network.h"

namespace dubito::test {

inline constexpr int kSide = 6;
inline constexpr std::int64_t kClasses = 4;

/// Small sets and networks for posteriors.
class LaplaceMethod : public ::testing::Test {
 protected:
  LaplaceMethod() {
    train_ = std::make_shared<ListDataset>(madeImages(90, kSide));
    train_->info().name = "train";
    ListDataset all = madeImages(150, kSide);
    test_ = part(all, 90, 120, "test");
    calibration_ = part(all, 120, 150, "calibration");
    data_.fit = train_;
  }

  static std::shared_ptr<ListDataset> part(ListDataset& all, std::int64_t begin, std::int64_t end,
                                           const std::string& name) {
    std::vector<Sample> samples;
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> labels;
    for (std::int64_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      samples.push_back(all.samples()[at]);
      ids.push_back(all.ids()[at]);
      labels.push_back(all.labels()[at]);
    }
    auto dataset =
        std::make_shared<ListDataset>(std::move(samples), std::move(ids), std::move(labels));
    dataset->info().name = name;
    dataset->info().spec = name;
    return dataset;
  }

  /// The pixels are the features: the same whatever shares their batch.
  [[nodiscard]] ModelPtr flat(double phase = 0.0) const {
    return madeNetwork(folder_, phase == 0.0 ? "flat" : "other", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)",
                       {{"w", spreadNumbers({kClasses, kSide * kSide}, phase)},
                        {"b", spreadNumbers({kClasses}, 1.0)}},
                       kSide);
  }

  [[nodiscard]] ModelPtr convolutional() const {
    return madeNetwork(folder_, "conv", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.relu(torch.conv2d(x, self.w1, self.b1))
    return torch.linear(torch.flatten(x, 1), self.w2, self.b2)
)",
                       {{"w1", spreadNumbers({3, 1, 3, 3}, 0.0)},
                        {"b1", spreadNumbers({3}, 1.0)},
                        {"w2", spreadNumbers({kClasses, 48}, 2.0)},
                        {"b2", spreadNumbers({kClasses}, 3.0)}},
                       kSide);
  }

  Expected<LaplaceOptions> fitted(const ModelPtr& model, const LaplaceOptions& method,
                                  std::int64_t batch = 500) {
    auto prepared = prepareMethod(*model, method, data_, {.batch = batch}, context_);
    if (!prepared) {
      return failWith(prepared);
    }
    return std::get<LaplaceOptions>(*prepared);
  }

  Expected<dubito::Run> predicted(const ModelPtr& model, const LaplaceOptions& method,
                                  std::int64_t batch = 500) {
    const auto ready = fitted(model, method, batch);
    if (!ready) {
      return failWith(ready);
    }
    return predict(*model, *test_, *ready, {.batch = batch}, context_);
  }

  static LaplaceOptions with(const std::string& structure, const std::string& link,
                             double tau = 0.5) {
    LaplaceOptions method;
    method.structure = structure;
    method.link = link;
    method.tau = tau;
    return method;
  }

  static const Array<float>& probsOf(const dubito::Run& run) {
    return std::get<Array<float>>(*run.probs);
  }

  TempDir folder_;
  std::shared_ptr<ListDataset> train_;
  std::shared_ptr<ListDataset> test_;
  std::shared_ptr<ListDataset> calibration_;
  MethodData data_;
  RunContext context_;
};

}  // namespace dubito::test
