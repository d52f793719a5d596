// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/labs/bandit/agent_parts.h"
#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/online_network.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

NetworkShape armNetwork(const BanditGame& game, const BanditAgentOptions& options) {
  return {.inputs = game.context_size,
          .hidden = {options.hidden_units},
          .outputs = game.arms,
          .activation = Activation::kRelu};
}

/// The rounds that an agent has played, for training networks. Rewards are standardised by the mean
/// and standard deviation of all rewards so far, since nobody tells an agent their scale.
class PlayedRounds {
 public:
  explicit PlayedRounds(std::int64_t context_size) : context_size_(context_size) {}

  void add(std::span<const double> context, std::int64_t arm, double reward) {
    contexts_.insert(contexts_.end(), context.begin(), context.end());
    arms_.push_back(arm);
    rewards_.push_back(reward);
    const double distance = reward - mean_;
    mean_ += distance / static_cast<double>(size());
    squares_ += distance * (reward - mean_);
  }

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(arms_.size()); }
  [[nodiscard]] std::span<const double> contexts() const { return contexts_; }
  [[nodiscard]] std::int64_t arm(std::int64_t round) const {
    return arms_[static_cast<std::size_t>(round)];
  }
  [[nodiscard]] double reward(std::int64_t round) const {
    return rewards_[static_cast<std::size_t>(round)];
  }
  /// Writes the rounds `chosen` to `batch`, with standardised rewards.
  void fill(std::span<const std::int64_t> chosen, ObservedBatch& batch) const {
    const double std = std::sqrt(squares_ / static_cast<double>(size()));
    const double scale = std > 0.0 ? 1.0 / std : 1.0;  // 0: all rewards are the same
    batch.clear();
    for (const std::int64_t round : chosen) {
      const auto first = contexts_.begin() + round * context_size_;
      batch.inputs.insert(batch.inputs.end(), first, first + context_size_);
      batch.outputs.push_back(arm(round));
      batch.targets.push_back(scale * (reward(round) - mean_));
    }
  }

 private:
  std::int64_t context_size_;
  std::vector<double> contexts_;  ///< [N, D]
  std::vector<std::int64_t> arms_;
  std::vector<double> rewards_;
  // Welford's running moments.
  double mean_ = 0.0;
  double squares_ = 0.0;
};

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
  GreedyAgent(const BanditGame& game, const BanditAgentOptions& options)
      : NetworkAgent(game, options),
        network_(armNetwork(game, options), options.learning_rate, game.seed, 0) {}

 protected:
  [[nodiscard]] Status train(std::uint32_t /*step*/) override { return trainOn(network_, {}, 0); }
  [[nodiscard]] std::int64_t decide(std::uint32_t step, std::span<const double> context) override {
    const auto random = randomArm(options().epsilon, game(), step);
    return random ? *random : bestOf(network_, context);
  }

 private:
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
        network_(armNetwork(game, options), options.learning_rate, game.seed, 0),
        models_(armModels(game, options.hidden_units + 1, options)) {}

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
    return drawnArm(models_, featuresOf(context).front(), game(), step);
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
          makeAgent<DropoutAgent>};
}

BanditAgentInfo ensembleThompsonAgent() {
  return {"ensemble", "Thompson, deep ensemble", "Ensemble",
          "Several networks, each trained on its own part of the rounds; draws one of them and "
          "pulls its best arm.",
          makeAgent<EnsembleAgent>};
}

BanditAgentInfo laplaceThompsonAgent() {
  return {"laplace", "Thompson, last-layer Laplace", "Laplace",
          "Linear regression with its exact posterior on the last hidden layer of a network "
          "(neural-linear): draws the weights and pulls the arm that would then be best.",
          makeAgent<LaplaceAgent>};
}

BanditAgentInfo epsilonGreedyAgent() {
  return {"epsilon-greedy", "ε-greedy", "ε-greedy",
          "A network without uncertainty; with probability ε an arm at random, else the best one.",
          makeAgent<GreedyAgent>};
}

BanditAgentInfo greedyAgent() {
  return {"greedy", "Greedy", "Greedy",
          "A network without uncertainty that always pulls the arm it believes best.",
          makeGreedy<GreedyAgent>};
}

}  // namespace dubito
