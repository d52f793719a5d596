// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/class_prediction.h"
#include "core/labs/classification/class_task.h"
#include "core/labs/classification/laplace_posterior.h"
#include "core/labs/network/ensemble_learner.h"
#include "core/labs/network/online_network.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

struct LaplaceClassOptions {
  NetworkOptions network = defaultClassNetwork();
  double precision = 1.0;
  std::optional<double> tau = std::nullopt;
  std::string link = "mc";
  std::int64_t draws = 100;

  std::vector<Field> fields() {
    return joinFields({linkField(link), precisionField(precision),
                       field(&tau, "tau", "Tau",
                             "prior precision of the Laplace posterior; by default the prior "
                             "precision of the training",
                             {.min = 1e-6, .max = 1e6}),
                       drawsField(draws)},
                      network.fields());
  }
  [[nodiscard]] double posteriorTau() const {
    // Without any prior the posterior would not be proper.
    return tau.value_or(std::max(precision, 1e-6));
  }
};

/// Trains the network; its Gaussians over the logits depend on the kind of posterior.
template <class Posterior>
class LaplaceClassLearner : public EnsembleLearner<ClassTask> {
 public:
  LaplaceClassLearner(const ClassProblem& problem, const LaplaceClassOptions& options,
                      std::uint64_t seed)
      : EnsembleLearner(problem, options.network, options.precision, 1, seed), options_(options) {}

  /// The posterior is kept after the last epoch.
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    Status advanced = EnsembleLearner::advance(units, context);
    if (advanced && done() == total() && !posterior_) {
      posterior_.emplace(fitted());
    }
    return advanced;
  }

  [[nodiscard]] Expected<ClassPrediction> predict(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    std::optional<Posterior> unfinished;
    const Posterior& posterior = current(unfinished);
    return predictInParts(inputs, shape().outputs, context,
                          [&](std::span<const double> part) -> Expected<ClassPrediction> {
                            return predictionOfGaussians(
                                {toFloat(logitsOf(part)), covariancesOf(posterior, part, context)},
                                options_.link, samples(max_draws), seed(), context);
                          });
  }

 protected:
  /// The posterior around the current weights.
  [[nodiscard]] virtual Posterior fitted() const = 0;
  [[nodiscard]] virtual LogitCovariance covariancesOf(const Posterior& posterior,
                                                      std::span<const double> inputs,
                                                      const RunContext& context) const = 0;

  /// The posterior after the last epoch, or else one that is computed into `unfinished`.
  [[nodiscard]] const Posterior& current(std::optional<Posterior>& unfinished) const {
    return posterior_ ? *posterior_ : unfinished.emplace(fitted());
  }
  [[nodiscard]] const LaplaceClassOptions& options() const { return options_; }
  [[nodiscard]] std::int64_t samples(std::int64_t max_draws) const {
    return std::clamp<std::int64_t>(max_draws, 1, options_.draws);
  }
  /// Logits [M, K] of the trained network at `inputs` [M, 2].
  [[nodiscard]] Array<double> logitsOf(std::span<const double> inputs) const {
    auto logits = Array<double>::zeros({std::ssize(inputs) / 2, shape().outputs});
    networkOutputs(shape(), networkParameters(), inputs, logits.mutableValues());
    return logits;
  }
  /// Probabilities [N, K] at the data.
  [[nodiscard]] Array<double> probsAtData() const {
    return predictionOfLogits(logitsOf(problem().inputs)).probs;
  }

 private:
  LaplaceClassOptions options_;
  std::optional<Posterior> posterior_;
};

template <LaplaceStructure kStructure>
class LastLayerClassLearner : public LaplaceClassLearner<LastLayerPosterior> {
 public:
  using LaplaceClassLearner::LaplaceClassLearner;

  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    std::optional<LastLayerPosterior> unfinished;
    const LastLayerPosterior& posterior = current(unfinished);
    const Array<double> features = featuresOf(inputs);
    const auto width = static_cast<std::size_t>(features.extent(1));
    const auto classes = static_cast<std::size_t>(shape().outputs);
    const Array<double> means = logitsOf(inputs);
    return functionDraws(samples(max_draws), inputs, context,
                         [&](std::int64_t t, std::span<double> logits) {
                           std::vector<double> change(classes * width);
                           KeyedRandom(seed(), LabSite::kFunctionDraw)
                               .normals(static_cast<std::uint32_t>(t), change);
                           posterior.draw(change);
                           for (std::size_t m = 0; m * classes < logits.size(); ++m) {
                             const auto phi = features.row(static_cast<std::int64_t>(m));
                             for (std::size_t k = 0; k < classes; ++k) {
                               double sum = means.row(static_cast<std::int64_t>(m))[k];
                               for (std::size_t q = 0; q < width; ++q) {
                                 sum += change[k * width + q] * phi[q];
                               }
                               logits[m * classes + k] = sum;
                             }
                           }
                         });
  }

 private:
  /// Outputs of the last hidden layer and a 1, [M, Q].
  [[nodiscard]] Array<double> featuresOf(std::span<const double> inputs) const {
    const std::int64_t count = std::ssize(inputs) / 2;
    const std::int64_t units = shape().hidden.back();
    std::vector<double> values(static_cast<std::size_t>(count * units));
    lastHiddenLayer(shape(), networkParameters(), inputs, values);
    auto features = Array<double>::zeros({count, units + 1});
    for (std::int64_t m = 0; m < count; ++m) {
      const auto row = features.mutableRow(m);
      std::copy_n(values.begin() + m * units, units, row.begin());
      row.back() = 1.0;
    }
    return features;
  }

  [[nodiscard]] LastLayerPosterior fitted() const override {
    return {kStructure, featuresOf(problem().inputs), probsAtData(), options().posteriorTau()};
  }

  [[nodiscard]] LogitCovariance covariancesOf(const LastLayerPosterior& posterior,
                                              std::span<const double> inputs,
                                              const RunContext& context) const override {
    const Array<double> features = featuresOf(inputs);
    const std::int64_t classes = shape().outputs;
    auto all = Array<double>::zeros({features.extent(0), classes, classes});
    constexpr std::int64_t kPerTask = 128;
    context.parallelFor(features.extent(0), kPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t m = begin; m < end; ++m) {
        posterior.covariance(features.row(m), all.mutableRow(m));
      }
    });
    if constexpr (kStructure == LaplaceStructure::kDiagonal) {
      auto variance = Array<float>::zeros({features.extent(0), classes});
      for (std::int64_t m = 0; m < features.extent(0); ++m) {
        for (std::int64_t k = 0; k < classes; ++k) {
          variance.mutableRow(m)[static_cast<std::size_t>(k)] =
              static_cast<float>(all.row(m)[static_cast<std::size_t>(k * (classes + 1))]);
        }
      }
      return DiagonalCovariance{std::move(variance)};
    } else {
      return FullCovariance{toFloat(all)};
    }
  }
};

class AllLayersClassLearner : public LaplaceClassLearner<AllLayersPosterior> {
 public:
  using LaplaceClassLearner::LaplaceClassLearner;

  [[nodiscard]] static Status check(const ClassProblem& problem,
                                    const LaplaceClassOptions& options) {
    const std::int64_t parameters = ClassTask::shape(options.network, problem).parameterCount();
    if (parameters > AllLayersPosterior::kMaxParameters) {
      return fail(ErrorCode::kInvalidArgument,
                  "A full covariance of " + std::to_string(parameters) +
                      " weights is too large; use fewer hidden units or a Laplace approximation "
                      "of the last layer");
    }
    return {};
  }

  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    std::optional<AllLayersPosterior> unfinished;
    const AllLayersPosterior& posterior = current(unfinished);
    const std::int64_t draws = samples(max_draws);
    const auto parameters = static_cast<std::size_t>(shape().parameterCount());
    auto changes = Array<double>::zeros({draws, shape().parameterCount()});
    for (std::int64_t t = 0; t < draws; ++t) {
      KeyedRandom(seed(), LabSite::kFunctionDraw)
          .normals(static_cast<std::uint32_t>(t), changes.mutableRow(t));
      posterior.draw(changes.mutableRow(t));
    }
    const std::int64_t count = std::ssize(inputs) / 2;
    const std::int64_t classes = shape().outputs;
    const Array<double> means = logitsOf(inputs);
    auto result = Array<double>::zeros({draws, count, classes});
    context.parallelFor(count, kPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t m = begin; m < end && !context.cancelRequested(); ++m) {
        const Array<double> jacobian = jacobiansOf(rows(inputs, m, m + 1));
        for (std::int64_t t = 0; t < draws; ++t) {
          const auto change = changes.row(t);
          for (std::int64_t k = 0; k < classes; ++k) {
            const double* const j = jacobian.data() + static_cast<std::size_t>(k) * parameters;
            double sum = means.row(m)[static_cast<std::size_t>(k)];
            for (std::size_t p = 0; p < parameters; ++p) {
              sum += j[p] * change[p];
            }
            result.mutableRow(t)[static_cast<std::size_t>(m * classes + k)] = sum;
          }
        }
      }
    });
    if (context.cancelRequested()) {
      return cancelled();
    }
    return result;
  }

 private:
  static constexpr std::int64_t kPerTask = 64;

  [[nodiscard]] static std::span<const double> rows(std::span<const double> inputs,
                                                    std::int64_t begin, std::int64_t end) {
    return inputs.subspan(static_cast<std::size_t>(2 * begin),
                          static_cast<std::size_t>(2 * (end - begin)));
  }

  /// [M, K, P].
  [[nodiscard]] Array<double> jacobiansOf(std::span<const double> inputs) const {
    auto jacobians =
        Array<double>::zeros({std::ssize(inputs) / 2, shape().outputs, shape().parameterCount()});
    networkJacobians(shape(), networkParameters(), inputs, jacobians.mutableValues());
    return jacobians;
  }

  [[nodiscard]] AllLayersPosterior fitted() const override {
    AllLayersPosterior posterior(shape().parameterCount(), options().posteriorTau());
    const Array<double> probs = probsAtData();
    for (std::int64_t begin = 0; begin < problem().size(); begin += kPerTask) {
      const std::int64_t end = std::min(begin + kPerTask, problem().size());
      posterior.add(jacobiansOf(rows(problem().inputs, begin, end)), probs.slice(begin, end));
    }
    posterior.decompose();
    return posterior;
  }

  [[nodiscard]] LogitCovariance covariancesOf(const AllLayersPosterior& posterior,
                                              std::span<const double> inputs,
                                              const RunContext& context) const override {
    const std::int64_t count = std::ssize(inputs) / 2;
    auto all = Array<double>::zeros({count, shape().outputs, shape().outputs});
    context.parallelFor(count, kPerTask, [&](std::int64_t begin, std::int64_t end) {
      if (context.cancelRequested()) {
        return;
      }
      const Array<double> part = posterior.covariances(jacobiansOf(rows(inputs, begin, end)));
      std::ranges::copy(part.values(), all.mutableRow(begin).data());
    });
    return FullCovariance{toFloat(all)};
  }
};

constexpr const char* kLaplaceTheory = "5-laplace-approximation";

}  // namespace

std::vector<ClassMethodInfo> laplaceClassMethods() {
  return {
      {"laplace-diag", "Laplace, diagonal",
       "A normal distribution around the weights of the last layer, each weight by itself. Far "
       "away the spread of the logits grows as fast as the logits, which limits the certainty.",
       "H = diag(Σₙ (diag p − ppᵀ) ⊗ φφᵀ) + τI; z ~ N(f(x), φᵀH⁻¹φ)", kLaplaceTheory,
       makeNetworkMethod<LaplaceClassOptions, LastLayerClassLearner<LaplaceStructure::kDiagonal>>},
      {"laplace-kron", "Laplace, Kronecker",
       "The same with a covariance that is a product of one for the classes and one for the "
       "features.",
       "H = N E[diag p − ppᵀ] ⊗ E[φφᵀ] + τI; z ~ N(f(x), φᵀH⁻¹φ)", kLaplaceTheory,
       makeNetworkMethod<LaplaceClassOptions, LastLayerClassLearner<LaplaceStructure::kKron>>},
      {"laplace-full", "Laplace, full",
       "A normal distribution around the weights of the last layer with all their covariances. "
       "Far away the spread of the logits grows as fast as the logits, which limits the "
       "certainty.",
       "H = Σₙ (diag p − ppᵀ) ⊗ φφᵀ + τI; z ~ N(f(x), φᵀH⁻¹φ)", kLaplaceTheory,
       makeNetworkMethod<LaplaceClassOptions, LastLayerClassLearner<LaplaceStructure::kFull>>},
      {"laplace-all", "Laplace, all layers",
       "A normal distribution around all weights of the network, which is linear in its weights "
       "for predictions.",
       "H = Σₙ Jᵀ(diag p − ppᵀ)J + τI; z ~ N(f(x), J(x)H⁻¹J(x)ᵀ)", kLaplaceTheory,
       makeNetworkMethod<LaplaceClassOptions, AllLayersClassLearner>}};
}

}  // namespace dubito
