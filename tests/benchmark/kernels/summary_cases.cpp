// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/kernels/cuda/predictive_summary_cuda.h"
#include "core/kernels/predictive_summary.h"
#include "tests/benchmark/kernels/case_values.h"
#include "tests/benchmark/kernels/kernel_case.h"

namespace dubito::benchmarks {
namespace {

/// The outputs per item that are real numbers.
constexpr double* SummaryTask::*const kColumns[] = {
    &SummaryTask::entropy,         &SummaryTask::expected_entropy, &SummaryTask::mutual_information,
    &SummaryTask::variation_ratio, &SummaryTask::variance,         &SummaryTask::confidence,
    &SummaryTask::log_rest};
constexpr Array<double> PredictiveSummary::*const kHostColumns[] = {
    &PredictiveSummary::entropy,
    &PredictiveSummary::expected_entropy,
    &PredictiveSummary::mutual_information,
    &PredictiveSummary::variation_ratio,
    &PredictiveSummary::variance,
    &PredictiveSummary::confidence,
    &PredictiveSummary::log_rest};

struct SummaryShape {
  std::int64_t draws;
  std::int64_t items;
  std::int64_t classes;
};

class SummaryCase : public KernelCase {
 public:
  explicit SummaryCase(const SummaryShape& shape) : shape_(shape) {}

  [[nodiscard]] std::string name() const override { return "summary of draws"; }
  [[nodiscard]] std::string shape() const override {
    return fmt::format("{} x {} x {}", shape_.draws, shape_.items, shape_.classes);
  }
  [[nodiscard]] double bytes() const override {
    const auto values = static_cast<double>(rowsOfOne());
    return sizeof(float) * values * static_cast<double>(shape_.draws) + sizeof(double) * values +
           (std::size(kColumns) + 1) * sizeof(double) * static_cast<double>(shape_.items);
  }

  /// An exponential in double for each number.
  [[nodiscard]] std::string bound() const override { return "float64 arithmetic"; }

  void prepare() override {
    logits_ = inventedOnDevice(rowsOfOne() * shape_.draws, kLogits);
    std::vector<const float*> draws;
    for (std::int64_t t = 0; t < shape_.draws; ++t) {
      draws.push_back(logits_.data() + t * rowsOfOne());
    }
    input_ = OnDevice<const float*>(draws);
    mean_ = OnDevice<double>(rowsOfOne());
    columns_ = OnDevice<double>(static_cast<std::int64_t>(std::size(kColumns)) * shape_.items);
    predictions_ = OnDevice<std::int64_t>(shape_.items);
    powers_ = OnDevice<double>(rowsOfOne());
    first_ = OnDevice<double>(rowsOfOne());
    votes_ = OnDevice<int>(rowsOfOne());
    task_.input = input_.data();
    task_.input_is_logits = true;
    task_.draws = shape_.draws;
    task_.items = shape_.items;
    task_.classes = shape_.classes;
    task_.mean_probs = mean_.data();
    task_.predictions = predictions_.data();
    for (std::size_t c = 0; c < std::size(kColumns); ++c) {
      task_.*kColumns[c] = columns_.data() + static_cast<std::int64_t>(c) * shape_.items;
    }
  }
  void poison() override {
    mean_.poison();
    columns_.poison();
    predictions_.poison();
  }
  void launch() override {
    require(launchSummary(task_, {powers_.data(), first_.data(), votes_.data()}, nullptr),
            "summary");
  }
  [[nodiscard]] std::uint64_t outputHash() override {
    return addToHash(addToHash(addToHash(0, mean_.read()), columns_.read()), predictions_.read());
  }

  void prepareHost(const RunContext& context) override {
    host_logits_ = Array<float>::zeros({shape_.draws, shape_.items, shape_.classes});
    inventOnHost(host_logits_.mutableValues(), kLogits, context);
  }
  void runHost(const RunContext& context) override {
    expected_ = summariseLogits(host_logits_, context);
  }
  /// The tolerance of the tests.
  [[nodiscard]] double differenceToHost() override {
    double largest =
        largestDifference<double>(mean_.read(), expected_.mean_probs.values(), 1e-11, 2e-14);
    for (std::size_t c = 0; c < std::size(kColumns); ++c) {
      const std::vector<double> column =
          columns_.read(static_cast<std::int64_t>(c) * shape_.items, shape_.items);
      largest = std::max(largest, largestDifference<double>(
                                      column, (expected_.*kHostColumns[c]).values(), 1e-11, 2e-14));
    }
    const std::vector<std::int64_t> predictions = predictions_.read();
    const bool same = std::ranges::equal(predictions, expected_.predictions.values());
    return same ? largest : std::numeric_limits<double>::infinity();
  }

 private:
  static constexpr Spread kLogits{0.0F, 6.0F, 4};

  [[nodiscard]] std::int64_t rowsOfOne() const { return shape_.items * shape_.classes; }

  SummaryShape shape_;
  SummaryTask task_;
  OnDevice<float> logits_;
  OnDevice<const float*> input_;
  OnDevice<double> mean_, columns_, powers_, first_;
  OnDevice<std::int64_t> predictions_;
  OnDevice<int> votes_;
  Array<float> host_logits_;
  PredictiveSummary expected_;
};

std::vector<SummaryShape> summaryShapes(Sizes sizes) {
  switch (sizes) {
    case Sizes::kSmall:
      return {{1, 1, 1}, {3, 67, 10}, {7, 19, 17}, {4, 9, 33}, {3, 3, 1000}, {2, 2, 1030}};
    case Sizes::kModest:
      return {{20, 2000, 10}, {20, 100, 1000}};
    case Sizes::kLarge:
      return {{50, 10'000, 10}, {50, 500'000, 10}, {50, 100'000, 100}, {50, 10'000, 1000}};
    case Sizes::kExtreme:
      return {{50, 10'000, 10},   {50, 1'000'000, 3}, {50, 500'000, 10},   {50, 100'000, 100},
              {50, 10'000, 1000}, {20, 1000, 21'841}, {2, 100'000'000, 2}, {1, 1'000'000, 10}};
  }
  return {};
}

}  // namespace

void addSummaryCases(Sizes sizes, KernelCases& cases) {
  for (const SummaryShape& shape : summaryShapes(sizes)) {
    cases.push_back(std::make_unique<SummaryCase>(shape));
  }
}

}  // namespace dubito::benchmarks
