// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "app/studies/own_classes.h"
#include "app/studies/scene_maker.h"
#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/context/context_run.h"
#include "core/context/weight_fit.h"
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
  bool own_classes = false;
  bool classes_given = false;
  std::vector<std::string> renames;
  std::vector<std::string> measures = {"log", "pmi"};
  std::int64_t objects = 4;
  std::int64_t scenes = 2500;
  std::int64_t seeds = 5;
  std::string csv;
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

/// The predictions whose items become objects; says which classes are left out.
Expected<Run> poolFor(const Arguments& arguments, RunContext& context) {
  auto pool = openPredictions(arguments.predictions, context);
  if (!pool) {
    return failWith(pool);
  }
  if (Status labelled = requireLabels(*pool, arguments.predictions); !labelled) {
    return failWith(labelled);
  }
  if (arguments.own_classes) {
    const auto renames = parseRenames(arguments.renames);
    if (!renames) {
      return failWith(renames);
    }
    auto own =
        withOwnClasses(*pool, arguments.predictions,
                       arguments.classes_given ? arguments.classes : std::vector<std::string>(),
                       *renames, arguments.cooccurrence, context);
    if (!own) {
      return failWith(own);
    }
    fmt::print(stderr, "objects of the classes {}{}\n", fmt::join(own->run.meta.class_names, ", "),
               own->unknown.empty()
                   ? std::string()
                   : fmt::format("; not in {} and left out: {}", arguments.cooccurrence,
                                 fmt::join(own->unknown, ", ")));
    return std::move(own->run);
  }
  if (std::ssize(arguments.classes) != pool->classCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} classes, but --classes names {}; name one class of the "
                            "table for each",
                            arguments.predictions, pool->classCount(), arguments.classes.size()));
  }
  return pool;
}

Status runStudy(const Arguments& arguments, RunContext& context) {
  auto pool = poolFor(arguments, context);
  if (!pool) {
    return failWith(pool);
  }
  std::vector<Outcome> outcomes(2 * arguments.measures.size());
  for (std::int64_t seed = 0; seed < arguments.seeds; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    if (!arguments.own_classes) {
      // Another assignment of objects to digits for each seed: which are confused is chance.
      pool->meta.class_names = arguments.classes;
      std::ranges::shuffle(pool->meta.class_names, random);
    }
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
      "what context changes by decile of uncertainty, if the items of labelled predictions are, or "
      "stand for, objects in scenes assembled from co-occurrence counts; half of the items "
      "calibrate the weight, as CSV");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("predictions", arguments->predictions, "predictions with true labels")
      ->required();
  app->add_option("--cooccurrence", arguments->cooccurrence, "table of counts (CSV)")->required();
  const CLI::Option* const classes =
      app->add_option(
             "--classes", arguments->classes,
             "classes of the table for which the classes of the predictions stand, shuffled "
             "for each seed")
          ->delimiter(',')
          ->capture_default_str();
  app->add_flag("--own-classes", arguments->own_classes,
                "the items are photographs of their own classes, which are found in the table by "
                "name; classes that it does not count are left out. --classes names them if the "
                "predictions do not");
  app->add_option("--rename", arguments->renames,
                  "names of own classes in the table, such as automobile=car,ship=boat")
      ->delimiter(',')
      ->needs("--own-classes");
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
  return {app, [arguments, classes](RunContext& context) {
            arguments->classes_given = classes->count() > 0;
            return runStudy(*arguments, context);
          }};
}

}  // namespace dubito::study
