// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/nan.h"
#include "core/labs/sampling/chain_diagnostics.h"
#include "core/labs/sampling/convergence.h"
#include "core/labs/sampling/sampler_lab.h"

namespace dubito {
namespace {

/// Lags of the autocorrelation, at most.
constexpr std::int64_t kMaxLags = 60;
/// Distance from the middle of the shown range, in widths of it, at which a chain has left.
constexpr double kLeftWidths = 20.0;
/// Acceptance below which a chain hardly moves.
constexpr double kLowAcceptance = 0.02;
/// Chains creep if next to nothing is rejected, and so few of this many states are independent.
constexpr double kHighAcceptance = 0.98;
constexpr std::int64_t kEnoughStates = 400;
constexpr double kFewIndependent = 0.01;

DenseGaussian momentsOf(const Array<double>& x, const Array<double>& y) {
  if (x.empty()) {
    return {{kNaN, kNaN}, std::vector<double>(4, kNaN)};
  }
  const auto n = static_cast<double>(x.size());
  DenseGaussian result{{0.0, 0.0}, std::vector<double>(4)};
  for (std::size_t i = 0; i < x.values().size(); ++i) {
    result.mean[0] += x.values()[i] / n;
    result.mean[1] += y.values()[i] / n;
  }
  for (std::size_t i = 0; i < x.values().size(); ++i) {
    const double a = x.values()[i] - result.mean[0];
    const double b = y.values()[i] - result.mean[1];
    result.covariance[0] += a * a / n;
    result.covariance[1] += a * b / n;
    result.covariance[3] += b * b / n;
  }
  result.covariance[2] = result.covariance[1];
  return result;
}

/// First coordinate of `states` against the transition; state n is that of transition
/// `before` + n.
Curve traceOf(const ThinnedStates& states, const std::string& name, std::int64_t before) {
  Curve trace{.name = name, .x = {}, .y = {}, .summary = kNaN};
  for (std::int64_t i = 0; i < states.count(); ++i) {
    trace.x.push_back(static_cast<double>(before + states.numberOf(i)));
    trace.y.push_back(states.value(i, 0));
  }
  return trace;
}

/// The larger of two numbers, NaN if one is.
double largerOrNan(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kNaN : std::max(a, b);
}

/// Effective sample size; NaN if nothing moved, where the formula counts every state.
double essOfMoving(const Array<double>& chains) {
  const auto values = chains.values();
  const bool moved = std::ranges::adjacent_find(values, std::not_equal_to()) != values.end();
  return moved ? essBulk(chains) : kNaN;
}

}  // namespace

Array<double> SamplerLab::coordinate(std::size_t index) const {
  const std::int64_t kept = records_.front().draws.count();
  auto result = Array<double>::zeros({static_cast<std::int64_t>(records_.size()), kept});
  for (std::size_t c = 0; c < records_.size(); ++c) {
    for (std::int64_t i = 0; i < kept; ++i) {
      result.mutableRow(static_cast<std::int64_t>(c))[static_cast<std::size_t>(i)] =
          records_[c].draws.value(i, index);
    }
  }
  return result;
}

SamplerPicture SamplerLab::picture() const {
  SamplerPicture picture;
  picture.transitions = transitions();
  picture.is_warming_up = picture.transitions <= options_.warm_up;
  picture.thinning = records_.front().draws.thinning();
  addPath(picture);
  addChains(picture);
  addConvergence(picture);
  addWarnings(picture);
  return picture;
}

void SamplerLab::addPath(SamplerPicture& picture) const {
  picture.path = Array<double>::fromVector({static_cast<std::int64_t>(path_.points.size() / 2), 2},
                                           path_.points);
  picture.path_start = path_.start;
  picture.path_end = path_.end;
  picture.path_accepted = path_.accepted;
  picture.momentum = path_.momentum;
  picture.potential = path_.potential;
  picture.kinetic = path_.kinetic;
}

void SamplerLab::addChains(SamplerPicture& picture) const {
  const auto count = static_cast<double>(chains_.size());
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const Record& record = records_[c];
    picture.step_size += chains_[c]->stepSize() / count;
    picture.acceptance += record.statistics.acceptance() / count;
    picture.leapfrog_steps += record.statistics.leapfrogSteps() / count;
    picture.tree_depth += record.statistics.treeDepth() / count;
    picture.divergences += record.statistics.divergences();
    picture.points.push_back(record.draws.toArray());
    const std::string name = fmt::format("Chain {}", c + 1);
    picture.traces.push_back(traceOf(record.draws, name, options_.warm_up));
    picture.warm_up_traces.push_back(traceOf(record.warm_up, name, 0));
  }
  const LabSamplerInfo& info = *findLabSampler(options_.sampler);
  picture.acceptance = info.has_acceptance ? picture.acceptance : kNaN;
  picture.leapfrog_steps = info.no_energy == nullptr ? picture.leapfrog_steps : kNaN;
  picture.tree_depth = info.has_tree_depth ? picture.tree_depth : kNaN;
}

void SamplerLab::addConvergence(SamplerPicture& picture) const {
  const Array<double> x = coordinate(0);
  const Array<double> y = coordinate(1);
  picture.rhat = largerOrNan(rankRhat(x), rankRhat(y));
  picture.ess = -largerOrNan(-essOfMoving(x), -essOfMoving(y));
  picture.moments = momentsOf(x, y);
  picture.autocorrelation = {
      .name = "Autocorrelation", .x = {}, .y = pooledAutocorrelation(x, kMaxLags), .summary = kNaN};
  for (std::size_t lag = 0; lag < picture.autocorrelation.y.size(); ++lag) {
    picture.autocorrelation.x.push_back(static_cast<double>(lag) *
                                        static_cast<double>(picture.thinning));
  }
}

bool SamplerLab::hasLeft() const {
  const auto isFar = [](double value, Interval shown) {
    const double middle = 0.5 * (shown.low + shown.high);
    return !(std::abs(value - middle) <= kLeftWidths * (shown.high - shown.low));
  };
  return std::ranges::any_of(chains_, [&](const auto& chain) {
    return isFar(chain->position()[0], target_.shown_x) ||
           isFar(chain->position()[1], target_.shown_y);
  });
}

void SamplerLab::addWarnings(SamplerPicture& picture) const {
  if (hasLeft()) {
    picture.warnings.push_back(
        "A chain has left the density and its states mean nothing; use a smaller step size");
  }
  if (picture.is_warming_up) {
    picture.warnings.push_back(fmt::format("The chains are still warming up ({} of {} transitions)",
                                           picture.transitions, options_.warm_up));
    return;
  }
  if (picture.divergences > 0) {
    const std::int64_t draws =
        (picture.transitions - options_.warm_up) * static_cast<std::int64_t>(chains_.size());
    picture.warnings.push_back(fmt::format(
        "{} of {} transitions diverged: the step size is too large for parts of this density",
        picture.divergences, draws));
  }
  if (picture.acceptance < kLowAcceptance) {
    picture.warnings.push_back(
        "Almost every proposal is rejected: the chains hardly move; use a smaller step size");
  }
  std::int64_t states = 0;
  for (const Array<double>& chain : picture.points) {
    states += chain.extent(0);
  }
  if (picture.acceptance > kHighAcceptance && states >= kEnoughStates &&
      picture.ess < kFewIndependent * static_cast<double>(states)) {
    picture.warnings.push_back(
        "The chains creep: each state lies next to the one before; use a larger step size");
  }
  const ChainAgreement agreement{.rhat = picture.rhat,
                                 .ess = picture.ess,
                                 .chains = static_cast<std::int64_t>(chains_.size())};
  if (auto warning = disagreementText(agreement)) {
    picture.warnings.push_back(*std::move(warning));
  } else {
    picture.converged = picture.divergences == 0 && !hasLeft();
  }
}

}  // namespace dubito
