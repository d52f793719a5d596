// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/tempered_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/measures/vector_math.h"

namespace dubito {
namespace {

constexpr std::int64_t kItemsAtATime = 1024;
// Their powers stay in the cache from one temperature to the next.
constexpr std::int64_t kPowersTogether = 2048;

/// Loss and confidence of each item at one temperature.
struct ItemScores {
  std::vector<double> loss;        ///< [N], nats
  std::vector<double> confidence;  ///< [N]
};

/// The rows [begin, end) of a table, each ascending and less its largest logit. The order of a row
/// is that of its powers at every temperature, so that sums do not depend on that of the classes.
class SortedRows {
 public:
  explicit SortedRows(const LogitTable& table) : table_(table) {}

  void read(std::int64_t begin, std::int64_t end) {
    begin_ = begin;
    distances_.clear();
    tops_.clear();
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> row = table_.logits.row(i);
      distances_.insert(distances_.end(), row.begin(), row.end());
      const std::span<double> sorted = std::span(distances_).last(row.size());
      std::ranges::sort(sorted);
      tops_.push_back(sorted.back());
      for (double& distance : sorted) {
        distance -= tops_.back();
      }
    }
    powers_.resize(distances_.size());
  }

  void score(double beta, ItemScores& scores) {
    std::ranges::transform(distances_, powers_.begin(),
                           [beta](double distance) { return beta * distance; });
    exponentials(powers_);
    const std::size_t classes = distances_.size() / tops_.size();
    for (std::size_t i = 0; i < tops_.size(); ++i) {
      double sum = 0.0;
      for (const double power : std::span(powers_).subspan(i * classes, classes)) {
        sum += power;
      }
      const std::int64_t item = begin_ + static_cast<std::int64_t>(i);
      const auto place = static_cast<std::size_t>(item);
      const auto label = static_cast<std::size_t>(table_.labels[place]);
      const double distance = table_.logits.row(item)[label] - tops_[i];
      scores.loss[place] = std::log(sum) - beta * distance;
      scores.confidence[place] = 1.0 / sum;
    }
  }

 private:
  const LogitTable& table_;
  std::int64_t begin_ = 0;
  std::vector<double> distances_;  ///< [rows, classes], <= 0
  std::vector<double> powers_;     ///< [rows, classes]
  std::vector<double> tops_;       ///< [rows], largest logits
};

std::vector<std::uint8_t> correctItems(const LogitTable& table) {
  std::vector<std::uint8_t> correct;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const std::span<const double> row = table.logits.row(static_cast<std::int64_t>(i));
    const auto top = std::ranges::max_element(row) - row.begin();
    correct.push_back(top == table.labels[i] ? 1 : 0);
  }
  return correct;
}

}  // namespace

std::vector<CalibrationScores> temperedScores(const LogitTable& table,
                                              std::span<const double> inverse_temperatures,
                                              const RunContext& context) {
  const std::int64_t items = table.logits.extent(0);
  const auto count = static_cast<std::size_t>(items);
  const ItemScores none{std::vector<double>(count), std::vector<double>(count)};
  std::vector<ItemScores> scores(inverse_temperatures.size(), none);
  const std::int64_t together = std::max<std::int64_t>(1, kPowersTogether / table.logits.extent(1));
  context.parallelFor(items, kItemsAtATime, [&](std::int64_t begin, std::int64_t end) {
    SortedRows rows(table);
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); i += together) {
      rows.read(i, std::min(end, i + together));
      for (std::size_t t = 0; t < scores.size(); ++t) {
        rows.score(inverse_temperatures[t], scores[t]);
      }
    }
  });
  const std::vector<std::uint8_t> correct = correctItems(table);
  std::vector<CalibrationScores> result(scores.size());
  context.forEach(scores.size(), [&](std::size_t t) {
    result[t] = scoresOfItems(scores[t].loss, scores[t].confidence, correct);
  });
  return result;
}

}  // namespace dubito
