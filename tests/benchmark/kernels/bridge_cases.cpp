// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/kernels/cuda/laplace_bridge_cuda.h"
#include "core/kernels/laplace_bridge.h"
#include "tests/benchmark/kernels/case_values.h"
#include "tests/benchmark/kernels/kernel_case.h"

namespace dubito::benchmarks {
namespace {

class BridgeCase : public KernelCase {
 public:
  BridgeCase(std::int64_t items, std::int64_t classes) : items_(items), classes_(classes) {}

  [[nodiscard]] std::string name() const override { return "bridge-centred"; }
  [[nodiscard]] std::string shape() const override {
    return fmt::format("{} x {}", items_, classes_);
  }
  [[nodiscard]] double bytes() const override {
    return 3.0 * sizeof(float) * static_cast<double>(elements());
  }

  void prepare() override {
    mean_ = inventedOnDevice(elements(), kMean);
    variance_ = inventedOnDevice(elements(), kVariance);
    log_alpha_ = OnDevice<float>(elements());
    task_.mean = mean_.data();
    task_.variance = variance_.data();
    task_.items = items_;
    task_.classes = classes_;
    task_.log_alpha = log_alpha_.data();
  }
  void poison() override { log_alpha_.poison(); }
  void launch() override { require(launchBridgeDiagonal(task_, nullptr), "bridge"); }
  [[nodiscard]] std::uint64_t outputHash() override { return addToHash(0, log_alpha_.read()); }

  void prepareHost(const RunContext& context) override {
    gaussians_.mean = Array<float>::zeros({items_, classes_});
    Array<float> variance = Array<float>::zeros({items_, classes_});
    inventOnHost(gaussians_.mean.mutableValues(), kMean, context);
    inventOnHost(variance.mutableValues(), kVariance, context);
    gaussians_.covariance = DiagonalCovariance{std::move(variance)};
  }
  void runHost(const RunContext& context) override {
    expected_ = laplaceBridge(gaussians_, BridgeVariant::kCentred, context);
  }
  /// The tolerance of the tests.
  [[nodiscard]] double differenceToHost() override {
    return largestDifference<float>(log_alpha_.read(), expected_.values(), 1e-6, 1e-5);
  }

 private:
  static constexpr Spread kMean{0.0F, 6.0F, 2};
  static constexpr Spread kVariance{1.0F, 0.9F, 3};

  [[nodiscard]] std::int64_t elements() const { return items_ * classes_; }

  std::int64_t items_;
  std::int64_t classes_;
  DiagonalBridgeTask task_;
  OnDevice<float> mean_, variance_, log_alpha_;
  LogitGaussians gaussians_;
  Array<float> expected_;
};

}  // namespace

void addBridgeCases(Sizes sizes, KernelCases& cases) {
  const auto add = [&cases](std::int64_t items, std::int64_t classes) {
    cases.push_back(std::make_unique<BridgeCase>(items, classes));
  };
  if (sizes == Sizes::kSmall) {
    add(1, 2);
    add(67, 10);
    add(5, 33);
    add(3, 1000);
    return;
  }
  if (sizes == Sizes::kModest) {
    add(20'000, 10);
    add(1000, 1000);
    return;
  }
  add(20'000'000, 3);
  add(5'000'000, 10);
  add(500'000, 100);
  add(50'000, 1000);
  if (sizes == Sizes::kExtreme) {
    add(100'000'000, 2);
  }
}

}  // namespace dubito::benchmarks
