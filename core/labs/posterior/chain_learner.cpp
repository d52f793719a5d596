// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/chain_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/labs/posterior/network_likelihood.h"
#include "core/labs/sampling/chain_diagnostics.h"

namespace dubito {
namespace {

/// Inputs at which chains are compared, spread over the data.
constexpr std::size_t kComparedInputs = 5;
/// States of the warm-up that are kept to draw a first picture.
constexpr std::int64_t kWarmUpStates = 8;
/// Largest R-hat of chains that count as one posterior.
constexpr double kRhatLimit = 1.05;

}  // namespace

std::vector<Field> ChainRunOptions::fields() {
  return {
      {{.name = "chains",
        .label = "Chains",
        .help = "independent chains from different starts",
        .min = 2,
        .max = 64},
       &chains},
      {{.name = "draws",
        .label = "Draws per chain",
        .help = "transitions per chain after the warm-up",
        .min = 4,
        .max = 1e7},
       &draws},
      {{.name = "kept",
        .label = "Kept per chain",
        .help = "states per chain that are kept for predictions, evenly thinned",
        .min = 4,
        .max = 5000,
        .advanced = true},
       &kept},
  };
}

ChainLearner::ChainLearner(Setup setup, std::vector<std::unique_ptr<MarkovChain>> chains)
    : setup_(std::move(setup)),
      chains_(std::move(chains)),
      records_(chains_.size()),
      thinning_((setup_.run.draws + setup_.run.kept - 1) / setup_.run.kept) {
  const auto [low, high] = std::ranges::minmax(setup_.problem.x);
  for (std::size_t i = 0; i < kComparedInputs; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kComparedInputs - 1);
    compared_inputs_.push_back(low + share * (high - low));
  }
}

Status ChainLearner::advance(std::int64_t units, RunContext& context) {
  const std::int64_t transitions = std::min(units, total() - done());
  return advanceChains(
      chains_, transitions,
      [this](std::int64_t chain, const Transition& transition) { observe(chain, transition); },
      context);
}

void ChainLearner::observe(std::int64_t chain, const Transition& transition) {
  const MarkovChain& state = *chains_[static_cast<std::size_t>(chain)];
  Record& record = records_[static_cast<std::size_t>(chain)];
  record.statistics.add(transition);
  const std::int64_t draw = state.done() - setup_.warm_up;
  if (draw > 0 && draw % thinning_ != 0) {
    return;
  }
  if (draw == thinning_) {
    record.states.clear();
  }
  const auto position = state.position();
  if (draw <= 0 &&
      static_cast<std::int64_t>(record.states.size() / position.size()) == kWarmUpStates) {
    record.states.erase(record.states.begin(),
                        record.states.begin() + static_cast<std::ptrdiff_t>(position.size()));
  }
  record.states.insert(record.states.end(), position.begin(), position.end());
  if (draw > 0) {
    const std::size_t before = record.outputs.size();
    record.outputs.resize(before + compared_inputs_.size());
    networkOutputs(setup_.shape, position, compared_inputs_,
                   std::span(record.outputs).subspan(before));
  }
}

std::int64_t ChainLearner::keptPerChain() const {
  return static_cast<std::int64_t>(records_.front().states.size() /
                                   chains_.front()->position().size());
}

Expected<RegressionPrediction> ChainLearner::predict(std::span<const double> x,
                                                     std::int64_t max_draws,
                                                     RunContext& context) const {
  const std::int64_t kept = keptPerChain();
  const auto chains = static_cast<std::int64_t>(chains_.size());
  if (kept == 0) {
    return fail(ErrorCode::kInvalidArgument,
                "The chains have no state yet; let them run for a moment");
  }
  // The states of all chains in turn, or an even selection of them.
  const std::int64_t count = std::clamp<std::int64_t>(max_draws, 1, kept * chains);
  const std::int64_t parameters = setup_.shape.parameterCount();
  auto states = Array<double>::zeros({count, parameters});
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t place = (2 * i + 1) * kept * chains / (2 * count);
    const auto& record = records_[static_cast<std::size_t>(place % chains)];
    const auto state = std::span(record.states)
                           .subspan(static_cast<std::size_t>(place / chains * parameters),
                                    static_cast<std::size_t>(parameters));
    std::ranges::copy(state, states.mutableRow(i).begin());
  }
  const double noise_variance = setup_.problem.noise_std * setup_.problem.noise_std;
  RegressionPrediction prediction =
      predictionOfDraws(functionsOf(setup_.shape, states, x, context), {}, noise_variance);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(prediction.epistemic_variance, is_finite)) {
    return fail(ErrorCode::kInvalidArgument,
                "The predictions of the chains are not finite; use a smaller step size");
  }
  return prediction;
}

Array<double> ChainLearner::outputsAt(std::size_t input) const {
  const std::int64_t kept = keptPerChain();
  auto result = Array<double>::zeros({static_cast<std::int64_t>(chains_.size()), kept});
  for (std::size_t c = 0; c < records_.size(); ++c) {
    for (std::int64_t i = 0; i < kept; ++i) {
      result.mutableRow(static_cast<std::int64_t>(c))[static_cast<std::size_t>(i)] =
          records_[c].outputs[static_cast<std::size_t>(i) * compared_inputs_.size() + input];
    }
  }
  return result;
}

LabDiagnostics ChainLearner::diagnostics() const {
  LabDiagnostics result;
  double step_size = 0.0;
  double acceptance = 0.0;
  std::int64_t divergences = 0;
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    step_size += chains_[c]->stepSize() / static_cast<double>(chains_.size());
    acceptance += records_[c].statistics.acceptance() / static_cast<double>(chains_.size());
    divergences += records_[c].statistics.divergences();
  }
  result.numbers.push_back({"step_size", "Step size", step_size});
  if (!hasDraws()) {
    result.warnings.push_back(
        fmt::format("The chains are still warming up ({} of {} transitions): not draws of the "
                    "posterior yet",
                    std::min(done(), setup_.warm_up), setup_.warm_up));
    return result;
  }
  if (setup_.rejects) {
    result.numbers.push_back({"acceptance", "Acceptance", acceptance});
  }
  result.numbers.push_back({"divergences", "Divergences", static_cast<double>(divergences)});
  result.numbers.push_back({"thinning", "Thinning", static_cast<double>(thinning_)});
  addComparison(result);
  if (divergences > 0) {
    result.warnings.push_back(
        fmt::format("{} of {} transitions diverged; use a smaller step size", divergences,
                    (done() - setup_.warm_up) * static_cast<std::int64_t>(chains_.size())));
  }
  return result;
}

void ChainLearner::addComparison(LabDiagnostics& diagnostics) const {
  const std::int64_t kept = keptPerChain();
  double rhat = 0.0;
  double ess = INFINITY;
  double worst_input = 0.0;
  for (std::size_t i = 0; i < compared_inputs_.size(); ++i) {
    const Array<double> outputs = outputsAt(i);
    const double rhat_here = rankRhat(outputs);
    // NaN (too few states, or chains that do not move) is the worst.
    if (!(rhat_here <= rhat)) {
      rhat = rhat_here;
      worst_input = compared_inputs_[i];
    }
    const double ess_here = essBulk(outputs);
    ess = std::isnan(ess_here) ? ess_here : std::min(ess, ess_here);
  }
  diagnostics.numbers.push_back({"rhat", "R-hat of predictions", rhat});
  diagnostics.numbers.push_back({"ess", "ESS of predictions", ess});
  if (std::isnan(rhat)) {
    diagnostics.warnings.push_back(
        "There are too few different states to compare the chains: not a posterior yet");
  } else if (rhat > kRhatLimit) {
    diagnostics.warnings.push_back(fmt::format(
        "R-hat of the prediction at x = {:.2g} is {:.3g}: the chains disagree, this is not a "
        "posterior yet",
        worst_input, rhat));
  }
  const std::size_t middle = compared_inputs_.size() / 2;
  for (std::size_t c = 0; c < records_.size(); ++c) {
    Curve curve{.name = fmt::format("Chain {}", c + 1), .x = {}, .y = {}, .summary = NAN};
    for (std::int64_t i = 0; i < kept; ++i) {
      curve.x.push_back(static_cast<double>(setup_.warm_up + (i + 1) * thinning_));
      curve.y.push_back(
          records_[c].outputs[static_cast<std::size_t>(i) * compared_inputs_.size() + middle]);
    }
    diagnostics.traces.push_back(std::move(curve));
  }
}

}  // namespace dubito
