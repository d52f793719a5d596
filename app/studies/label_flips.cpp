// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/io/prediction_file.h"
#include "core/review/simulate.h"

namespace dubito::study {
namespace {

struct Arguments {
  std::string predictions;
  std::string csv;
  double flipped = 0.05;
  std::int64_t seeds = 5;
};

struct NamedFlip {
  const char* name;
  LabelFlip flip;
};

/// Share of the flips found after each share reviewed, averaged over seeds.
Expected<std::vector<double>> meanFound(const Run& run, const QueueKind& kind, LabelFlip flip,
                                        const Arguments& arguments,
                                        const std::vector<double>& shares, RunContext& context) {
  std::vector<double> mean(shares.size(), 0.0);
  for (std::int64_t seed = 0; seed < arguments.seeds; ++seed) {
    context.seed = static_cast<std::uint64_t>(seed);
    Run flipped = run;
    const auto labels =
        flipLabels(run, arguments.predictions, arguments.flipped, flip, context.seed);
    if (!labels) {
      return failWith(labels);
    }
    flipped.labels = *labels;
    const auto simulation = simulateReview(flipped, run.labels.values(), {.by = kind.key},
                                           {.name = arguments.predictions}, shares, context);
    if (!simulation) {
      return failWith(simulation);
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      mean[i] += static_cast<double>(simulation->found[i]) /
                 (static_cast<double>(simulation->errors) * static_cast<double>(arguments.seeds));
    }
  }
  return mean;
}

Status findFlips(const Arguments& arguments, RunContext& context) {
  const auto run = openPredictions(arguments.predictions, context);
  if (!run) {
    return failWith(run);
  }
  const std::vector<double> shares = {0.05, 0.075, 0.1};
  std::vector<std::string> lines = {"flips,queue,found_of_5,found_of_7.5,found_of_10"};
  for (const NamedFlip& flips : {NamedFlip{"random", LabelFlip::kRandom},
                                 NamedFlip{"second likeliest", LabelFlip::kSecondLikeliest}}) {
    for (const QueueId id : allQueueKinds()) {
      const QueueKind& kind = describe(id);
      if (kind.needs.draws || kind.needs.other_run || kind.needs.features || kind.needs.images) {
        continue;
      }
      const auto found = meanFound(*run, kind, flips.flip, arguments, shares, context);
      if (!found) {
        return failWith(found);
      }
      lines.push_back(fmt::format("{},{},{:.4f},{:.4f},{:.4f}", flips.name, kind.key, (*found)[0],
                                  (*found)[1], (*found)[2]));
    }
  }
  return writeLines(arguments.csv, lines);
}

}  // namespace

Study labelFlips(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "label-flips",
      "share of wrong labels that a reviewer finds among the first 5, 7.5 and 10 % of the items of "
      "each queue, if labels of saved predictions are replaced by wrong ones, as CSV");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("predictions", arguments->predictions, "predictions with true labels")
      ->required();
  app->add_option("--flipped", arguments->flipped, "share of the labels that are replaced")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app->add_option("--seeds", arguments->seeds, "number of repetitions, averaged")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--csv", arguments->csv, "CSV file; default: standard output");
  return {app, [arguments](RunContext& context) { return findFlips(*arguments, context); }};
}

}  // namespace dubito::study
