// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/context/made_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/measures/measures.h"
#include "tests/support/matchers.h"

namespace dubito::test {

Cooccurrence countsOf(Array<double> counts) {
  return {.counts = std::move(counts), .source = "counts.csv"};
}

Cooccurrence randomCounts(std::int64_t classes, std::mt19937_64& random) {
  auto counts = Array<double>::zeros({classes, classes});
  std::uniform_int_distribution<int> count(0, 99);
  for (std::int64_t a = 0; a < classes; ++a) {
    for (std::int64_t b = a; b < classes; ++b) {
      const int drawn = count(random);
      const double value = drawn < 20 ? 0.0 : drawn;
      counts.mutableRow(a)[static_cast<std::size_t>(b)] = value;
      counts.mutableRow(b)[static_cast<std::size_t>(a)] = value;
    }
  }
  return countsOf(counts);
}

Array<double> randomLogProbs(std::int64_t objects, std::int64_t classes, double scale,
                             std::mt19937_64& random) {
  auto result = Array<double>::zeros({objects, classes});
  std::normal_distribution<double> normal(0.0, scale);
  for (std::int64_t i = 0; i < objects; ++i) {
    std::vector<double> logits(static_cast<std::size_t>(classes));
    std::ranges::generate(logits, [&] { return normal(random); });
    std::ranges::copy(logSoftmax(std::span<const double>(logits)), result.mutableRow(i).begin());
  }
  return result;
}

PairScores scoresOf(const Cooccurrence& counts, const std::string& measure) {
  ContextOptions options;
  options.measure = measure;
  options.same_class = "counted";
  const auto scores = pairScores(counts, options);
  EXPECT_OK(scores);
  return scores.value_or(PairScores{.scores = counts.counts});
}

PairFactors factorsOf(const PairScores& scores, double weight) {
  return PairFactors::create(scores, weight).value();
}

PlainMarginals plainMarginals(const Array<double>& log_probs, const ScenePairs& pairs,
                              const Array<double>& scores, double weight) {
  const std::int64_t objects = log_probs.extent(0);
  const std::int64_t classes = log_probs.extent(1);
  const auto scoreOf = [&](const std::vector<std::int64_t>& y) {
    double score = 0.0;
    for (std::int64_t i = 0; i < objects; ++i) {
      score += log_probs.row(i)[static_cast<std::size_t>(y[static_cast<std::size_t>(i)])];
    }
    for (const auto& [i, j] : pairs) {
      score += weight * scores.row(y[static_cast<std::size_t>(i)])[static_cast<std::size_t>(
                            y[static_cast<std::size_t>(j)])];
    }
    return score;
  };
  std::vector<std::vector<std::int64_t>> labellings;
  std::vector<double> all;
  for (std::vector<std::int64_t> y(static_cast<std::size_t>(objects));;) {
    labellings.push_back(y);
    all.push_back(scoreOf(y));
    std::size_t digit = y.size();
    while (digit > 0 && ++y[digit - 1] == classes) {
      y[--digit] = 0;
    }
    if (digit == 0) {
      break;
    }
  }
  PlainMarginals result{.probs = Array<double>::zeros(log_probs.shape()),
                        .log_partition = logSumExp(std::span<const double>(all))};
  for (std::size_t s = 0; s < all.size(); ++s) {
    const double prob = std::exp(all[s] - result.log_partition);
    for (std::int64_t i = 0; i < objects; ++i) {
      result.probs.mutableRow(
          i)[static_cast<std::size_t>(labellings[s][static_cast<std::size_t>(i)])] += prob;
    }
  }
  result.most_likely = labellings[static_cast<std::size_t>(argmax(std::span<const double>(all)))];
  return result;
}

Scenes scenesOfSize(std::int64_t rows, std::int64_t size) {
  std::vector<std::string> names;
  for (std::int64_t row = 0; row < rows; ++row) {
    names.push_back("scene " + std::to_string(row / size));
  }
  return scenesByName(names, "scenes.csv");
}

}  // namespace dubito::test
