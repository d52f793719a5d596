// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/class_prediction.h"
#include "core/labs/classification/gp_class_posterior.h"
#include "core/labs/network/network_options.h"

namespace dubito {
namespace {

/// Newton's method needs about ten.
constexpr std::int64_t kMaxNewtonSteps = 50;

struct GpClassOptions {
  GpClassKernel kernel{.amplitude = 3.0, .length_scale = 1.2};
  std::string link = "mc";
  std::int64_t draws = 100;

  std::vector<Field> fields() {
    return {field(&kernel.length_scale, "length_scale", "Length scale",
                  "distance over which the latent functions vary; half the square is 6",
                  {.min = 1e-3, .max = 1e3}),
            field(&kernel.amplitude, "amplitude", "Amplitude",
                  "standard deviation of the latent functions before any data",
                  {.min = 1e-3, .max = 1e3}),
            linkField(link), drawsField(draws)};
  }
};

class GpClassLearner : public ClassLearner {
 public:
  [[nodiscard]] static Status check(const ClassProblem& problem,
                                    const GpClassOptions& /*options*/) {
    if (problem.size() > GpClassPosterior::kMaxPoints) {
      return fail(ErrorCode::kInvalidArgument,
                  "The Gaussian process would take minutes for " + std::to_string(problem.size()) +
                      " points; use at most " + std::to_string(GpClassPosterior::kMaxPoints));
    }
    return {};
  }

  GpClassLearner(const ClassProblem& problem, const GpClassOptions& options, std::uint64_t seed)
      : options_(options),
        classes_(problem.class_count),
        seed_(seed),
        posterior_(problem, options.kernel, RunContext()) {}

  [[nodiscard]] std::int64_t done() const override { return done_; }
  [[nodiscard]] std::int64_t total() const override {
    return posterior_.converged() ? done_ : kMaxNewtonSteps;
  }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    const std::int64_t end = std::min(done_ + units, total());
    while (done_ < end && !posterior_.converged()) {
      if (context.step("Newton's method", done_, total()) == Step::kCancel) {
        return cancelled();
      }
      if (Status stepped = posterior_.step(context); !stepped) {
        return stepped;
      }
      ++done_;
    }
    return {};
  }

  [[nodiscard]] Expected<ClassPrediction> predict(std::span<const double> inputs,
                                                  std::int64_t max_draws,
                                                  RunContext& context) const override {
    return predictInParts(
        inputs, classes_, context, [&](std::span<const double> part) -> Expected<ClassPrediction> {
          const LatentGaussians latent = posterior_.predict(part, context);
          return predictionOfGaussians(
              {toFloat(latent.mean), FullCovariance{toFloat(latent.covariance)}}, options_.link,
              std::clamp<std::int64_t>(max_draws, 1, options_.draws), seed_, context);
        });
  }

  /// Functions would need the joint distribution of all inputs.
  [[nodiscard]] Expected<Array<double>> functions(std::span<const double> inputs,
                                                  std::int64_t /*max_draws*/,
                                                  RunContext& /*context*/) const override {
    return Array<double>::zeros({0, std::ssize(inputs) / 2, classes_});
  }

  [[nodiscard]] LabDiagnostics diagnostics() const override {
    LabDiagnostics result;
    result.numbers.push_back({"log_evidence", "Log evidence", posterior_.logEvidence()});
    result.numbers.push_back({"newton_steps", "Newton steps", static_cast<double>(done_)});
    result.converged = posterior_.converged();
    if (done_ == kMaxNewtonSteps && !posterior_.converged()) {
      result.warnings.emplace_back(
          "Newton's method has not converged: the map is not that of the posterior; use a smaller "
          "amplitude");
    }
    return result;
  }

 private:
  GpClassOptions options_;
  std::int64_t classes_;
  std::uint64_t seed_;
  GpClassPosterior posterior_;
  std::int64_t done_ = 0;
};

}  // namespace

std::vector<ClassMethodInfo> gpClassMethods() {
  return {
      {"gp", "Gaussian process",
       "A smooth random function per class, squashed by softmax; Laplace's approximation at the "
       "most probable functions. Far away it returns to the prior: all classes are equally "
       "likely.",
       "f = K(y − softmax f); z ~ N(k*ᵀ(y − p), k** − k*ᵀEk* + shared part)",
       "9-small-bayesian-models",
       makeMethod<ClassMethod, LearnerMethod<ClassMethod, GpClassOptions, GpClassLearner>>}};
}

}  // namespace dubito
