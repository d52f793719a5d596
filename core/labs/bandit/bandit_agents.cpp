// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/find_by_key.h"
#include "core/labs/bandit/agent_parts.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

class UniformAgent : public BanditAgent {
 public:
  UniformAgent(const BanditGame& game, const BanditAgentOptions& /*options*/) : game_(game) {}

  [[nodiscard]] std::int64_t choose(std::uint32_t step,
                                    std::span<const double> /*context*/) override {
    return *randomArm(1.0, game_, step);
  }
  [[nodiscard]] Status learn(std::uint32_t /*step*/, std::span<const double> /*context*/,
                             std::int64_t /*arm*/, double /*reward*/) override {
    return {};
  }

 private:
  BanditGame game_;
};

/// One linear model per arm, of the context and a constant.
class LinearAgent : public RotatingAgent {
 public:
  LinearAgent(const BanditGame& game, const BanditAgentOptions& options)
      : RotatingAgent(game, options), models_(armModels(game, game.context_size + 1, options)) {}

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
    return drawnArm(models(), withConstant(context), game(), step);
  }
};

class LinearGreedy : public LinearAgent {
 public:
  LinearGreedy(const BanditGame& game, const BanditAgentOptions& options)
      : LinearAgent(game, options), epsilon_(options.epsilon) {}

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

std::int64_t bestArm(std::span<const double> values) {
  return std::ranges::max_element(values) - values.begin();
}

std::optional<std::int64_t> randomArm(double epsilon, const BanditGame& game, std::uint32_t step) {
  std::array<double, 2> values{};
  KeyedRandom(game.seed, LabSite::kAgent).uniforms(step, values);
  if (values[0] >= epsilon) {
    return std::nullopt;
  }
  const auto arm = static_cast<std::int64_t>(values[1] * static_cast<double>(game.arms));
  return std::min(arm, game.arms - 1);
}

std::vector<NormalInverseGamma> armModels(const BanditGame& game, std::int64_t weights,
                                          const BanditAgentOptions& options) {
  std::vector<NormalInverseGamma> models;
  for (std::int64_t arm = 0; arm < game.arms; ++arm) {
    models.emplace_back(weights, options.prior_precision, options.noise_shape, options.noise_rate);
  }
  return models;
}

std::int64_t drawnArm(const std::vector<NormalInverseGamma>& models, std::span<const double> phi,
                      const BanditGame& game, std::uint32_t step) {
  std::vector<double> values;
  for (std::size_t arm = 0; arm < models.size(); ++arm) {
    values.push_back(models[arm].drawAt(phi, game.seed, arm, step));
  }
  return bestArm(values);
}

const std::vector<BanditAgentInfo>& banditAgents() {
  static const std::vector<BanditAgentInfo> agents{
      laplaceThompsonAgent(),
      dropoutThompsonAgent(),
      ensembleThompsonAgent(),
      {"linear", "Thompson, linear", "Linear",
       "A linear model per arm with its exact posterior, the noise unknown: draws the weights and "
       "pulls the arm that would then be best.",
       makeAgent<LinearThompson>},
      epsilonGreedyAgent(),
      greedyAgent(),
      {"linear-epsilon-greedy", "ε-greedy, linear", "Lin. ε-greedy",
       "The linear models; with probability ε an arm at random, else the best mean.",
       makeAgent<LinearGreedy>},
      {"linear-greedy", "Greedy, linear", "Lin. greedy",
       "The same linear models, but pulls the arm with the best mean.", makeGreedy<LinearGreedy>},
      {"uniform", "Uniform", "Uniform",
       "Pulls an arm at random and learns nothing: the scale of the regret.",
       makeAgent<UniformAgent>}};
  return agents;
}

const BanditAgentInfo* findBanditAgent(std::string_view key) {
  return findByKey(banditAgents(), key);
}

}  // namespace dubito
