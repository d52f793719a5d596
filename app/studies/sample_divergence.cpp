// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/studies/studies.h"
#include "app/studies/study_data.h"
#include "core/base/stopwatch.h"
#include "core/kernels/laplace_bridge.h"
#include "core/kernels/simplex_histogram.h"
#include "core/measures/honesty.h"
#include "core/measures/laplace_bridge.h"

namespace dubito::study {
namespace {

constexpr std::int64_t kClasses = 3;
constexpr std::array<std::int64_t, 3> kAll = {0, 1, 2};
constexpr std::uint64_t kTruthSeed = 1'000'003;
// One bridge takes about 2e-6 s, so its time is averaged.
constexpr int kRepetitions = 1000;

struct Arguments {
  std::string csv;
  std::int64_t resolution = 16;
  std::int64_t truth = 1'000'000;
  std::int64_t max_samples = 100'000;
  std::uint64_t seed = 0;
};

struct Named {
  std::string name;
  LogitGaussian gaussian;
};

/// Gaussians over three logits: one that a Dirichlet describes well, a flat one, and one whose most
/// likely class is as uncertain as the others, which no Dirichlet describes.
std::vector<Named> testGaussians() {
  const std::vector<double> alpha = {8.0, 3.0, 2.0};
  return {
      {"of a Dirichlet", dirichletToLogitGaussian(alpha)},
      {"flat", {{0.2, 0.0, -0.1}, {0.5, 0.2, 0.1, 0.2, 0.6, 0.1, 0.1, 0.1, 0.4}}},
      {"unlike a Dirichlet", {{2.0, 0.0, -0.5}, {0.4, 0.1, 0.0, 0.1, 0.5, 0.1, 0.0, 0.1, 0.6}}}};
}

std::vector<float> asFloats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

LogitGaussians gaussiansOf(const LogitGaussian& gaussian) {
  return {Array<float>::fromVector({1, kClasses}, asFloats(gaussian.mean)),
          FullCovariance{
              Array<float>::fromVector({1, kClasses, kClasses}, asFloats(gaussian.covariance))}};
}

/// KL(truth || samples) over the triangles of the histogram; half a count is added to each, so that
/// empty ones do not make it infinite.
double divergence(const SimplexHistogram& truth, const SimplexHistogram& samples) {
  const std::int64_t resolution = truth.counts.shape()[0];
  const auto cells = static_cast<double>(resolution * resolution);
  double sum = 0.0;
  for (std::int64_t i = 0; i < truth.counts.size(); ++i) {
    const auto count = static_cast<double>(truth.counts.data()[i]);
    if (count > 0.0) {
      const double p = count / static_cast<double>(truth.samples);
      const double q = (static_cast<double>(samples.counts.data()[i]) + 0.5) /
                       (static_cast<double>(samples.samples) + 0.5 * cells);
      sum += p * std::log(p / q);
    }
  }
  return sum;
}

/// Exact KL(density || Dirichlet), an upper bound of that over the triangles.
double divergenceOfBridge(const LogitGaussian& gaussian, const Array<float>& log_alpha) {
  const std::vector<double> alpha(log_alpha.row(0).begin(), log_alpha.row(0).end());
  return densityDivergence(gaussian.mean, gaussian.covariance, alpha).value();
}

Status run(const Arguments& arguments, RunContext& context) {
  context.threads = 1;
  std::vector<std::string> lines = {
      "gaussian,samples,kl_samples,seconds_samples,kl_bridge,seconds_bridge"};
  for (const Named& made : testGaussians()) {
    const LogitGaussians gaussian = gaussiansOf(made.gaussian);
    Stopwatch watch;
    Array<float> log_alpha;
    for (int i = 0; i < kRepetitions; ++i) {
      log_alpha = laplaceBridge(gaussian, BridgeVariant::kCentred, context);
    }
    const double seconds_of_bridge = watch.lap() / kRepetitions;
    const double kl_of_bridge = divergenceOfBridge(made.gaussian, log_alpha);
    const SimplexHistogram truth =
        simplexHistogram(gaussian, 0, 0, kAll, arguments.resolution, arguments.truth, kTruthSeed);
    for (double count = 10.0; count <= static_cast<double>(arguments.max_samples) * 1.001;
         count *= std::sqrt(std::sqrt(10.0))) {
      const auto samples = static_cast<std::int64_t>(std::lround(count));
      watch.lap();
      const SimplexHistogram drawn =
          simplexHistogram(gaussian, 0, 0, kAll, arguments.resolution, samples, arguments.seed);
      const double seconds = watch.lap();
      lines.push_back(fmt::format("{},{},{:.6f},{:.3e},{:.6f},{:.3e}", made.name, samples,
                                  divergence(truth, drawn), seconds, kl_of_bridge,
                                  seconds_of_bridge));
    }
  }
  return writeLines(arguments.csv, lines);
}

}  // namespace

Study sampleDivergence(CLI::App& parent) {
  CLI::App* const app = parent.add_subcommand("sample-divergence",
                                              "KL divergence of sample histograms and of the "
                                              "bridge from the distribution of softmax(z) "
                                              "for three Gaussians over three logits, as CSV");
  const auto arguments = std::make_shared<Arguments>();
  app->add_option("--resolution", arguments->resolution, "divisions per side of the triangle")
      ->capture_default_str();
  app->add_option("--truth", arguments->truth, "number of samples that represent the distribution")
      ->capture_default_str();
  app->add_option("--most", arguments->max_samples, "largest number of samples to compare")
      ->capture_default_str();
  app->add_option("--seed", arguments->seed, "seed of the compared samples")->capture_default_str();
  app->add_option("--csv", arguments->csv, "CSV file; default: standard output");
  return {app, [arguments](RunContext& context) { return run(*arguments, context); }};
}

}  // namespace dubito::study
