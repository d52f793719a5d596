// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/evidence_search.h"

#include <fmt/format.h>

#include "core/base/nan.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

constexpr double kSpreadOfStarts = 1.5;

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
  if (done_ == end) {
    ascent_.reset();
  }
  return {};
}

bool EvidenceSearch::isAtBound(std::size_t i) const {
  return best_[i] <= plan_.bounds.low[i] || best_[i] >= plan_.bounds.high[i];
}

std::vector<double> EvidenceSearch::startingPoint(std::int64_t index) const {
  std::vector<double> point = plan_.start;
  if (index > 0) {
    std::vector<double> normals(point.size());
    KeyedRandom(plan_.seed, LabSite::kStartingPoint)
        .normals(static_cast<std::uint32_t>(index), normals);
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] += kSpreadOfStarts * normals[i];
    }
  }
  return point;
}

Status EvidenceSearch::begin(std::int64_t index, const AscentFunction& function) {
  auto ascent = BoundedAscent::begin(function, startingPoint(index), plan_.bounds);
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

}  // namespace dubito
