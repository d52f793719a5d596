// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_shape.h"
#include "core/labs/posterior/chain_run.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// Markov chains over the parameters of a network with one input and one output.
class ChainLearner : public RegressionLearner {
 public:
  struct Setup {
    RegressionProblem problem;
    NetworkShape shape;
    ChainRunOptions run;
    std::int64_t warm_up = 0;
    /// Whether the sampler rejects proposals; if not, acceptance says nothing.
    bool rejects = true;
  };
  ChainLearner(Setup setup, std::vector<std::unique_ptr<MarkovChain>> chains);

  /// Units are transitions of every chain, warm-up included.
  [[nodiscard]] std::int64_t done() const override { return run_.done(); }
  [[nodiscard]] std::int64_t total() const override { return run_.total(); }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    return run_.advance(units, context);
  }
  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override;
  [[nodiscard]] LabDiagnostics diagnostics() const override { return run_.diagnostics(); }

 private:
  Setup setup_;
  ChainRun run_;
};

}  // namespace dubito
