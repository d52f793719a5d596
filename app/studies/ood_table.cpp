// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/base/overloaded.h"
#include "core/base/stopwatch.h"
#include "core/laplace/link.h"
#include "core/metrics/across_seeds.h"
#include "core/metrics/ranking.h"

namespace dubito::study {
namespace {

constexpr std::array<const char*, 3> kLinks = {"mc", "bridge", "bridge-centred"};

struct Arguments {
  std::vector<std::string> models;
  Sets sets;
  std::string test;
  std::vector<std::string> ood;
  std::string csv;
  double share = 0.05;
  double n = 0.0;
  std::int64_t samples = 1000;
  int threads = 2;
};

/// A kind of posterior, with its name in the table.
struct Kind {
  const char* name;
  const char* layers;
  const char* structure;
};
constexpr std::array<Kind, 2> kKinds = {
    {{"all layers, diagonal", "all", "diag"}, {"last layer, kron", "last", "kron"}}};

/// Result of one link on one dataset.
struct Outcome {
  std::vector<double> confidence;  ///< of each item
  double seconds = 0.0;            ///< link only, from Gaussians to probabilities
};
using OutcomeOfLinks = std::map<std::string, Outcome>;

/// Concatenates the arrays along the first axis.
Array<float> stacked(const std::vector<Array<float>>& parts) {
  std::vector<std::int64_t> shape = parts.at(0).shape();
  shape[0] = 0;
  std::vector<float> values;
  for (const Array<float>& part : parts) {
    shape[0] += part.shape()[0];
    values.insert(values.end(), part.values().begin(), part.values().end());
  }
  return Array<float>::fromVector(std::move(shape), std::move(values));
}

/// The array of a covariance that has one entry per item.
Array<float>& ofItems(LogitCovariance& covariance) {
  return std::visit(
      Overloaded{[](DiagonalCovariance& diagonal) -> Array<float>& { return diagonal.variance; },
                 [](FullCovariance& full) -> Array<float>& { return full.covariance; },
                 [](FactoredCovariance& factored) -> Array<float>& { return factored.scale; }},
      covariance);
}

/// Concatenates the items of all parts, which have the same posterior.
LogitGaussians joined(std::vector<LogitGaussians> parts) {
  std::vector<Array<float>> means;
  std::vector<Array<float>> covariances;
  for (LogitGaussians& part : parts) {
    means.push_back(part.mean);
    covariances.push_back(ofItems(part.covariance));
  }
  LogitGaussians all{stacked(means), parts.at(0).covariance};
  ofItems(all.covariance) = stacked(covariances);
  return all;
}

Expected<OutcomeOfLinks> outcomesOn(const std::string& spec, const Model& model,
                                    const LaplaceOptions& method, const Arguments& arguments,
                                    RunContext& context) {
  const auto dataset = openDataset(spec, context);
  if (!dataset) {
    return failWith(dataset);
  }
  std::vector<LogitGaussians> parts;
  std::vector<std::int64_t> all_ids;
  const auto take = [&](const LogitGaussians& part, std::span<const std::int64_t> ids,
                        std::span<const std::int64_t> /*labels*/) {
    parts.push_back(part);
    all_ids.insert(all_ids.end(), ids.begin(), ids.end());
  };
  if (Status done = forEachLabelledGaussian(model, method, **dataset, context, take); !done) {
    return failWith(done);
  }
  const LogitGaussians all = joined(std::move(parts));
  OutcomeOfLinks outcomes;
  for (const char* const link : kLinks) {
    Outcome& outcome = outcomes[link];
    Stopwatch watch;
    const LinkedPredictions linked =
        applyLink(link, all, all_ids, arguments.samples, context.seed, context);
    outcome.seconds = watch.seconds();
    for (std::int64_t i = 0; i < linked.probs.shape()[0]; ++i) {
      outcome.confidence.push_back(*std::ranges::max_element(linked.probs.row(i)));
    }
  }
  return outcomes;
}

/// Results of all seeds for one posterior, dataset and link.
struct Row {
  std::string kind;
  std::string set;
  std::string link;
  std::vector<double> mmc;
  std::vector<double> auroc;  ///< empty for the in-distribution test set
  std::vector<double> seconds;
};

/// Means, standard deviations and seconds published in Table 5.1.
struct Published {
  const char* set;
  const char* link;
  double mmc;
  double mmc_sd;
  double auroc;
  double auroc_sd;
  double seconds;
};
constexpr double kNone = -1.0;
constexpr std::array<Published, 8> kPublished = {{
    {"test", "mc", 0.932, 0.007, kNone, kNone, 6.6},
    {"test", "bridge", 0.987, 0.001, kNone, kNone, 0.016},
    {"fashion-mnist", "mc", 0.407, 0.010, 0.989, 0.002, 6.6},
    {"fashion-mnist", "bridge", 0.377, 0.019, 0.994, 0.002, 0.016},
    {"notmnist", "mc", 0.535, 0.018, 0.958, 0.006, 12.3},
    {"notmnist", "bridge", 0.630, 0.018, 0.962, 0.007, 0.029},
    {"kmnist", "mc", 0.500, 0.014, 0.974, 0.005, 6.6},
    {"kmnist", "bridge", 0.630, 0.018, 0.975, 0.004, 0.016},
}};

std::string statistics(const std::vector<double>& values) {
  return values.empty() ? "-" : formatSeedStatistics(seedStatistics(values));
}

std::string publishedText(const Row& row) {
  const auto* const known = std::ranges::find_if(kPublished, [&](const Published& published) {
    return row.set == published.set && row.link == published.link;
  });
  if (row.kind != kKinds[0].name || known == kPublished.end()) {
    return "";
  }
  const std::string auroc =
      known->auroc == kNone ? "-" : fmt::format("{:.3f} +- {:.3f}", known->auroc, known->auroc_sd);
  return fmt::format("{:.3f} +- {:.3f} | {} | {} s", known->mmc, known->mmc_sd, auroc,
                     known->seconds);
}

class OodTable {
 public:
  explicit OodTable(const Arguments& arguments) : arguments_(arguments) {}

  Status addModel(const std::string& path, RunContext& context);
  [[nodiscard]] std::vector<std::string> markdown() const;
  [[nodiscard]] std::vector<std::string> csv() const;

 private:
  Row& rowOf(const std::string& kind, const std::string& set, const std::string& link);
  Status addKind(const Kind& kind, const Model& model, RunContext& context);

  const Arguments& arguments_;
  std::vector<Row> rows_;
};

Row& OodTable::rowOf(const std::string& kind, const std::string& set, const std::string& link) {
  const auto found = std::ranges::find_if(rows_, [&](const Row& row) {
    return row.kind == kind && row.set == set && row.link == link;
  });
  return found != rows_.end() ? *found : rows_.emplace_back(Row{kind, set, link, {}, {}, {}});
}

Status OodTable::addKind(const Kind& kind, const Model& model, RunContext& context) {
  LaplaceOptions method;
  method.layers = kind.layers;
  method.structure = kind.structure;
  method.prior = fmt::format("mmc-drop={}", arguments_.share);
  method.samples = arguments_.samples;
  if (arguments_.n > 0.0) {
    method.n = arguments_.n;
  }
  const auto ready = fitted(model, method, arguments_.sets, context);
  if (!ready) {
    return failWith(ready);
  }
  fmt::print(stderr, "{}, {}: tau {:.4g}\n", model.path(), kind.name, ready->fitted->scale.tau);
  std::vector<std::pair<std::string, std::string>> sets = {{"test", arguments_.test}};
  for (const std::string& entry : arguments_.ood) {
    const std::size_t equals = entry.find('=');
    sets.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  OutcomeOfLinks known;
  for (const auto& [name, spec] : sets) {
    const auto outcomes = outcomesOn(spec, model, *ready, arguments_, context);
    if (!outcomes) {
      return failWith(outcomes);
    }
    for (const char* const link : kLinks) {
      const Outcome& outcome = outcomes->at(link);
      Row& row = rowOf(kind.name, name, link);
      row.mmc.push_back(std::accumulate(outcome.confidence.begin(), outcome.confidence.end(), 0.0) /
                        static_cast<double>(outcome.confidence.size()));
      row.seconds.push_back(outcome.seconds);
      if (name != "test") {
        row.auroc.push_back(
            areaUnderRoc(thresholdTableOfGroups(known.at(link).confidence, outcome.confidence)));
      }
    }
    if (name == "test") {
      known = *outcomes;
    }
  }
  return {};
}

Status OodTable::addModel(const std::string& path, RunContext& context) {
  const auto model = loadModel(path, {}, context);
  if (!model) {
    return failWith(model);
  }
  for (const Kind& kind : kKinds) {
    if (Status added = addKind(kind, **model, context); !added) {
      return added;
    }
  }
  return {};
}

std::vector<std::string> OodTable::markdown() const {
  std::vector<std::string> lines = {
      "| posterior | set | link | MMC | AUROC | seconds | published MMC, AUROC, seconds |",
      "|---|---|---|---|---|---|---|"};
  for (const Row& row : rows_) {
    lines.push_back(fmt::format("| {} | {} | {} | {} | {} | {:.3f} | {} |", row.kind, row.set,
                                row.link, statistics(row.mmc), statistics(row.auroc),
                                seedStatistics(row.seconds).mean, publishedText(row)));
  }
  return lines;
}

std::vector<std::string> OodTable::csv() const {
  std::vector<std::string> lines = {"posterior,set,link,model,mmc,auroc,seconds"};
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.mmc.size(); ++i) {
      lines.push_back(fmt::format(
          "\"{}\",{},{},{},{:.6f},{},{:.6f}", row.kind, row.set, row.link, i + 1, row.mmc[i],
          row.auroc.empty() ? "" : fmt::format("{:.6f}", row.auroc[i]), row.seconds[i]));
    }
  }
  return lines;
}

}  // namespace

Study oodTable(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "ood-table", "Confidence and OOD detection, by sampling and by the bridge");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("models", arguments->models, "networks that differ only in the seed")->required();
  app->add_option("--fit", arguments->sets.fit, "training items")->required();
  app->add_option("--calibration", arguments->sets.calibration, "other items, to choose the prior")
      ->required();
  app->add_option("--test", arguments->test, "in-distribution test items")->required();
  app->add_option("--ood", arguments->ood, "OOD items, as NAME=DATASET (repeatable)")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--share", arguments->share,
                  "drop of the samples' mean confidence, which sets the prior")
      ->capture_default_str();
  app->add_option("--n", arguments->n,
                  "number of items that the data count as; default: items fitted");
  app->add_option("--samples", arguments->samples, "draws of the link mc")->capture_default_str();
  app->add_option("--threads", arguments->threads, "number of threads")->capture_default_str();
  app->add_option("--csv", arguments->csv, "CSV file with one row per network");
  return {app, [arguments](RunContext& context) -> Status {
            context.threads = arguments->threads;
            OodTable table(*arguments);
            for (const std::string& model : arguments->models) {
              if (Status added = table.addModel(model, context); !added) {
                return added;
              }
            }
            if (Status written =
                    arguments->csv.empty() ? Status() : writeLines(arguments->csv, table.csv());
                !written) {
              return written;
            }
            return writeLines("", table.markdown());
          }};
}

}  // namespace dubito::study
