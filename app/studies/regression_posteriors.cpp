// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/labs/data/regression_sets.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito::study {
namespace {

/// The method that stands for the truth, as in the report.
constexpr const char* kReference = "hmc";

struct Arguments {
  std::string data = "sine";
  std::vector<std::string> methods;  ///< empty: all
  std::int64_t seeds = 5;
  std::string csv;
};

/// Sums over the seeds.
struct MethodSums {
  const RegressionMethodInfo* info = nullptr;
  double rmse = 0.0;
  double log_likelihood = 0.0;
  double crps = 0.0;
  double inside_95 = 0.0;
  double std_inside = 0.0;   ///< mean epistemic standard deviation between the outermost points
  double std_outside = 0.0;  ///< and beyond them
  double distance = 0.0;     ///< to the reference
  double seconds = 0.0;
};

Expected<RegressionPicture> finishedPicture(const RegressionData& data,
                                            const RegressionMethodInfo& info, std::uint64_t seed,
                                            RunContext& context) {
  auto lab = RegressionLab::start(data, *info.make(), {}, seed);
  if (!lab) {
    return failWith(lab);
  }
  const std::int64_t units = std::max(lab->total() / 20, std::int64_t{1});
  while (lab->done() < lab->total()) {
    if (Status advanced = lab->advance(units, context); !advanced) {
      return failWith(advanced);
    }
    if (context.step(info.key, lab->done(), lab->total()) == Step::kCancel) {
      return cancelled();
    }
  }
  return lab->picture(context);
}

void add(MethodSums& sums, const RegressionData& data, const RegressionPicture& picture,
         const RegressionPicture& reference) {
  const auto [low, high] = std::ranges::minmax_element(data.train.x);
  double inside = 0.0;
  double outside = 0.0;
  int count_inside = 0;
  for (std::size_t i = 0; i < picture.x.size(); ++i) {
    const bool is_inside = picture.x[i] >= *low && picture.x[i] <= *high;
    (is_inside ? inside : outside) += picture.std_epistemic[i];
    count_inside += is_inside ? 1 : 0;
  }
  const int count_outside = static_cast<int>(picture.x.size()) - count_inside;
  sums.std_inside += inside / std::max(count_inside, 1);
  sums.std_outside += outside / std::max(count_outside, 1);
  sums.rmse += picture.scores.rmse;
  sums.log_likelihood += picture.scores.log_likelihood;
  sums.crps += picture.scores.crps;
  sums.inside_95 += picture.scores.coverage.back();
  sums.distance += predictiveDistance(picture, reference);
  sums.seconds += picture.seconds;
}

Expected<std::vector<MethodSums>> chosenMethods(const Arguments& arguments) {
  std::vector<MethodSums> chosen;
  for (const RegressionMethodInfo& info : regressionMethods()) {
    if (arguments.methods.empty() ||
        std::ranges::find(arguments.methods, info.key) != arguments.methods.end()) {
      chosen.push_back({.info = &info});
    }
  }
  if (chosen.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "--methods: names no method; see dubito-cli lab regression --help");
  }
  return chosen;
}

Status comparePosteriors(const Arguments& arguments, RunContext& context) {
  auto methods = chosenMethods(arguments);
  if (!methods) {
    return failWith(methods);
  }
  for (std::int64_t seed = 0; seed < arguments.seeds; ++seed) {
    const auto key = static_cast<std::uint64_t>(seed);
    const auto data =
        openRegressionData(arguments.data, RegressionLabOptions().points, key, context);
    if (!data) {
      return failWith(data);
    }
    const auto reference = finishedPicture(*data, *findRegressionMethod(kReference), key, context);
    if (!reference) {
      return failWith(reference);
    }
    for (MethodSums& sums : *methods) {
      const auto picture = sums.info->key == std::string_view(kReference)
                               ? reference
                               : finishedPicture(*data, *sums.info, key, context);
      if (!picture) {
        return failWith(picture);
      }
      add(sums, *data, *picture, *reference);
    }
  }
  std::vector<std::string> lines = {
      "method,rmse,log_likelihood,crps,inside_95,std_between_points,std_beyond_points,"
      "distance_to_hmc,seconds"};
  const auto n = static_cast<double>(arguments.seeds);
  for (const MethodSums& sums : *methods) {
    lines.push_back(fmt::format("{},{:.4g},{:.4g},{:.4g},{:.4f},{:.4g},{:.4g},{:.4g},{:.2f}",
                                sums.info->key, sums.rmse / n, sums.log_likelihood / n,
                                sums.crps / n, sums.inside_95 / n, sums.std_inside / n,
                                sums.std_outside / n, sums.distance / n, sums.seconds / n));
  }
  return writeLines(arguments.csv, lines);
}

}  // namespace

Study regressionPosteriors(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "regression-posteriors",
      "how the methods of the regression laboratory differ from HMC, mean over seeds, as CSV");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("--data", arguments->data, "data of the laboratory")->capture_default_str();
  app->add_option("--methods", arguments->methods, "methods to compare; default: all")
      ->delimiter(',');
  app->add_option("--seeds", arguments->seeds, "number of repetitions, averaged")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--csv", arguments->csv, "CSV file; default: standard output");
  return {app, [arguments](RunContext& context) { return comparePosteriors(*arguments, context); }};
}

}  // namespace dubito::study
