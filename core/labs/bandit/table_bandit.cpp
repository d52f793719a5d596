// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/table_bandit.h"

#include <algorithm>
#include <cmath>

#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

void standardise(Array<double>& features) {
  const std::int64_t rows = features.extent(0);
  const std::int64_t columns = features.extent(1);
  for (std::int64_t c = 0; c < columns; ++c) {
    double* const values = features.mutableData() + c;
    double mean = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
      mean += values[r * columns] / static_cast<double>(rows);
    }
    double variance = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
      const double distance = values[r * columns] - mean;
      variance += distance * distance / static_cast<double>(rows);
    }
    const double std = std::sqrt(variance);
    // A constant column differs from its mean by rounding alone.
    const bool is_constant = !(std > 1e-12 * std::abs(mean));
    for (std::int64_t r = 0; r < rows; ++r) {
      double& value = values[r * columns];
      value = is_constant ? 0.0 : (value - mean) / std;
    }
  }
}

}  // namespace

TableBandit::TableBandit(LabelledTable table) : table_(std::move(table)) {
  // A copy: arrays share memory.
  const auto values = table_.features.values();
  table_.features = Array<double>::fromVector(table_.features.shape(),
                                              std::vector<double>(values.begin(), values.end()));
  standardise(table_.features);
}

std::int64_t TableBandit::armCount() const {
  return static_cast<std::int64_t>(table_.class_names.size());
}

void TableBandit::play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const {
  const std::int64_t rows = rowCount();
  const double share = KeyedRandom(seed, LabSite::kDataInputs).uniform(step);
  const std::int64_t row =
      std::min(static_cast<std::int64_t>(share * static_cast<double>(rows)), rows - 1);
  const auto features = table_.features.row(row);
  round.context.assign(features.begin(), features.end());
  round.expected.assign(table_.class_names.size(), 0.0);
  round.expected[static_cast<std::size_t>(table_.labels[static_cast<std::size_t>(row)])] = 1.0;
  round.rewards = round.expected;
}

std::optional<double> TableBandit::expectedUniformRegret() const {
  return 1.0 - 1.0 / static_cast<double>(armCount());
}

std::vector<std::string> TableBandit::planeNames() const {
  return contextSize() == 2 ? table_.feature_names : std::vector<std::string>{};
}

}  // namespace dubito
