// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::int64_t kFewestSplits = 5;

double differenceInErrors(const MeanWithError& ours, const MeanWithError& published,
                          double rounding) {
  const double difference = ours.mean - published.mean;
  const double least = std::max(std::abs(difference) - rounding, 0.0);
  if (least == 0.0) {
    return 0.0;
  }
  return std::copysign(least / std::hypot(ours.standard_error, published.standard_error),
                       difference);
}

UciRow rowOf(const UciMethodInfo& method, const std::vector<const UciResult*>& results) {
  std::vector<double> errors;
  std::vector<double> likelihoods;
  for (const UciResult* const result : results) {
    errors.push_back(result->test.rmse);
    likelihoods.push_back(result->test.log_likelihood);
  }
  UciRow row{&method, std::ssize(results), meanWithError(errors), meanWithError(likelihoods), {}};
  if (row.splits < kFewestSplits) {
    return row;
  }
  for (const char* const key : method.comparable) {
    const UciPublishedColumn& column = *findUciPublished(key);
    if (const UciPublishedValue* const value = column.of(results.front()->set)) {
      row.comparisons.push_back(
          {&column, differenceInErrors(row.rmse, value->rmse, column.rounding()),
           differenceInErrors(row.log_likelihood, value->log_likelihood, column.rounding())});
    }
  }
  return row;
}

json withError(const char* name, const MeanWithError& value) {
  return {{name, value.mean},
          {fmt::format("{}_standard_error", name),
           std::isfinite(value.standard_error) ? json(value.standard_error) : json()}};
}

}  // namespace

std::vector<UciSetRows> uciTable(std::span<const UciResult> results) {
  std::vector<UciSetRows> table;
  for (const UciSetInfo& set : uciSets()) {
    UciSetRows rows{&set, {}};
    for (const UciMethodInfo& method : uciMethods()) {
      std::vector<const UciResult*> of_row;
      for (const UciResult& result : results) {
        if (result.set == set.key && result.method == method.key) {
          of_row.push_back(&result);
        }
      }
      if (!of_row.empty()) {
        rows.rows.push_back(rowOf(method, of_row));
      }
    }
    if (!rows.rows.empty()) {
      table.push_back(std::move(rows));
    }
  }
  return table;
}

bool isMarked(const UciComparison& comparison) {
  return std::abs(comparison.rmse) > kUciMarkedErrors ||
         std::abs(comparison.log_likelihood) > kUciMarkedErrors;
}

std::string textWithError(const MeanWithError& value, int max_decimals) {
  if (!std::isfinite(value.standard_error)) {
    return fmt::format("{:.{}f}", value.mean, std::min(4, max_decimals));
  }
  const int fewest = std::min(2, max_decimals);
  const int decimals =
      value.standard_error > 0.0
          ? std::clamp(1 - static_cast<int>(std::floor(std::log10(value.standard_error))), fewest,
                       max_decimals)
          : fewest;
  return fmt::format("{:.{}f} ± {:.{}f}", value.mean, decimals, value.standard_error, decimals);
}

json uciTableToJson(const std::vector<UciSetRows>& table) {
  json sets = json::array();
  for (const UciSetRows& set : table) {
    json methods = json::array();
    for (const UciRow& row : set.rows) {
      json method = {{"method", row.method->key}, {"splits", row.splits}};
      method.update(withError("rmse", row.rmse));
      method.update(withError("log_likelihood", row.log_likelihood));
      json comparisons = json::array();
      for (const UciComparison& comparison : row.comparisons) {
        comparisons.push_back({{"column", comparison.column->key},
                               {"rmse_errors", comparison.rmse},
                               {"log_likelihood_errors", comparison.log_likelihood},
                               {"marked", isMarked(comparison)}});
      }
      method["comparisons"] = std::move(comparisons);
      methods.push_back(std::move(method));
    }
    json published = json::array();
    for (const UciPublishedColumn& column : uciPublished()) {
      if (const UciPublishedValue* const value = column.of(set.set->key)) {
        json entry = {{"column", column.key}};
        entry.update(withError("rmse", value->rmse));
        entry.update(withError("log_likelihood", value->log_likelihood));
        published.push_back(std::move(entry));
      }
    }
    sets.push_back({{"set", set.set->key},
                    {"name", set.set->name},
                    {"splits", set.set->splits},
                    {"methods", std::move(methods)},
                    {"published", std::move(published)}});
  }
  json columns = json::array();
  for (const UciPublishedColumn& column : uciPublished()) {
    columns.push_back({{"column", column.key}, {"name", column.name}, {"source", column.source}});
  }
  return {{"sets", std::move(sets)}, {"columns", std::move(columns)}};
}

}  // namespace dubito
