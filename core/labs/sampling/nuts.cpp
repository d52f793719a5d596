// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/nuts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace dubito {
namespace {

using Vector = std::vector<double>;

/// ln(e^a + e^b) of finite numbers.
double logAdd(double a, double b) {
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

Vector sumOf(const Vector& a, const Vector& b) {
  Vector sum = a;
  std::ranges::transform(sum, b, sum.begin(), std::plus());
  return sum;
}

/// Part of a trajectory. `first` and `last` are its ends, in time or against it.
struct Piece {
  Vector first;  ///< momentum [D] at one end
  Vector last;   ///< momentum [D] at the other
  Vector sum;    ///< of the momenta of all points, [D]
  double log_weight = 0.0;
  PhasePoint proposal;
  std::int64_t time = 0;  ///< of the proposal, in leapfrog steps from the start
};

/// Whether the momenta at both ends point along the sum of the momenta in between.
bool isStraight(const Vector& sum, const Vector& first, const Vector& last) {
  const auto along = [&sum](const Vector& momentum) {
    return std::inner_product(sum.begin(), sum.end(), momentum.begin(), 0.0);
  };
  return along(first) > 0.0 && along(last) > 0.0;
}

/// Whether the trajectory of `a` followed by `b` turns back.
bool turnsBack(const Piece& a, const Piece& b) {
  return !isStraight(sumOf(a.sum, b.sum), a.first, b.last) ||
         !isStraight(sumOf(a.sum, b.first), a.first, b.first) ||
         !isStraight(sumOf(b.sum, a.last), a.last, b.last);
}

/// `a` followed by `b`, with the proposal of `a`.
Piece joined(Piece a, Piece b) {
  a.last = std::move(b.last);
  a.sum = sumOf(a.sum, b.sum);
  a.log_weight = logAdd(a.log_weight, b.log_weight);
  return a;
}

void takeProposal(Piece& piece, Piece& from) {
  piece.proposal = std::move(from.proposal);
  piece.time = from.time;
}

/// Trajectory of one transition.
class Trajectory {
 public:
  /// All points are recorded if `records`.
  Trajectory(const LogDensity& density, const PhasePoint& start, double step, bool records)
      : density_(density),
        step_(step),
        records_(records),
        start_energy_(energyOf(start, {})),
        whole_{start.momentum, start.momentum, start.momentum, 0.0, start, 0},
        latest_{start, start} {}

  /// Doubles the trajectory, backwards in time or forwards. `numbers` [2^depth] are uniform.
  /// Returns false if it must not be doubled again.
  bool extend(bool forwards, std::span<const double> numbers) {
    forwards_ = forwards;
    choices_ = numbers.subspan(1);
    next_choice_ = 0;
    std::optional<Piece> added = build(depth_);
    if (!added) {
      return false;
    }
    ++depth_;
    if (!forwards) {
      std::swap(whole_.first, whole_.last);
    }
    const bool turns = turnsBack(whole_, *added);
    // Favours points far from the start (Betancourt 2017, appendix A.3.2).
    if (numbers[0] < std::exp(added->log_weight - whole_.log_weight)) {
      takeProposal(whole_, *added);
    }
    whole_ = joined(std::move(whole_), *std::move(added));
    if (!forwards) {
      std::swap(whole_.first, whole_.last);
    }
    return !turns;
  }

  [[nodiscard]] std::int64_t depth() const { return depth_; }
  [[nodiscard]] bool isDivergent() const { return divergent_; }
  [[nodiscard]] double startEnergy() const { return start_energy_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] double acceptance() const {
    return acceptance_sum_ / static_cast<double>(std::max<std::int64_t>(1, steps_));
  }
  [[nodiscard]] const PhasePoint& proposal() const { return whole_.proposal; }
  [[nodiscard]] bool hasMoved() const { return whole_.time != 0; }
  /// The recorded points around `start`.
  [[nodiscard]] TransitionPath path(const PhasePoint& start) const {
    TransitionPath path;
    const auto& [backward, forward] = recorded_;
    for (auto point = backward.rbegin(); point != backward.rend(); ++point) {
      appendPoint(path, *point, {});
    }
    path.start = backward.size();
    appendPoint(path, start, {});
    for (const PhasePoint& point : forward) {
      appendPoint(path, point, {});
    }
    path.end = static_cast<std::size_t>(static_cast<std::int64_t>(path.start) + whole_.time);
    path.accepted = hasMoved();
    path.momentum = start.momentum;
    return path;
  }

 private:
  /// 2^depth further points; nullopt if one diverges or a part turns back.
  std::optional<Piece> build(std::int64_t depth) {
    if (depth == 0) {
      return nextPoint();
    }
    std::optional<Piece> near = build(depth - 1);
    std::optional<Piece> far = near ? build(depth - 1) : std::nullopt;
    if (!far) {
      return std::nullopt;
    }
    const double number = choices_[next_choice_++];
    if (turnsBack(*near, *far)) {
      return std::nullopt;
    }
    if (number < std::exp(far->log_weight - logAdd(near->log_weight, far->log_weight))) {
      takeProposal(*near, *far);
    }
    return joined(*std::move(near), *std::move(far));
  }

  std::optional<Piece> nextPoint() {
    PhasePoint& latest = latest_[forwards_ ? 1 : 0];
    latest = leapfrog(density_, std::move(latest), {}, forwards_ ? step_ : -step_, 1);
    ++steps_;
    const std::int64_t time = forwards_ ? ++last_time_ : --first_time_;
    if (records_) {
      recorded_[forwards_ ? 1 : 0].push_back(latest);
    }
    const double error = energyOf(latest, {}) - start_energy_;
    // Negated, so that NaN counts as divergent.
    divergent_ = !(error <= kMaxEnergyError);
    if (divergent_) {
      return std::nullopt;
    }
    acceptance_sum_ += std::min(1.0, std::exp(-error));
    return Piece{latest.momentum, latest.momentum, latest.momentum, -error, latest, time};
  }

  const LogDensity& density_;
  double step_;
  bool records_;
  double start_energy_;
  Piece whole_;                       ///< `first` is the earlier end between calls of extend()
  std::array<PhasePoint, 2> latest_;  ///< the ends: the earlier and the later one
  std::array<std::vector<PhasePoint>, 2> recorded_;  ///< before the start and after it
  std::int64_t first_time_ = 0;
  std::int64_t last_time_ = 0;
  std::int64_t depth_ = 0;
  std::int64_t steps_ = 0;
  double acceptance_sum_ = 0.0;
  bool divergent_ = false;
  // Of the present doubling.
  bool forwards_ = true;
  std::span<const double> choices_;
  std::size_t next_choice_ = 0;
};

}  // namespace

NutsChain::NutsChain(std::shared_ptr<const LogDensity> density, const NutsOptions& options,
                     std::vector<double> start, std::uint64_t seed, std::uint64_t chain)
    : density_(std::move(density)),
      options_(options),
      momenta_(seed, LabSite::kMomentum, chain),
      directions_(seed, LabSite::kProposal, chain),
      choices_(seed, LabSite::kAcceptance, chain),
      step_size_(options.step_size,
                 options.adapt ? std::optional(options.target_acceptance) : std::nullopt) {
  const std::size_t dimension = start.size();
  state_ = {std::move(start), Vector(dimension), Vector(dimension), 0.0};
  state_.log_density = density_->evaluate(state_.position, state_.gradient);
}

Transition NutsChain::advance(TransitionPath* path) {
  const auto draw = static_cast<std::uint32_t>(done_);
  Transition result;
  result.warm_up = done_ < options_.warm_up;
  momenta_.normals(draw, state_.momentum);
  if (result.warm_up) {
    step_size_.prepare(*density_, state_, {});
  }
  std::array<double, NutsOptions::kMaxTreeDepth> directions{};
  directions_.uniforms(draw, directions);
  Vector numbers;
  Trajectory trajectory(*density_, state_, stepSize(), path != nullptr);
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const std::size_t first = std::size_t{1} << d;
    numbers.resize(2 * first);
    choices_.uniforms(draw, numbers);
    if (!trajectory.extend(directions[d] < 0.5, std::span<const double>(numbers).subspan(first))) {
      break;
    }
  }
  result.acceptance = trajectory.acceptance();
  result.divergent = trajectory.isDivergent();
  result.accepted = trajectory.hasMoved();
  result.energy = trajectory.startEnergy();
  result.leapfrog_steps = trajectory.steps();
  result.tree_depth = trajectory.depth();
  if (path != nullptr) {
    *path = trajectory.path(state_);
  }
  state_ = trajectory.proposal();
  if (result.warm_up) {
    step_size_.update(result.acceptance);
  }
  ++done_;
  return result;
}

}  // namespace dubito
