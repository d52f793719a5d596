// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lab/uci_table_text.h"

#include <fmt/format.h>

namespace dubito::cli {
namespace {

/// At most, of our numbers.
constexpr int kDecimals = 6;

std::string uciLine(const std::string& name, const std::string& splits, const MeanWithError& rmse,
                    const MeanWithError& log_likelihood, int decimals, const std::string& note) {
  return fmt::format("  {:<28}{:>6}{:>22}{:>20}{}\n", name, splits, textWithError(rmse, decimals),
                     textWithError(log_likelihood, decimals), note);
}

std::string uciNote(const UciRow& row) {
  std::string note;
  for (const UciComparison& comparison : row.comparisons) {
    if (isMarked(comparison)) {
      note += fmt::format("  * {}: {:+.1f}, {:+.1f}", comparison.column->key, comparison.rmse,
                          comparison.log_likelihood);
    }
  }
  return note;
}

}  // namespace

std::string uciTableText(const std::vector<UciSetRows>& table) {
  std::string text;
  for (const UciSetRows& set : table) {
    text +=
        fmt::format("{} ({} items, {} inputs)\n", set.set->name, set.set->items, set.set->inputs);
    text += fmt::format("  {:<28}{:>6}{:>22}{:>20}\n", "", "splits", "RMSE", "log-likelihood");
    for (const UciRow& row : set.rows) {
      text += uciLine(row.method->name, fmt::format("{}/{}", row.splits, set.set->splits), row.rmse,
                      row.log_likelihood, kDecimals, uciNote(row));
    }
    for (const UciPublishedColumn& column : uciPublished()) {
      if (const UciPublishedValue* const value = column.of(set.set->key)) {
        text += uciLine(fmt::format("published: {}", column.key), "", value->rmse,
                        value->log_likelihood, column.decimals, "");
      }
    }
    text += "\n";
  }
  return text + fmt::format(
                    "mean ± standard error over the splits; *: differs from the published "
                    "column named by more than {:g} standard errors (RMSE, "
                    "log-likelihood)\n",
                    kUciMarkedErrors);
}

}  // namespace dubito::cli
