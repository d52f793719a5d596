// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/context/context_run.h"
#include "core/context/weight_fit.h"
#include "core/inference/derived/run_rows.h"
#include "core/io/prediction_file.h"
#include "core/io/run_needs.h"
#include "core/metrics/across_seeds.h"

namespace dubito::study {
namespace {

constexpr std::int64_t kDeciles = 10;

struct Arguments {
  std::string predictions;
  std::string cooccurrence;
  std::vector<std::string> classes = {"cup", "fork",  "knife",    "car",   "truck",
                                      "bus", "mouse", "keyboard", "sheep", "cow"};
  std::vector<std::string> measures = {"log", "pmi"};
  std::int64_t objects = 4;
  std::int64_t scenes = 2500;
  std::int64_t seeds = 5;
  std::string csv;
};

/// Items arranged in scenes.
struct Assembled {
  Run run;
  Scenes scenes;
};

/// Draws scenes from counts and fills them with items of a pool.
class SceneMaker {
 public:
  /// `rows` are the rows of `pool` to use.
  SceneMaker(const Run& pool, std::span<const std::int64_t> rows, const Array<double>& counts)
      : pool_(pool), counts_(counts), of_class_(static_cast<std::size_t>(counts.extent(0))) {
    for (const std::int64_t row : rows) {
      if (const std::int64_t label = pool.labels.data()[row]; label >= 0) {
        of_class_[static_cast<std::size_t>(label)].push_back(row);
      }
    }
  }

  /// The first object by the frequency of its class, each further one by how often its class is
  /// together with that of the first: no model of context generates such scenes.
  [[nodiscard]] Assembled make(std::int64_t scenes, std::int64_t objects, std::mt19937_64& random,
                               const RunContext& context) const {
    std::vector<double> frequency;
    for (std::int64_t k = 0; k < counts_.extent(0); ++k) {
      const auto row = counts_.row(k);
      frequency.push_back(std::accumulate(row.begin(), row.end(), 0.0));
    }
    std::discrete_distribution<std::size_t> first(frequency.begin(), frequency.end());
    std::vector<std::int64_t> rows;
    std::vector<std::string> names;
    for (std::int64_t s = 0; s < scenes; ++s) {
      const std::size_t anchor = first(random);
      const auto together = counts_.row(static_cast<std::int64_t>(anchor));
      std::discrete_distribution<std::size_t> other(together.begin(), together.end());
      for (std::int64_t i = 0; i < objects; ++i) {
        rows.push_back(itemOf(i == 0 ? anchor : other(random), random));
        names.push_back(fmt::format("{}", s));
      }
    }
    Assembled assembled{rowsOfRun(pool_, rows, context), scenesByName(names, "the study")};
    // An item may be in several scenes.
    std::iota(assembled.run.ids.mutableValues().begin(), assembled.run.ids.mutableValues().end(),
              std::int64_t{0});
    return assembled;
  }

  /// The first class without an item; -1 if all have some.
  [[nodiscard]] std::int64_t emptyClass() const {
    const auto found =
        std::ranges::find_if(of_class_, [](const auto& rows) { return rows.empty(); });
    return found == of_class_.end() ? -1 : found - of_class_.begin();
  }

 private:
  [[nodiscard]] std::int64_t itemOf(std::size_t label, std::mt19937_64& random) const {
    const std::vector<std::int64_t>& rows = of_class_[label];
    return rows[std::uniform_int_distribution<std::size_t>(0, rows.size() - 1)(random)];
  }

  const Run& pool_;
  const Array<double>& counts_;
  std::vector<std::vector<std::int64_t>> of_class_;
};

/// Sums over items.
struct Sums {
  double items = 0.0;
  double right = 0.0;
  double right_with = 0.0;
  double loss = 0.0;
  double loss_with = 0.0;
  double corrected = 0.0;
  double spoilt = 0.0;

  void add(const Run& before, const Run& after, std::int64_t row) {
    const std::int64_t label = before.labels.data()[row];
    const bool was = before.predictions.data()[row] == label;
    const bool is = after.predictions.data()[row] == label;
    const auto lossOf = [&](const Run& run) {
      return -std::log(std::max(run.prob(row, label), double{std::numeric_limits<float>::min()}));
    };
    ++items;
    right += was ? 1.0 : 0.0;
    right_with += is ? 1.0 : 0.0;
    corrected += !was && is ? 1.0 : 0.0;
    spoilt += was && !is ? 1.0 : 0.0;
    loss += lossOf(before);
    loss_with += lossOf(after);
  }
};

/// Means over the items of one decile, one entry per seed; decile 0 is all items.
struct Decile {
  std::vector<double> accuracy, accuracy_with, accuracy_gain, nll, nll_with, nll_gain, corrected,
      spoilt;

  void add(const Sums& sums) {
    accuracy.push_back(sums.right / sums.items);
    accuracy_with.push_back(sums.right_with / sums.items);
    accuracy_gain.push_back((sums.right_with - sums.right) / sums.items);
    nll.push_back(sums.loss / sums.items);
    nll_with.push_back(sums.loss_with / sums.items);
    nll_gain.push_back((sums.loss - sums.loss_with) / sums.items);
    corrected.push_back(sums.corrected / sums.items);
    spoilt.push_back(sums.spoilt / sums.items);
  }
};

/// The results of one measure and one source of counts.
struct Outcome {
  std::vector<Decile> deciles = std::vector<Decile>(kDeciles + 1);
  std::vector<double> weights;
};

/// Rows by entropy without context, ascending.
std::vector<std::int64_t> byEntropy(const Run& run) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(run.itemCount()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::ranges::stable_sort(rows, {}, [&](std::int64_t row) { return run.entropy->data()[row]; });
  return rows;
}

Status addOutcome(const Assembled& calibration, const Assembled& test,
                  const Cooccurrence& cooccurrence, const std::string& measure, Outcome& outcome,
                  RunContext& context) {
  ContextOptions options;
  options.measure = measure;
  const auto scores = pairScores(cooccurrence, options);
  if (!scores) {
    return failWith(scores);
  }
  const auto fit = fitContextWeight(calibration.run, "calibration", calibration.scenes, *scores,
                                    options, context);
  if (!fit) {
    return failWith(fit);
  }
  options.weight = fit->weight;
  const auto with = withContext(test.run, test.scenes, *scores, options, {}, context);
  if (!with) {
    return failWith(with);
  }
  outcome.weights.push_back(fit->weight);
  const std::vector<std::int64_t> rows = byEntropy(test.run);
  std::vector<Sums> sums(kDeciles + 1);
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    const std::int64_t row = rows[static_cast<std::size_t>(i)];
    sums[0].add(test.run, with->run, row);
    sums[static_cast<std::size_t>(1 + i * kDeciles / std::ssize(rows))].add(test.run, with->run,
                                                                            row);
  }
  for (std::size_t d = 0; d < sums.size(); ++d) {
    outcome.deciles[d].add(sums[d]);
  }
  return {};
}

std::string lineOf(const std::string& counts, const std::string& measure, std::size_t decile,
                   const Outcome& outcome) {
  const Decile& means = outcome.deciles[decile];
  const SeedStatistics weight = seedStatistics(outcome.weights);
  const SeedStatistics accuracy_gain = seedStatistics(means.accuracy_gain);
  const SeedStatistics nll_gain = seedStatistics(means.nll_gain);
  return fmt::format(
      "{},{},{:.3f},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},"
      "{:.4f},{:.4f}",
      counts, measure, weight.mean, decile == 0 ? "all" : fmt::format("{}", decile),
      seedStatistics(means.accuracy).mean, seedStatistics(means.accuracy_with).mean,
      accuracy_gain.mean, accuracy_gain.std_dev, seedStatistics(means.nll).mean,
      seedStatistics(means.nll_with).mean, nll_gain.mean, nll_gain.std_dev,
      seedStatistics(means.corrected).mean, seedStatistics(means.spoilt).mean);
}

Status runStudy(const Arguments& arguments, RunContext& context) {
  auto pool = openPredictions(arguments.predictions, context);
  if (!pool) {
    return failWith(pool);
  }
  if (Status labelled = requireLabels(*pool, arguments.predictions); !labelled) {
    return labelled;
  }
  if (std::ssize(arguments.classes) != pool->classCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} classes, but --classes names {}; name one class of the "
                            "table for each",
                            arguments.predictions, pool->classCount(), arguments.classes.size()));
  }
  std::vector<Outcome> outcomes(2 * arguments.measures.size());
  for (std::int64_t seed = 0; seed < arguments.seeds; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    // Another assignment of objects to digits for each seed: which are confused is chance.
    pool->meta.class_names = arguments.classes;
    std::ranges::shuffle(pool->meta.class_names, random);
    const auto published = readCooccurrence(arguments.cooccurrence, *pool, context);
    if (!published) {
      return failWith(published);
    }
    std::vector<std::int64_t> rows(static_cast<std::size_t>(pool->itemCount()));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    std::ranges::shuffle(rows, random);
    const std::span<const std::int64_t> all(rows);
    const SceneMaker first(*pool, all.first(rows.size() / 2), published->counts);
    const SceneMaker second(*pool, all.subspan(rows.size() / 2), published->counts);
    for (const SceneMaker* const maker : {&first, &second}) {
      if (const std::int64_t k = maker->emptyClass(); k >= 0) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: half of its items have none of class {}; give more labelled "
                                "items",
                                arguments.predictions, k));
      }
    }
    const Assembled calibration = first.make(arguments.scenes, arguments.objects, random, context);
    const Assembled test = second.make(arguments.scenes, arguments.objects, random, context);
    const auto learned =
        learnCooccurrence(calibration.run, calibration.scenes, "the calibration scenes", test.run);
    if (!learned) {
      return failWith(learned);
    }
    std::size_t outcome = 0;
    for (const Cooccurrence* const counts : {&*published, &*learned}) {
      for (const std::string& measure : arguments.measures) {
        if (Status added =
                addOutcome(calibration, test, *counts, measure, outcomes[outcome++], context);
            !added) {
          return added;
        }
      }
    }
  }
  std::vector<std::string> lines = {
      "counts,measure,weight,decile,accuracy,accuracy_with,accuracy_gain,accuracy_gain_std,nll,"
      "nll_with,nll_gain,nll_gain_std,corrected,spoilt"};
  std::size_t outcome = 0;
  for (const char* const counts : {"published", "learned"}) {
    for (const std::string& measure : arguments.measures) {
      for (std::size_t decile = 0; decile <= kDeciles; ++decile) {
        lines.push_back(lineOf(counts, measure, decile, outcomes[outcome]));
      }
      ++outcome;
    }
  }
  return writeLines(arguments.csv, lines);
}

}  // namespace

Study contextScenes(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "context-scenes",
      "what context changes by decile of uncertainty, if labelled predictions of digits stand for "
      "objects in scenes assembled from co-occurrence counts; half of the items calibrate the "
      "weight, as CSV");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("predictions", arguments->predictions, "predictions with true labels")
      ->required();
  app->add_option("--cooccurrence", arguments->cooccurrence, "table of counts (CSV)")->required();
  app->add_option("--classes", arguments->classes,
                  "classes of the table for which the classes of the predictions stand, shuffled "
                  "for each seed")
      ->delimiter(',')
      ->capture_default_str();
  app->add_option("--measures", arguments->measures, "measures of context")
      ->delimiter(',')
      ->check(CLI::IsMember({"log", "pmi"}))
      ->capture_default_str();
  app->add_option("--objects", arguments->objects, "objects in a scene")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  app->add_option("--scenes", arguments->scenes, "scenes for calibration, and as many for the test")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--seeds", arguments->seeds, "number of repetitions, averaged")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--csv", arguments->csv, "CSV file; default: standard output");
  return {app, [arguments](RunContext& context) { return runStudy(*arguments, context); }};
}

}  // namespace dubito::study
