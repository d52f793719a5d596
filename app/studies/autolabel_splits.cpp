// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/io/prediction_file.h"
#include "core/review/autolabel.h"
#include "core/runs/run_rows.h"

namespace dubito::study {
namespace {

struct Arguments {
  std::vector<std::string> predictions;
  std::vector<double> targets = {0.99, 0.95, 0.9};
  std::vector<std::string> rules = {"sgr", "pointwise"};
  std::string measure = "entropy";
  double delta = 0.05;
  std::int64_t splits = 200;
  std::string csv;
};

/// Sums over the splits of one file, target and rule.
struct Splits {
  double share = 0.0;  ///< of the items labelled
  double precision = 0.0;
  std::int64_t with_labels = 0;
  std::int64_t broken = 0;          ///< labels of the model are less precise than the target
  std::int64_t broken_in_file = 0;  ///< likewise for all items of the file up to the threshold
};

/// Share of wrong predictions among the items with an uncertainty up to `threshold`.
double errorRate(const Run& run, const Array<double>& uncertainty, double threshold) {
  std::int64_t selected = 0;
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    if (uncertainty.data()[i] <= threshold) {
      ++selected;
      wrong += run.labels.data()[i] != run.predictions.data()[i] ? 1 : 0;
    }
  }
  return selected == 0 ? 0.0 : static_cast<double>(wrong) / static_cast<double>(selected);
}

/// Labels one half of the items by a threshold from the other half.
Status addSplit(const Run& whole, std::span<const std::int64_t> rows,
                const AutolabelOptions& options, RunContext& context, Splits& sums) {
  const Run calibration = rowsOfRun(whole, rows.first(rows.size() / 2), context);
  const Run run = rowsOfRun(whole, rows.subspan(rows.size() / 2), context);
  const auto half = autolabel(run, calibration, {}, options, context);
  if (!half) {
    return failWith(half);
  }
  if (half->rows.empty()) {
    return {};
  }
  const double allowed = 1.0 - options.selection.target;
  const double threshold = half->selection.threshold.value();
  const double rate = errorRate(run, half->uncertainty, threshold);
  const auto labelled = static_cast<double>(half->rows.size());
  const auto selected = static_cast<double>(half->selection.selected);
  const double rate_in_file =
      (rate * labelled + static_cast<double>(half->selection.errors)) / (labelled + selected);
  ++sums.with_labels;
  sums.share += labelled / static_cast<double>(run.itemCount());
  sums.precision += 1.0 - rate;
  sums.broken += rate > allowed ? 1 : 0;
  sums.broken_in_file += rate_in_file > allowed ? 1 : 0;
  return {};
}

Expected<std::string> lineOf(const std::string& file, const Run& whole,
                             const AutolabelOptions& options, std::int64_t splits,
                             RunContext& context) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(whole.itemCount()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::mt19937_64 random(context.seed);
  Splits sums;
  for (std::int64_t split = 0; split < splits; ++split) {
    std::ranges::shuffle(rows, random);
    if (Status added = addSplit(whole, rows, options, context, sums); !added) {
      return failWith(added);
    }
  }
  const auto all = static_cast<double>(splits);
  return fmt::format(
      "{},{},{},{:.4f},{:.4f},{:.4f},{:.4f}", file, options.selection.target,
      options.selection.rule, sums.share / all,
      sums.with_labels == 0 ? 1.0 : sums.precision / static_cast<double>(sums.with_labels),
      static_cast<double>(sums.broken) / all, static_cast<double>(sums.broken_in_file) / all);
}

Status splitAll(const Arguments& arguments, RunContext& context) {
  std::vector<std::string> lines = {
      "predictions,target,rule,share_labelled,precision,broken,broken_in_file"};
  for (const std::string& file : arguments.predictions) {
    const auto whole = openPredictions(file, context);
    if (!whole) {
      return failWith(whole);
    }
    for (const double target : arguments.targets) {
      for (const std::string& rule : arguments.rules) {
        AutolabelOptions options;
        options.selection = {.target = target, .delta = arguments.delta, .rule = rule};
        options.measure = arguments.measure;
        auto line =
            lineOf(file.substr(file.rfind('/') + 1), *whole, options, arguments.splits, context);
        if (!line) {
          return failWith(line);
        }
        lines.push_back(*std::move(line));
      }
    }
  }
  return writeLines(arguments.csv, lines);
}

}  // namespace

Study autolabelSplits(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "autolabel-splits",
      "how often the precision of labels given by the model misses its target, if saved "
      "predictions are split at random into two halves and one of them is labelled by a threshold "
      "from the other, as CSV");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("predictions", arguments->predictions, "predictions with true labels")
      ->required();
  app->add_option("--targets", arguments->targets, "guaranteed shares of right labels")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 1.0));
  app->add_option("--rules", arguments->rules, "rules that choose the threshold")->delimiter(',');
  app->add_option("--measure", arguments->measure, "uncertainty measure")->capture_default_str();
  app->add_option("--delta", arguments->delta, "allowed probability of missing the target")
      ->check(CLI::Range(1e-12, 0.999))
      ->capture_default_str();
  app->add_option("--splits", arguments->splits, "number of random splits")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--csv", arguments->csv, "CSV file; default: standard output");
  return {app, [arguments](RunContext& context) { return splitAll(*arguments, context); }};
}

}  // namespace dubito::study
