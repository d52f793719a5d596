// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>
#include <utility>

#include "core/labs/bandit/agent_parts.h"
#include "core/labs/bandit/normal_inverse_gamma.h"

namespace dubito {
namespace {

/// One linear model per arm, of the context and a constant.
class LinearAgent : public RotatingAgent {
 public:
  LinearAgent(const BanditGame& game, const BanditAgentOptions& options)
      : RotatingAgent(game, options) {
    for (std::int64_t arm = 0; arm < game.arms; ++arm) {
      models_.emplace_back(game.context_size + 1, options.prior_precision, options.noise_shape,
                           options.noise_rate);
    }
  }

  [[nodiscard]] Status learn(std::uint32_t /*step*/, std::span<const double> context,
                             std::int64_t arm, double reward) override {
    models_[static_cast<std::size_t>(arm)].add(withConstant(context), reward);
    return {};
  }

 protected:
  static std::vector<double> withConstant(std::span<const double> context) {
    std::vector<double> phi(context.begin(), context.end());
    phi.push_back(1.0);
    return phi;
  }
  [[nodiscard]] const std::vector<NormalInverseGamma>& models() const { return models_; }

 private:
  std::vector<NormalInverseGamma> models_;
};

class LinearThompson : public LinearAgent {
 public:
  using LinearAgent::LinearAgent;

 protected:
  [[nodiscard]] std::int64_t decide(std::uint32_t step, std::span<const double> context) override {
    const std::vector<double> phi = withConstant(context);
    std::vector<double> values;
    for (std::size_t arm = 0; arm < models().size(); ++arm) {
      values.push_back(models()[arm].drawAt(phi, game().seed, arm, step));
    }
    return bestArm(values);
  }
};

class LinearGreedy : public LinearAgent {
 public:
  LinearGreedy(const BanditGame& game, const BanditAgentOptions& options, double epsilon)
      : LinearAgent(game, options), epsilon_(epsilon) {}

 protected:
  [[nodiscard]] std::int64_t decide(std::uint32_t step, std::span<const double> context) override {
    if (const auto random = randomArm(epsilon_, game(), step)) {
      return *random;
    }
    const std::vector<double> phi = withConstant(context);
    std::vector<double> values;
    for (const NormalInverseGamma& model : models()) {
      const std::vector<double> mean = model.mean();
      values.push_back(std::inner_product(phi.begin(), phi.end(), mean.begin(), 0.0));
    }
    return bestArm(values);
  }

 private:
  double epsilon_;
};

}  // namespace

BanditAgentInfo linearThompsonAgent() {
  return {"linear", "Thompson, linear", "Linear",
          "A linear model per arm with its exact posterior, the noise unknown: draws the weights "
          "and pulls the arm that would then be best.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<LinearThompson>(game, options);
          }};
}

BanditAgentInfo linearGreedyAgent() {
  return {"linear-greedy", "Greedy, linear", "Lin. greedy",
          "The same linear models, but pulls the arm with the best mean.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<LinearGreedy>(game, options, 0.0);
          }};
}

BanditAgentInfo linearEpsilonGreedyAgent() {
  return {"linear-epsilon-greedy", "ε-greedy, linear", "Lin. ε-greedy",
          "The linear models; with probability ε an arm at random, else the best mean.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<LinearGreedy>(game, options, options.epsilon);
          }};
}

}  // namespace dubito
