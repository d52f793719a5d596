// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/tempered_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Logits of standard deviation `spread` about `centre`; one class of every third item is masked.
LogitTable someTable(std::int64_t items, std::int64_t classes, double spread, double centre) {
  std::mt19937 random(static_cast<unsigned>(items + classes));
  std::normal_distribution<double> normal(centre, spread);
  LogitTable table;
  table.logits = Array<double>::zeros({items, classes});
  for (std::int64_t i = 0; i < items; ++i) {
    std::ranges::generate(table.logits.mutableRow(i), [&] { return normal(random); });
    table.labels.push_back(static_cast<std::int64_t>(random()) % classes);
    if (i % 3 == 0 && classes > 2) {
      table.logits.mutableRow(i)[static_cast<std::size_t>((table.labels.back() + 1) % classes)] =
          -kInfinity;
    }
  }
  return table;
}

/// The definitions, item by item in extended precision.
CalibrationScores plainScores(const LogitTable& table, double beta) {
  struct Bin {
    long double confidence = 0.0L;
    long double correct = 0.0L;
  };
  std::vector<Bin> bins(static_cast<std::size_t>(kCalibrationBins));
  const auto items = static_cast<long double>(table.labels.size());
  long double loss = 0.0L;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const std::span<const double> row = table.logits.row(static_cast<std::int64_t>(i));
    const auto top = std::ranges::max_element(row) - row.begin();
    long double sum = 0.0L;
    for (const double z : row) {
      sum += std::exp(static_cast<long double>(beta) *
                      (static_cast<long double>(z) - row[static_cast<std::size_t>(top)]));
    }
    loss += std::log(sum) -
            static_cast<long double>(beta) *
                (static_cast<long double>(row[static_cast<std::size_t>(table.labels[i])]) -
                 row[static_cast<std::size_t>(top)]);
    const long double confidence = 1.0L / sum;
    const auto bin = static_cast<std::size_t>(std::clamp<long double>(
        std::ceil(confidence * static_cast<long double>(kCalibrationBins)) - 1.0L, 0.0L,
        static_cast<long double>(kCalibrationBins - 1)));
    bins[bin].confidence += confidence;
    bins[bin].correct += top == table.labels[i] ? 1.0L : 0.0L;
  }
  const long double ece =
      std::accumulate(bins.begin(), bins.end(), 0.0L, [](long double error, const Bin& bin) {
        return error + std::abs(bin.confidence - bin.correct);
      });
  return {static_cast<double>(loss / items), static_cast<double>(ece / items)};
}

struct Shape {
  std::int64_t items;
  std::int64_t classes;
  double spread;
  double centre;
};

class TemperedScores : public testing::TestWithParam<Shape> {
 protected:
  static LogitTable table() {
    const auto [items, classes, spread, centre] = GetParam();
    return someTable(items, classes, spread, centre);
  }
  const std::vector<double> betas_{0.01, 0.3, 1.0, 2.5, 10.0};
};

TEST_P(TemperedScores, AreThoseOfTheDefinitions) {
  const LogitTable table = this->table();
  const std::vector<CalibrationScores> scores = temperedScores(table, betas_, RunContext());
  ASSERT_EQ(scores.size(), betas_.size());
  for (std::size_t t = 0; t < betas_.size(); ++t) {
    const CalibrationScores plain = plainScores(table, betas_[t]);
    EXPECT_TRUE(closeTo(scores[t].nll, plain.nll, 1e-13)) << betas_[t];
    EXPECT_TRUE(closeTo(scores[t].ece, plain.ece, 1e-12, 1e-14)) << betas_[t];
  }
}

TEST_P(TemperedScores, DoNotDependOnThreadsOrOnTheOrderOfTheClasses) {
  const LogitTable table = this->table();
  LogitTable reversed = table;
  reversed.logits = Array<double>::zeros(table.logits.shape());
  for (std::int64_t i = 0; i < table.logits.extent(0); ++i) {
    std::ranges::reverse_copy(table.logits.row(i), reversed.logits.mutableRow(i).begin());
    std::int64_t& label = reversed.labels[static_cast<std::size_t>(i)];
    label = table.logits.extent(1) - 1 - label;
  }
  RunContext threads;
  threads.threads = 4;
  const std::vector<CalibrationScores> scores = temperedScores(table, betas_, RunContext());
  const std::vector<CalibrationScores> others = temperedScores(reversed, betas_, threads);
  for (std::size_t t = 0; t < betas_.size(); ++t) {
    EXPECT_EQ(others[t].nll, scores[t].nll);
    EXPECT_EQ(others[t].ece, scores[t].ece);
  }
}

INSTANTIATE_TEST_SUITE_P(Decisions, TemperedScores,
                         testing::Values(Shape{1, 1, 1.0, 0.0}, Shape{50, 2, 3.0, 0.0},
                                         Shape{3000, 10, 4.0, 0.0}, Shape{700, 10, 200.0, 0.0},
                                         Shape{700, 5, 3.0, 1e6}, Shape{60, 3000, 2.0, -4.0}),
                         [](const auto& shape) {
                           return "N" + std::to_string(shape.param.items) + "K" +
                                  std::to_string(shape.param.classes) + "Spread" +
                                  std::to_string(static_cast<int>(shape.param.spread));
                         });

}  // namespace
}  // namespace dubito
