// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/options.h"
#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_shape.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// How many chains run and how many of their states are kept.
struct ChainRunOptions {
  std::int64_t chains = 4;   ///< >= 2, so that they can be compared
  std::int64_t draws = 500;  ///< transitions per chain after the warm-up, >= 4
  std::int64_t kept = 250;   ///< states kept per chain, evenly thinned; >= 4

  [[nodiscard]] std::vector<Field> fields();
};

/// Markov chains over the parameters of a network, compared by their predictions: weights are not
/// identified, since hidden units can be exchanged and signs flipped.
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
  [[nodiscard]] std::int64_t done() const override { return chains_.front()->done(); }
  [[nodiscard]] std::int64_t total() const override { return setup_.warm_up + setup_.run.draws; }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override;
  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override;
  [[nodiscard]] LabDiagnostics diagnostics() const override;

 private:
  /// States of one chain and the outputs of the network there at the compared inputs.
  struct Record {
    std::vector<double> states;   ///< [kept, P]
    std::vector<double> outputs;  ///< [kept, inputs]
    ChainStatistics statistics;
  };
  void observe(std::int64_t chain, const Transition& transition);
  /// Whether a state after the warm-up is kept already; the kept states are from the warm-up until
  /// then.
  [[nodiscard]] bool hasDraws() const { return done() - setup_.warm_up >= thinning_; }
  [[nodiscard]] std::int64_t keptPerChain() const;
  /// [C, kept] outputs at one of the compared inputs.
  [[nodiscard]] Array<double> outputsAt(std::size_t input) const;
  void addComparison(LabDiagnostics& diagnostics) const;

  Setup setup_;
  std::vector<std::unique_ptr<MarkovChain>> chains_;
  std::vector<Record> records_;
  std::vector<double> compared_inputs_;
  std::int64_t thinning_ = 1;
};

}  // namespace dubito
