// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/labs/network/network_shape.h"
#include "core/labs/posterior/chain_run.h"
#include "core/labs/posterior/weights_learner.h"
#include "core/labs/sampling/item_likelihood.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// Markov chains over the parameters of a network. Units are transitions of every chain, warm-up
/// included.
template <class LearnedTask>
class ChainLearner : public WeightsLearner<LearnedTask> {
 public:
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

 protected:
  [[nodiscard]] Array<double> drawnWeights(std::int64_t max_draws) const override {
    return run_.states(max_draws);
  }

 private:
  ChainRun run_;
};

/// Several chains, each from its own starting point: `make(start, number)` makes one. Errors as
/// checkStart().
template <class MakeChain>
[[nodiscard]] Expected<std::vector<std::unique_ptr<MarkovChain>>> startChains(
    const DataPosterior& posterior, const NetworkShape& shape, std::int64_t count,
    std::uint64_t seed, const MakeChain& make) {
  std::vector<std::unique_ptr<MarkovChain>> chains;
  for (std::int64_t c = 0; c < count; ++c) {
    const auto number = static_cast<std::uint64_t>(c);
    std::vector<double> start = initialParameters(shape, seed, number);
    if (const Status checked = checkStart(posterior, start); !checked) {
      return failWith(checked);
    }
    chains.push_back(make(std::move(start), number));
  }
  return chains;
}

}  // namespace dubito
