// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <map>
#include <memory>
#include <numeric>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/kernels/laplace_bridge.h"
#include "core/measures/dirichlet.h"

namespace dubito::study {
namespace {

struct Arguments {
  std::string model;
  Sets sets;
  std::string data;
  std::string csv;
  double share = 0.05;
  double n = 0.0;
  std::string variant = "bridge";
  int threads = 2;
};

struct Sums {
  std::int64_t items = 0;
  double variance = 0.0;  ///< mean over the network's classes, summed over items
};

Status run(const Arguments& arguments, RunContext& context) {
  context.threads = arguments.threads;
  const auto variant = bridgeVariantFromName(arguments.variant);
  if (!variant) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--variant {}: unknown; use bridge, bridge-centred, bridge-norm or "
                            "bridge-raw",
                            arguments.variant));
  }
  const auto model = loadModel(arguments.model, {}, context);
  if (!model) {
    return failWith(model);
  }
  const auto dataset = openDataset(arguments.data, context);
  if (!dataset) {
    return failWith(dataset);
  }
  LaplaceOptions method;
  method.layers = "all";
  method.structure = "diag";
  method.prior = fmt::format("mmc-drop={}", arguments.share);
  if (arguments.n > 0.0) {
    method.n = arguments.n;
  }
  const auto ready = fitted(**model, method, arguments.sets, context);
  if (!ready) {
    return failWith(ready);
  }
  std::map<std::int64_t, Sums> of_class;
  const auto take = [&](const LogitGaussians& gaussians, std::span<const std::int64_t> /*ids*/,
                        std::span<const std::int64_t> labels) {
    const Array<float> log_alpha = laplaceBridge(gaussians, *variant, context);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto row = log_alpha.row(static_cast<std::int64_t>(i));
      const std::vector<double> variances =
          summariseDirichlet(alphaFromLog(std::vector<double>(row.begin(), row.end()))).variance;
      Sums& sums = of_class[labels[i]];
      ++sums.items;
      sums.variance += std::accumulate(variances.begin(), variances.end(), 0.0) /
                       static_cast<double>(variances.size());
    }
  };
  if (Status done = forEachLabelledGaussian(**model, *ready, **dataset, context, take); !done) {
    return done;
  }
  std::vector<std::string> lines = {"class,items,mean_variance"};
  for (const auto& [label, sums] : of_class) {
    lines.push_back(fmt::format("{},{},{:.8f}", label, sums.items,
                                sums.variance / static_cast<double>(sums.items)));
  }
  return writeLines(arguments.csv, lines);
}

}  // namespace

Study classVariance(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand(
      "class-variance", "Mean variance of the Dirichlets by true class, as CSV");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("model", arguments->model, "network trained on some of the classes")->required();
  app->add_option("data", arguments->data, "items of all classes")->required();
  app->add_option("--fit", arguments->sets.fit, "training items")->required();
  app->add_option("--calibration", arguments->sets.calibration, "other items, to choose the prior")
      ->required();
  app->add_option("--share", arguments->share,
                  "drop of the samples' mean confidence, which sets the prior")
      ->capture_default_str();
  app->add_option("--n", arguments->n,
                  "number of items that the data count as; default: items fitted");
  app->add_option("--variant", arguments->variant, "variant of the bridge")->capture_default_str();
  app->add_option("--threads", arguments->threads, "number of threads")->capture_default_str();
  app->add_option("--csv", arguments->csv, "CSV file; default: standard output");
  return {app, [arguments](RunContext& context) { return run(*arguments, context); }};
}

}  // namespace dubito::study
