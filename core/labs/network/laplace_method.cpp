// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <utility>

#include "core/labs/network/ensemble_learner.h"
#include "core/labs/network/linearised_posterior.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/network_options.h"
#include "core/labs/network/regression_task.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

struct NetworkLaplaceOptions {
  NetworkOptions network{.epochs = 3000};
  double precision = 1.0;
  std::string layers = "all";
  std::optional<double> tau = std::nullopt;
  std::int64_t draws = 20;

  std::vector<Field> fields() {
    return joinFields(
        {field(&layers, "layers", "Layers",
               "weights with a posterior: those of the last layer, or of all layers",
               {.choices = {"last", "all"}}),
         field(&tau, "tau", "Tau",
               "prior precision of the posterior; by default the one that maximises the "
               "Laplace evidence",
               {.min = 1e-6, .max = 1e6}),
         field(&precision, "precision", "Training precision",
               "prior precision of every weight while the network is trained",
               {.min = 0.0, .max = 1e9}),
         drawsField(draws)},
        network.fields());
  }
};

class NetworkLaplaceLearner : public NetworkLearner<RegressionTask> {
 public:
  NetworkLaplaceLearner(const RegressionProblem& problem, const NetworkLaplaceOptions& options,
                        std::uint64_t seed)
      : NetworkLearner(problem, options.network, 1, seed),
        options_(options),
        first_(firstParameter(options)) {}

  [[nodiscard]] static Status check(const RegressionProblem& problem,
                                    const NetworkLaplaceOptions& options) {
    return LinearisedPosterior::checkSize(
        problem.size(), options.network.shape(1).parameterCount() - firstParameter(options));
  }

  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override {
    const LinearisedPosterior posterior = posterior_ ? *posterior_ : fitted();
    std::vector<double> mean(x.size());
    networkOutputs(shape(), networkParameters(), x, mean);
    RegressionPrediction result =
        singlePrediction(std::move(mean), problem().noise_std * problem().noise_std);
    const std::int64_t count = std::min(options_.draws, std::max(max_draws, std::int64_t{1}));
    const std::vector<double> jacobians = jacobiansAt(x);
    const auto size = static_cast<std::size_t>(dimension());
    const std::span<const double> rows = jacobians;
    for (std::size_t i = 0; i < x.size(); ++i) {
      result.epistemic_variance[i] = posterior.variance(rows.subspan(i * size, size));
    }
    auto draws = functionDraws(count, x, context, [&](std::int64_t t, std::span<double> values) {
      std::vector<double> change(size);
      KeyedRandom(seed(), LabSite::kFunctionDraw).normals(static_cast<std::uint32_t>(t), change);
      posterior.draw(change);
      for (std::size_t i = 0; i < x.size(); ++i) {
        values[i] = result.mean[i];
        for (std::size_t p = 0; p < size; ++p) {
          values[i] += jacobians[i * size + p] * change[p];
        }
      }
    });
    if (!draws) {
      return failWith(draws);
    }
    result.draws = std::move(*draws);
    return result;
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result = NetworkLearner::diagnostics();
    if (posterior_) {
      result.numbers.push_back({"tau", "Prior precision tau", posterior_->tau()});
    }
    return result;
  }

 protected:
  double loss(std::span<const std::int64_t> items, std::uint32_t /*step*/,
              std::span<const double> parameters, std::span<double> gradient) override {
    return posteriorLoss<RegressionTask>(problem(), items, shape(), options_.precision, parameters,
                                         gradient);
  }

  void onEpoch() override {
    if (done() == total()) {
      posterior_ = fitted();
    }
  }

 private:
  /// The first parameter with a posterior.
  [[nodiscard]] static std::int64_t firstParameter(const NetworkLaplaceOptions& options) {
    const NetworkShape shape = options.network.shape(1);
    return options.layers == "all" ? 0 : shape.firstWeightOf(shape.layerCount() - 1);
  }

  /// Number of parameters with a posterior: all from `first_` on.
  [[nodiscard]] std::int64_t dimension() const { return shape().parameterCount() - first_; }

  /// Jacobians [M, dimension] of the outputs at `x`.
  [[nodiscard]] std::vector<double> jacobiansAt(std::span<const double> x) const {
    const auto all = static_cast<std::size_t>(shape().parameterCount());
    std::vector<double> row(all);
    std::vector<double> result;
    result.reserve(x.size() * static_cast<std::size_t>(dimension()));
    for (const double& at : x) {
      networkJacobians(shape(), networkParameters(), {&at, 1}, row);
      result.insert(result.end(), row.begin() + first_, row.end());
    }
    return result;
  }

  [[nodiscard]] LinearisedPosterior fitted() const {
    LinearisedPosterior posterior(jacobiansAt(problem().x), dimension(), problem().noise_std,
                                  options_.tau.value_or(1.0));
    if (!options_.tau) {
      double squared_norm = 0.0;
      for (const double parameter : networkParameters().subspan(static_cast<std::size_t>(first_))) {
        squared_norm += parameter * parameter;
      }
      posterior.maximiseEvidence(squared_norm);
    }
    return posterior;
  }

  NetworkLaplaceOptions options_;
  std::int64_t first_;
  std::optional<LinearisedPosterior> posterior_;  ///< after the last epoch
};

}  // namespace

RegressionMethodInfo networkLaplaceMethod() {
  return {"laplace",
          "Laplace",
          "A normal distribution around the weights of one trained network, as wide as the "
          "curvature of the loss allows; the network is linear in its weights for predictions.",
          "H = JᵀJ/σ² + τI; variance of f: j(x)ᵀH⁻¹j(x); of y, with the noise: that + σ²",
          "5-laplace-approximation",
          makeNetworkMethod<NetworkLaplaceOptions, NetworkLaplaceLearner>};
}

}  // namespace dubito
