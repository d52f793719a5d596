// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/evidence_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/nan.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

constexpr double kSpreadOfStarts = 1.5;
/// Every other candidate is farther away.
constexpr double kWideSpreadOfStarts = 3.0;

}  // namespace

Status EvidenceSearch::step(const AscentFunction& function, const RunContext& context) {
  if (context.cancelRequested()) {
    return cancelled();
  }
  const std::int64_t index = done_ / plan_.steps_per_start;
  const std::int64_t end = (index + 1) * plan_.steps_per_start;
  if (!ascent_) {
    const Status begun = begin(index, function);
    if (!begun && (index == 0 || begun.error().code == ErrorCode::kCancelled)) {
      return begun;
    }
    if (!begun) {
      done_ = end;
      return {};
    }
  }
  if (Status stepped = ascent_->step(function); !stepped) {
    return stepped;
  }
  ++done_;
  record();
  if (ascent_->converged()) {
    done_ = end;
  }
  if (ascent_->point() == best_) {
    best_converged_ = ascent_->converged();
  }
  if (done_ == end) {
    ascent_.reset();
  }
  return {};
}

bool EvidenceSearch::isAtBound(std::size_t i) const {
  return best_[i] <= plan_.bounds.low[i] || best_[i] >= plan_.bounds.high[i];
}

std::vector<std::string> EvidenceSearch::boundWarnings(
    const std::vector<std::string>& names) const {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < names.size() && best_value_; ++i) {
    if (isAtBound(i)) {
      warnings.push_back(names[i] +
                         " lies at the bound of its range: the points do not determine it.");
    }
  }
  return warnings;
}

std::optional<std::string> EvidenceSearch::limitWarning() const {
  if (total() == 0 || done_ < total() || best_converged_) {
    return std::nullopt;
  }
  return "The evidence still rose at the last step: its maximum is not reached; allow more steps.";
}

Expected<std::vector<double>> EvidenceSearch::startingPoint(std::int64_t index,
                                                            const AscentFunction& function) const {
  if (index == 0) {
    return plan_.start;
  }
  std::vector<double> best = plan_.start;
  std::optional<double> best_value;
  std::vector<double> normals(best.size());
  for (std::int64_t candidate = 0; candidate < plan_.candidates; ++candidate) {
    KeyedRandom(plan_.seed, LabSite::kStartingPoint)
        .normals(static_cast<std::uint32_t>(index * plan_.candidates + candidate), normals);
    const double spread = candidate % 2 == 0 ? kSpreadOfStarts : kWideSpreadOfStarts;
    std::vector<double> point = plan_.start;
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] =
          std::clamp(point[i] + spread * normals[i], plan_.bounds.low[i], plan_.bounds.high[i]);
    }
    const Expected<AscentValue> value = function(point);
    if (!value && value.error().code == ErrorCode::kCancelled) {
      return failWith(value);
    }
    // Points that cannot be evaluated are no candidates.
    if (value && std::isfinite(value->value) && (!best_value || value->value > *best_value)) {
      best = std::move(point);
      best_value = value->value;
    }
  }
  return best;
}

Status EvidenceSearch::begin(std::int64_t index, const AscentFunction& function) {
  auto start = startingPoint(index, function);
  if (!start) {
    return failWith(start);
  }
  auto ascent = BoundedAscent::begin(function, *std::move(start), plan_.bounds);
  if (!ascent) {
    return failWith(ascent);
  }
  ascent_ = std::move(*ascent);
  traces_.push_back({index == 0 ? "log evidence" : fmt::format("log evidence, start {}", index + 1),
                     {},
                     {},
                     kNaN});
  record();
  return {};
}

void EvidenceSearch::record() {
  traces_.back().x.push_back(static_cast<double>(done_));
  traces_.back().y.push_back(ascent_->value());
  if (!best_value_ || ascent_->value() > *best_value_) {
    best_ = ascent_->point();
    best_value_ = ascent_->value();
  }
}

namespace {

constexpr double kMinNoise = 1e-6;
constexpr double kMaxNoise = 1e6;

}  // namespace

Expected<NoiseRule> parseNoiseRule(const std::string& text) {
  if (text == "auto") {
    return NoiseRule{NoiseRule::Kind::kEvidence};
  }
  if (text == "shared") {
    return NoiseRule{NoiseRule::Kind::kShared};
  }
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stopped == end && value >= kMinNoise && value <= kMaxNoise) {
    return NoiseRule{NoiseRule::Kind::kValue, value};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the noise is {}; use auto, shared or a number between {:g} and {:g}",
                          inQuotes(text), kMinNoise, kMaxNoise),
              {setting("noise_from")});
}

FieldInfo noiseFieldInfo() {
  return {.name = "noise_from",
          .label = "Noise from",
          .help =
              "standard deviation of the noise: auto (maximises the evidence), shared (the one "
              "of all methods) or a number, in units of the scaled targets",
          .forms = {{.prefix = "auto", .label = "auto"},
                    {.prefix = "shared", .label = "shared"},
                    {.prefix = "", .label = "number", .number = 0.3, .above = 0.0}}};
}

}  // namespace dubito
