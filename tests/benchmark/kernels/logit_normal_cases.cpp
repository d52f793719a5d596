// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/kernels/cuda/logit_normal_cuda.h"
#include "core/kernels/logit_normal_host_batch.h"
#include "core/kernels/logit_normal_mc.h"
#include "core/kernels/philox.h"
#include "tests/benchmark/kernels/case_values.h"
#include "tests/benchmark/kernels/kernel_case.h"

namespace dubito::benchmarks {
namespace {

constexpr std::uint64_t kSeed = 9;

struct NormalShape {
  std::int64_t items;
  std::int64_t classes;
  std::int64_t samples;
  std::int64_t columns = 0;  ///< of a factor that all items share; 0: a variance per logit
};

class LogitNormalCase : public KernelCase {
 public:
  explicit LogitNormalCase(const NormalShape& shape) : shape_(shape) {}

  [[nodiscard]] std::string name() const override {
    return shape_.columns > 0 ? "keyed draws, factored" : "keyed draws, diagonal";
  }
  [[nodiscard]] std::string shape() const override {
    return fmt::format("{} x {}, {} draws", shape_.items, shape_.classes, shape_.samples);
  }
  [[nodiscard]] double bytes() const override {
    const auto values = static_cast<double>(shape_.items * shape_.classes);
    return values * (2 * sizeof(float) + sizeof(double));
  }
  [[nodiscard]] std::string bound() const override { return "float32 arithmetic"; }

  void prepare() override {
    invent(RunContext());
    const LogitNormalHostBatch host(gaussians_);
    batch_ = host.batch();
    const std::int64_t values = shape_.items * shape_.classes;
    mean_ = copied(batch_.mean, values);
    deviation_ = copied(batch_.deviation, values);
    factor_ = copied(batch_.factor, batch_.noise * shape_.classes);
    stretch_ = copied(batch_.stretch, shape_.items * batch_.noise);
    ids_ = OnDevice<std::int64_t>(inventedIds(shape_.items));
    probs_ = OnDevice<double>(values);
    entropies_ = OnDevice<double>(shape_.items);
    batch_.mean = mean_.data();
    batch_.deviation = deviation_.data();
    batch_.factor = factor_.data();
    batch_.stretch = stretch_.data();
    batch_.item_ids = ids_.data();
    batch_.samples = shape_.samples;
    const auto key = siteKey(kSeed, kLogitNoiseSite, 0);
    batch_.key_low = key[0];
    batch_.key_high = key[1];
    batch_.probs = probs_.data();
    batch_.entropies = entropies_.data();
    plan_ = planLogitNormal(batch_);
    scratch_ = OnDevice<double>(plan_.globalDoubles());
  }
  void poison() override {
    probs_.poison();
    entropies_.poison();
  }
  void launch() override {
    require(launchLogitNormal(batch_, plan_, scratch_.data(), nullptr), "keyed draws");
  }
  [[nodiscard]] std::uint64_t outputHash() override {
    return addToHash(addToHash(0, probs_.read()), entropies_.read());
  }

  void prepareHost(const RunContext& context) override { invent(context); }
  void runHost(const RunContext& context) override {
    expected_ =
        logitNormalMc(gaussians_, inventedIds(shape_.items), shape_.samples, kSeed, context);
  }
  /// The tolerance of the tests: the draws are computed in float32.
  [[nodiscard]] double differenceToHost() override {
    std::vector<double> means = probs_.read();
    for (double& mean : means) {
      mean /= static_cast<double>(shape_.samples);
    }
    constexpr double kSteepest = 20.0;
    return largestDifference<double>(means, expected_.mean_probs.values(), 2e-6 * (1.0 + kSteepest),
                                     0x1p-115);
  }

 private:
  static OnDevice<float> copied(const float* host, std::int64_t size) {
    return host == nullptr ? OnDevice<float>()
                           : OnDevice<float>(std::vector<float>(host, host + size));
  }
  void invent(const RunContext& context) {
    if (gaussians_.mean.size() > 0) {
      return;
    }
    gaussians_.mean = Array<float>::zeros({shape_.items, shape_.classes});
    inventOnHost(gaussians_.mean.mutableValues(), {0.0F, 4.0F, 5}, context);
    if (shape_.columns == 0) {
      Array<float> variance = Array<float>::zeros({shape_.items, shape_.classes});
      inventOnHost(variance.mutableValues(), {1.0F, 0.9F, 6}, context);
      gaussians_.covariance = DiagonalCovariance{std::move(variance)};
      return;
    }
    FactoredCovariance factored{Array<float>::zeros({shape_.classes, shape_.columns}),
                                Array<float>::zeros({shape_.items, shape_.columns})};
    inventOnHost(factored.factor.mutableValues(), {0.0F, 0.3F, 7}, context);
    inventOnHost(factored.scale.mutableValues(), {1.0F, 0.9F, 8}, context);
    gaussians_.covariance = std::move(factored);
  }

  NormalShape shape_;
  LogitGaussians gaussians_;
  LogitNormalBatch batch_;
  LogitNormalPlan plan_;
  OnDevice<float> mean_, deviation_, factor_, stretch_;
  OnDevice<std::int64_t> ids_;
  OnDevice<double> probs_, entropies_, scratch_;
  LogitNormalSummary expected_;
};

std::vector<NormalShape> normalShapes(Sizes sizes) {
  switch (sizes) {
    case Sizes::kSmall:
      return {{1, 2, 1}, {5, 10, 33}, {2, 130, 7}, {3, 10, 9, 6}, {1, 3, 5, 12'000}};
    case Sizes::kModest:
      return {{200, 10, 200}, {20, 1000, 20}};
    case Sizes::kLarge:
      return {{10'000, 10, 1000}, {1000, 1000, 200}, {10'000, 10, 200, 10}};
    case Sizes::kExtreme:
      return {{100'000, 10, 1000},
              {10'000, 100, 1000},
              {2000, 1000, 1000},
              {20'000, 10, 1000, 10},
              {1'000'000, 3, 100}};
  }
  return {};
}

}  // namespace

void addLogitNormalCases(Sizes sizes, KernelCases& cases) {
  for (const NormalShape& shape : normalShapes(sizes)) {
    cases.push_back(std::make_unique<LogitNormalCase>(shape));
  }
}

}  // namespace dubito::benchmarks
