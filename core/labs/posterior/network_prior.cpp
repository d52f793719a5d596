// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/labs/network/drawn_learner.h"
#include "core/labs/posterior/posterior_network.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Function draws of a prediction, at most.
constexpr std::int64_t kMaxPriorDraws = 1000;

class NetworkPriorLearner final : public WeightsLearner<RegressionTask> {
 public:
  NetworkPriorLearner(const RegressionProblem& problem, NetworkShape shape,
                      std::vector<double> widths, std::uint64_t seed)
      : WeightsLearner(problem, std::move(shape)),
        widths_(std::move(widths)),
        normals_(seed, LabSite::kFunctionDraw) {}

  [[nodiscard]] std::int64_t done() const override { return done_; }
  [[nodiscard]] std::int64_t total() const override { return 1; }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& /*context*/) override {
    done_ = std::min(done_ + units, total());
    return {};
  }
  [[nodiscard]] LabDiagnostics diagnostics() const override { return {}; }

 protected:
  [[nodiscard]] Array<double> drawnWeights(std::int64_t max_draws) const override {
    auto weights = Array<double>::zeros({std::clamp<std::int64_t>(max_draws, 1, kMaxPriorDraws),
                                         static_cast<std::int64_t>(widths_.size())});
    for (std::int64_t t = 0; t < weights.extent(0); ++t) {
      const auto row = weights.mutableRow(t);
      normals_.normals(static_cast<std::uint32_t>(t), row);
      for (std::size_t d = 0; d < widths_.size(); ++d) {
        row[d] *= widths_[d];
      }
    }
    return weights;
  }

 private:
  std::vector<double> widths_;  ///< standard deviations of the prior
  KeyedRandom normals_;
  std::int64_t done_ = 0;
};

}  // namespace

std::unique_ptr<RegressionLearner> startNetworkPrior(const RegressionProblem& problem,
                                                     const PosteriorNetworkOptions& options,
                                                     std::uint64_t seed) {
  return std::make_unique<NetworkPriorLearner>(problem, options.shape(problem),
                                               priorWidths(*options.posterior(problem)), seed);
}

}  // namespace dubito
