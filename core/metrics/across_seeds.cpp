// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/across_seeds.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "core/base/compensated_sum.h"

namespace dubito {
namespace {

/// The entry at `place` of nested objects, whose keys may be numbers.
nlohmann::json& entryAt(nlohmann::json& object, nlohmann::json::json_pointer place) {
  if (place.empty()) {
    return object;
  }
  const std::string key = place.back();
  place.pop_back();
  return entryAt(object, std::move(place))[key];
}

/// Keys are the places of the numbers in `evaluate --json` ("/misclassified/entropy/auroc").
std::map<std::string, SeedStatistics> acrossSeeds(std::span<const nlohmann::json> evaluations) {
  std::map<std::string, std::vector<double>> values;
  for (const nlohmann::json& evaluation : evaluations) {
    const nlohmann::json flat = evaluation.flatten();
    for (const auto& [place, value] : flat.items()) {
      if (value.is_number()) {
        values[place].push_back(value.get<double>());
      }
    }
  }
  std::map<std::string, SeedStatistics> result;
  for (const auto& [place, list] : values) {
    result[place] = seedStatistics(list);
  }
  return result;
}

}  // namespace

SeedStatistics seedStatistics(std::span<const double> values) {
  SeedStatistics statistics;
  statistics.n = static_cast<std::int64_t>(values.size());
  statistics.mean = statistics.std_dev = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) {
    return statistics;
  }
  statistics.mean = meanOf(values);
  if (values.size() > 1) {
    CompensatedSum squares;
    for (const double value : values) {
      squares.add((value - statistics.mean) * (value - statistics.mean));
    }
    statistics.std_dev = std::sqrt(squares.value() / static_cast<double>(values.size() - 1));
  }
  return statistics;
}

std::string formatSeedStatistics(const SeedStatistics& statistics, int decimals) {
  return std::isnan(statistics.std_dev) ? fmt::format("{:.{}f}", statistics.mean, decimals)
                                        : fmt::format("{:.{}f} +- {:.{}f}", statistics.mean,
                                                      decimals, statistics.std_dev, decimals);
}

std::vector<SeedRow> seedRows(std::span<const Evaluation> evaluations) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, std::vector<double>> values;
  std::vector<SeedRow> rows;
  const auto keyOf = [](const MetricRow& row) { return Key(row.group, row.name, row.score); };
  for (const Evaluation& evaluation : evaluations) {
    for (const MetricRow& row : toRows(evaluation)) {
      values[keyOf(row)].push_back(row.value);
      if (&evaluation == evaluations.data()) {
        rows.push_back({row, {}});
      }
    }
  }
  for (SeedRow& row : rows) {
    row.statistics = seedStatistics(values.at(keyOf(row.row)));
  }
  return rows;
}

nlohmann::json seedsToJson(std::span<const Evaluation> evaluations) {
  std::vector<nlohmann::json> objects;
  for (const Evaluation& evaluation : evaluations) {
    objects.push_back(toJson(evaluation));
  }
  return seedsOfJson(objects);
}

nlohmann::json seedsOfJson(std::span<const nlohmann::json> evaluations) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [place, statistics] : acrossSeeds(evaluations)) {
    nlohmann::json& entry = entryAt(object, nlohmann::json::json_pointer(place));
    entry = {{"n", statistics.n}, {"mean", statistics.mean}};
    if (statistics.n > 1) {
      entry["std_dev"] = statistics.std_dev;
    }
  }
  return object;
}

}  // namespace dubito
