// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/labs/bandit/agent_parts.h"
#include "core/labs/bandit/normal_inverse_gamma.h"
#include "core/labs/bandit/played_rounds.h"
#include "core/labs/network/dropout_masks.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

NetworkShape armNetwork(const BanditGame& game, const BanditAgentOptions& options) {
  return {.inputs = game.context_size,
          .hidden = {options.hidden_units},
          .outputs = game.arms,
          .activation = Activation::kRelu};
}

/// An agent with networks that give the reward of every arm, trained every so many rounds on
/// minibatches of all rounds so far.
class NetworkAgent : public RotatingAgent {
 public:
  NetworkAgent(const BanditGame& game, const BanditAgentOptions& options)
      : RotatingAgent(game, options), options_(options), rounds_(game.context_size) {}

  [[nodiscard]] Status learn(std::uint32_t step, std::span<const double> context, std::int64_t arm,
                             double reward) override {
    rounds_.add(context, arm, reward);
    const std::int64_t played = rounds_.size();
    if (played == rotation() || (played > rotation() && played % options_.train_every == 0)) {
      return train(step);
    }
    return {};
  }

 protected:
  /// Trains all networks; `step` is that of the last round.
  [[nodiscard]] virtual Status train(std::uint32_t step) = 0;

  /// Trains `network` on random rounds out of `items`, or of all if that is empty.
  template <class Scales>
  [[nodiscard]] Status trainOn(OnlineNetwork& network, std::span<const std::int64_t> items,
                               std::uint64_t stream, const Scales& scales) {
    const std::int64_t count = items.empty() ? rounds_.size() : std::ssize(items);
    const auto size = static_cast<std::size_t>(options_.batch_size);
    std::vector<double> shares(size);
    std::vector<std::int64_t> chosen(size);
    double loss = 0.0;
    for (std::int64_t batch = 0; batch < options_.batches; ++batch) {
      KeyedRandom(game().seed, LabSite::kShuffle, stream).uniforms(network.steps(), shares);
      for (std::size_t i = 0; i < size; ++i) {
        const auto place =
            std::min(static_cast<std::int64_t>(shares[i] * static_cast<double>(count)), count - 1);
        chosen[i] = items.empty() ? place : items[static_cast<std::size_t>(place)];
      }
      rounds_.fill(chosen, batch_);
      loss = network.step(batch_, scales(network.steps()));
    }
    if (!std::isfinite(loss)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the network of an agent diverged in round {} at learning rate {:g}; "
                              "lower the learning rate",
                              rounds_.size(), options_.learning_rate));
    }
    return {};
  }
  [[nodiscard]] Status trainOn(OnlineNetwork& network, std::span<const std::int64_t> items,
                               std::uint64_t stream) {
    return trainOn(network, items, stream, [](std::uint32_t) { return InputScales{}; });
  }

  [[nodiscard]] const BanditAgentOptions& options() const { return options_; }
  [[nodiscard]] const PlayedRounds& rounds() const { return rounds_; }
  [[nodiscard]] std::int64_t bestOf(const OnlineNetwork& network, std::span<const double> context,
                                    InputScales scales = {}) const {
    std::vector<double> values(static_cast<std::size_t>(game().arms));
    network.outputs(context, values, scales);
    return bestArm(values);
  }

 private:
  BanditAgentOptions options_;
  PlayedRounds rounds_;
  ObservedBatch batch_;
};

class GreedyAgent : public NetworkAgent {
 public:
  GreedyAgent(const BanditGame& game, const BanditAgentOptions& options, double epsilon)
      : NetworkAgent(game, options),
        epsilon_(epsilon),
        network_(armNetwork(game, options), options.learning_rate, game.seed, 0) {}

 protected:
  [[nodiscard]] Status train(std::uint32_t /*step*/) override { return trainOn(network_, {}, 0); }
  [[nodiscard]] std::int64_t decide(std::uint32_t step, std::span<const double> context) override {
    const auto random = randomArm(epsilon_, game(), step);
    return random ? *random : bestOf(network_, context);
  }

 private:
  double epsilon_;
  OnlineNetwork network_;
};

class DropoutAgent : public NetworkAgent {
 public:
  DropoutAgent(const BanditGame& game, const BanditAgentOptions& options)
      : NetworkAgent(game, options),
        network_(armNetwork(game, options), options.learning_rate, game.seed, 0),
        masks_(network_.shape(), game.seed) {}

 protected:
  [[nodiscard]] Status train(std::uint32_t /*step*/) override {
    return trainOn(network_, {}, 0, [this](std::uint32_t step) {
      return masks_.ofStep(options().drop_rate, step, options().batch_size);
    });
  }
  [[nodiscard]] std::int64_t decide(std::uint32_t step, std::span<const double> context) override {
    return bestOf(network_, context, masks_.ofFunction(options().drop_rate, step));
  }

 private:
  OnlineNetwork network_;
  DropoutMasks masks_;
};

class EnsembleAgent : public NetworkAgent {
 public:
  EnsembleAgent(const BanditGame& game, const BanditAgentOptions& options)
      : NetworkAgent(game, options), seen_(static_cast<std::size_t>(options.members)) {
    for (std::uint64_t m = 0; m < seen_.size(); ++m) {
      networks_.emplace_back(armNetwork(game, options), options.learning_rate, game.seed, m);
    }
  }

  [[nodiscard]] Status learn(std::uint32_t step, std::span<const double> context, std::int64_t arm,
                             double reward) override {
    for (std::uint64_t m = 0; m < seen_.size(); ++m) {
      if (KeyedRandom(game().seed, LabSite::kSplit, m).uniform(step) < options().inclusion) {
        seen_[m].push_back(rounds().size());
      }
    }
    return NetworkAgent::learn(step, context, arm, reward);
  }

 protected:
  [[nodiscard]] Status train(std::uint32_t /*step*/) override {
    for (std::uint64_t m = 0; m < networks_.size(); ++m) {
      if (seen_[m].empty()) {
        continue;
      }
      if (Status trained = trainOn(networks_[m], seen_[m], m); !trained) {
        return trained;
      }
    }
    return {};
  }
  [[nodiscard]] std::int64_t decide(std::uint32_t step, std::span<const double> context) override {
    const BanditGame members{std::ssize(networks_), 0, game().seed};
    const auto member = static_cast<std::size_t>(*randomArm(1.0, members, step));
    return bestOf(networks_[member], context);
  }

 private:
  std::vector<OnlineNetwork> networks_;
  std::vector<std::vector<std::int64_t>> seen_;  ///< rounds of each member
};

/// Bayesian linear regression on the last hidden layer (neural-linear). For a squared loss this is
/// the Laplace approximation of the last layer, with the noise integrated out.
class LaplaceAgent : public NetworkAgent {
 public:
  LaplaceAgent(const BanditGame& game, const BanditAgentOptions& options)
      : NetworkAgent(game, options),
        network_(armNetwork(game, options), options.learning_rate, game.seed, 0) {
    for (std::int64_t arm = 0; arm < game.arms; ++arm) {
      models_.emplace_back(options.hidden_units + 1, options.prior_precision, options.noise_shape,
                           options.noise_rate);
    }
  }

  [[nodiscard]] Status learn(std::uint32_t step, std::span<const double> context, std::int64_t arm,
                             double reward) override {
    models_[static_cast<std::size_t>(arm)].add(featuresOf(context).front(), reward);
    return NetworkAgent::learn(step, context, arm, reward);
  }

 protected:
  [[nodiscard]] Status train(std::uint32_t /*step*/) override {
    if (Status trained = trainOn(network_, {}, 0); !trained) {
      return trained;
    }
    // The features of all rounds have changed.
    for (NormalInverseGamma& model : models_) {
      model.clear();
    }
    const auto features = featuresOf(rounds().contexts());
    for (std::int64_t round = 0; round < rounds().size(); ++round) {
      models_[static_cast<std::size_t>(rounds().arm(round))].add(
          features[static_cast<std::size_t>(round)], rounds().reward(round));
    }
    return {};
  }
  [[nodiscard]] std::int64_t decide(std::uint32_t step, std::span<const double> context) override {
    const std::vector<double> phi = featuresOf(context).front();
    std::vector<double> values;
    for (std::size_t arm = 0; arm < models_.size(); ++arm) {
      values.push_back(models_[arm].drawAt(phi, game().seed, arm, step));
    }
    return bestArm(values);
  }

 private:
  /// Hidden units and a constant for each of `contexts` [N, D].
  [[nodiscard]] std::vector<std::vector<double>> featuresOf(
      std::span<const double> contexts) const {
    const auto count = contexts.size() / static_cast<std::size_t>(game().context_size);
    const auto width = static_cast<std::size_t>(options().hidden_units);
    std::vector<double> hidden(count * width);
    lastHiddenLayer(network_.shape(), network_.parameters(), contexts, hidden);
    std::vector<std::vector<double>> features(count);
    for (std::size_t n = 0; n < count; ++n) {
      features[n].assign(hidden.begin() + static_cast<std::ptrdiff_t>(n * width),
                         hidden.begin() + static_cast<std::ptrdiff_t>((n + 1) * width));
      features[n].push_back(1.0);
    }
    return features;
  }

  OnlineNetwork network_;
  std::vector<NormalInverseGamma> models_;
};

}  // namespace

BanditAgentInfo dropoutThompsonAgent() {
  return {"mc-dropout", "Thompson, MC dropout", "MC dropout",
          "A network trained with dropout; draws one mask and pulls the arm that is best for it.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<DropoutAgent>(game, options);
          }};
}

BanditAgentInfo ensembleThompsonAgent() {
  return {"ensemble", "Thompson, deep ensemble", "Ensemble",
          "Several networks, each trained on its own part of the rounds; draws one of them and "
          "pulls its best arm.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<EnsembleAgent>(game, options);
          }};
}

BanditAgentInfo laplaceThompsonAgent() {
  return {"laplace", "Thompson, last-layer Laplace", "Laplace",
          "Linear regression with its exact posterior on the last hidden layer of a network "
          "(neural-linear): draws the weights and pulls the arm that would then be best.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<LaplaceAgent>(game, options);
          }};
}

BanditAgentInfo epsilonGreedyAgent() {
  return {"epsilon-greedy", "ε-greedy", "ε-greedy",
          "A network without uncertainty; with probability ε an arm at random, else the best one.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<GreedyAgent>(game, options, options.epsilon);
          }};
}

BanditAgentInfo greedyAgent() {
  return {"greedy", "Greedy", "Greedy",
          "A network without uncertainty that always pulls the arm it believes best.",
          [](const BanditGame& game,
             const BanditAgentOptions& options) -> std::unique_ptr<BanditAgent> {
            return std::make_unique<GreedyAgent>(game, options, 0.0);
          }};
}

}  // namespace dubito
