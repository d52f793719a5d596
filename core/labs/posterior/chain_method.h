// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/labs/methods/lab_method.h"
#include "core/labs/network/drawn_learner.h"
#include "core/labs/network/network_options.h"
#include "core/labs/posterior/chain_run.h"
#include "core/labs/posterior/posterior_network.h"
#include "core/labs/sampling/hmc.h"
#include "core/labs/sampling/metropolis.h"
#include "core/labs/sampling/sgld.h"

namespace dubito {

/// Markov chains over the parameters of a network. Units are transitions of every chain, warm-up
/// included.
template <class LearnedTask>
class ChainLearner : public WeightsLearner<LearnedTask> {
 public:
  using Prediction = typename LearnedTask::Prediction;

  ChainLearner(typename LearnedTask::Problem problem, NetworkShape shape, ChainRun::Setup setup,
               std::vector<std::unique_ptr<MarkovChain>> chains)
      : WeightsLearner<LearnedTask>(std::move(problem), std::move(shape)),
        run_(std::move(setup), std::move(chains)) {}

  [[nodiscard]] std::int64_t done() const override { return run_.done(); }
  [[nodiscard]] std::int64_t total() const override { return run_.total(); }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    return run_.advance(units, context);
  }
  [[nodiscard]] LabDiagnostics diagnostics() const override { return run_.diagnostics(); }
  [[nodiscard]] Expected<Prediction> predict(std::span<const double> inputs, std::int64_t max_draws,
                                             RunContext& context) const override {
    auto prediction = WeightsLearner<LearnedTask>::predict(inputs, max_draws, context);
    if (prediction && !prediction->isFinite()) {
      return fail(ErrorCode::kInvalidArgument,
                  "The predictions of the chains are not finite; use a smaller step size");
    }
    return prediction;
  }

 protected:
  [[nodiscard]] Array<double> drawnWeights(std::int64_t max_draws) const override {
    return run_.states(max_draws);
  }

 private:
  ChainRun run_;
};

/// A chain over the parameters of a network from `start` [D]. `scales_by_prior`: the widths of the
/// prior are the scale of the sampler.
[[nodiscard]] std::unique_ptr<MarkovChain> makeChain(
    const std::shared_ptr<const DataPosterior>& posterior, const HmcOptions& options,
    std::vector<double> start, std::uint64_t seed, std::uint64_t chain, bool scales_by_prior);
[[nodiscard]] std::unique_ptr<MarkovChain> makeChain(
    const std::shared_ptr<const DataPosterior>& posterior, const MetropolisOptions& options,
    std::vector<double> start, std::uint64_t seed, std::uint64_t chain, bool scales_by_prior);
[[nodiscard]] std::unique_ptr<MarkovChain> makeChain(
    const std::shared_ptr<const DataPosterior>& posterior, const SgldOptions& options,
    std::vector<double> start, std::uint64_t seed, std::uint64_t chain, bool scales_by_prior);

/// Options of a method that runs chains: the network whose posterior is wanted, see
/// PosteriorNetworkOptions, the sampler, and what is kept of the chains.
template <class Network, class Sampler>
struct ChainOptions {
  Sampler sampler;
  ChainRunOptions run;
  Network network = {};

  [[nodiscard]] std::vector<Field> fields() {
    return joinFields(joinFields(network.fields(), sampler.fields()), run.fields());
  }
};

/// Runs chains over the posterior of a network.
template <class Network, class Sampler>
class ChainMethod
    : public MethodWithOptions<typename Network::Task::Method, ChainOptions<Network, Sampler>> {
 public:
  using Task = typename Network::Task;
  using Options = ChainOptions<Network, Sampler>;
  using MethodWithOptions<typename Task::Method, Options>::MethodWithOptions;

  [[nodiscard]] Expected<std::unique_ptr<typename Task::Learner>> start(
      const typename Task::Problem& problem, std::uint64_t seed) const override {
    const Network& network = this->options().network;
    const Sampler& sampler = this->options().sampler;
    const auto posterior = network.posterior(problem);
    const NetworkShape shape = network.shape(problem);
    auto starts = startingPoints(*posterior, shape, this->options().run.chains, seed);
    if (!starts) {
      return failWith(starts);
    }
    std::vector<std::unique_ptr<MarkovChain>> chains;
    for (std::vector<double>& start : *starts) {
      const auto number = static_cast<std::uint64_t>(chains.size());
      chains.push_back(
          makeChain(posterior, sampler, std::move(start), seed, number, Network::kScalesByPrior));
    }
    ChainRun::Setup setup{.run = this->options().run,
                          .warm_up = sampler.warm_up,
                          .rejects = !std::is_same_v<Sampler, SgldOptions>,
                          .compared = {},
                          .outputs = {}};
    network.compare(problem, setup);
    return std::make_unique<ChainLearner<Task>>(problem, shape, std::move(setup),
                                                std::move(chains));
  }
};

}  // namespace dubito
