// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/chain_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/labs/sampling/chain_diagnostics.h"
#include "core/labs/sampling/convergence.h"

namespace dubito {
namespace {

/// States of the warm-up that are kept to draw a first picture.
constexpr std::int64_t kWarmUpStates = 8;

/// 0 .. count - 1 in the order of their reversed bits, so that the first few are far apart.
std::vector<std::int64_t> spreadOrder(std::int64_t count) {
  std::int64_t size = 1;
  while (size < count) {
    size *= 2;
  }
  std::vector<std::int64_t> order{0};
  for (std::int64_t half = size / 2; half >= 1; half /= 2) {
    const std::size_t known = order.size();
    for (std::size_t i = 0; i < known; ++i) {
      order.push_back(order[i] + half);
    }
  }
  std::erase_if(order, [count](std::int64_t place) { return place >= count; });
  return order;
}

}  // namespace

std::vector<Field> ChainRunOptions::fields() {
  return {
      field(&chains, "chains", "Chains", "independent chains from different starts",
            {.min = 2, .max = 64}),
      field(&draws, "draws", "Draws per chain", "transitions per chain after the warm-up",
            {.min = 4, .max = 1e7}),
      field(&kept, "kept", "Kept per chain",
            "states per chain that are kept for predictions, evenly thinned",
            {.min = 4, .max = 5000, .advanced = true}),
  };
}

ChainRun::ChainRun(Setup setup, std::vector<std::unique_ptr<MarkovChain>> chains)
    : setup_(std::move(setup)),
      chains_(std::move(chains)),
      records_(chains_.size()),
      thinning_((setup_.run.draws + setup_.run.kept - 1) / setup_.run.kept) {}

Status ChainRun::advance(std::int64_t transitions, RunContext& context) {
  return advanceChains(
      chains_, std::min(transitions, total() - done()),
      [this](std::int64_t chain, const Transition& transition) { observe(chain, transition); },
      context);
}

void ChainRun::observe(std::int64_t chain, const Transition& transition) {
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
    record.outputs.resize(before + setup_.compared.size());
    setup_.outputs(position, std::span(record.outputs).subspan(before));
  }
}

std::int64_t ChainRun::keptPerChain() const {
  return static_cast<std::int64_t>(records_.front().states.size() /
                                   chains_.front()->position().size());
}

Array<double> ChainRun::states(std::int64_t max_states) const {
  const std::int64_t kept = std::max(keptPerChain(), std::int64_t{1});
  const auto chains = static_cast<std::int64_t>(chains_.size());
  const std::int64_t count = std::clamp<std::int64_t>(max_states, 1, kept * chains);
  const auto parameters = static_cast<std::int64_t>(chains_.front()->position().size());
  auto states = Array<double>::zeros({count, parameters});
  for (std::int64_t c = 0; c < std::min(chains, count); ++c) {
    const auto chain = static_cast<std::size_t>(c);
    const std::span<const double> kept_states = records_[chain].states;
    const std::vector<std::int64_t> order = spreadOrder((count - c + chains - 1) / chains);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::int64_t place = (2 * order[i] + 1) * kept / (2 * std::ssize(order));
      std::ranges::copy(kept_states.empty()
                            ? chains_[chain]->position()
                            : kept_states.subspan(static_cast<std::size_t>(place * parameters),
                                                  static_cast<std::size_t>(parameters)),
                        states.mutableRow(static_cast<std::int64_t>(i) * chains + c).begin());
    }
  }
  return states;
}

Array<double> ChainRun::outputsAt(std::size_t input) const {
  const std::int64_t kept = keptPerChain();
  auto result = Array<double>::zeros({static_cast<std::int64_t>(chains_.size()), kept});
  for (std::size_t c = 0; c < records_.size(); ++c) {
    for (std::int64_t i = 0; i < kept; ++i) {
      result.mutableRow(static_cast<std::int64_t>(c))[static_cast<std::size_t>(i)] =
          records_[c].outputs[static_cast<std::size_t>(i) * setup_.compared.size() + input];
    }
  }
  return result;
}

LabDiagnostics ChainRun::diagnostics() const {
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
    result.converged = false;
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
    // The chains avoid a part of the posterior, however well they agree.
    result.converged = false;
    result.warnings.push_back(
        fmt::format("{} of {} transitions diverged; use a smaller step size", divergences,
                    (done() - setup_.warm_up) * static_cast<std::int64_t>(chains_.size())));
  }
  return result;
}

void ChainRun::addComparison(LabDiagnostics& diagnostics) const {
  const std::int64_t kept = keptPerChain();
  const auto chains = static_cast<std::int64_t>(chains_.size());
  double rhat = 0.0;
  double ess = INFINITY;
  std::string worst;
  for (std::size_t i = 0; i < setup_.compared.size(); ++i) {
    const Array<double> outputs = outputsAt(i);
    const double rhat_here = rankRhat(outputs);
    // NaN (too few states, or chains that do not move) is the worst.
    if (!(rhat_here <= rhat)) {
      rhat = rhat_here;
      worst = setup_.compared[i];
    }
    const double ess_here = essBulk(outputs);
    ess = std::isnan(ess_here) ? ess_here : std::min(ess, ess_here);
  }
  diagnostics.numbers.push_back({"rhat", "R-hat of predictions", rhat});
  diagnostics.numbers.push_back({"ess", "ESS of predictions", ess});
  if (auto warning = disagreementText(
          {.rhat = rhat, .ess = ess, .chains = chains, .of = " of the prediction " + worst})) {
    diagnostics.converged = false;
    diagnostics.warnings.push_back(*std::move(warning));
  }
  const std::size_t middle = setup_.compared.size() / 2;
  for (std::size_t c = 0; c < records_.size(); ++c) {
    Curve curve{.name = fmt::format("Chain {}", c + 1), .x = {}, .y = {}, .summary = NAN};
    for (std::int64_t i = 0; i < kept; ++i) {
      curve.x.push_back(static_cast<double>(setup_.warm_up + (i + 1) * thinning_));
      curve.y.push_back(
          records_[c].outputs[static_cast<std::size_t>(i) * setup_.compared.size() + middle]);
    }
    diagnostics.traces.push_back(std::move(curve));
  }
}

}  // namespace dubito
