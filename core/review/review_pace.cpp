// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/review_pace.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace dubito {
namespace {

constexpr double kMinute = 60'000.0;
/// As kLongestDecisionMs, for each image of a step of many.
constexpr std::int64_t kLongestPerImage = 2'000;
constexpr std::int64_t kFewestImages = 5;
constexpr double kShortestStretch = 10'000.0;
constexpr double kMaxStretches = 40.0;

/// Decisions of a person that were recorded together and stand.
struct TimedStep {
  std::int64_t images = 0;
  double spent_ms = 0.0;
};

/// Decisions [begin, end) of the journal are one step.
std::size_t endOfStep(std::span<const RecordedDecision> journal, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < journal.size() && journal[end].step == journal[begin].step) {
    ++end;
  }
  return end;
}

std::vector<TimedStep> timedSteps(std::span<const RecordedDecision> journal) {
  std::map<std::string, std::int64_t> last;  // time, by person
  std::set<std::pair<std::string, std::int64_t>> settled;
  std::vector<TimedStep> steps;
  for (std::size_t begin = 0, end = 0; begin < journal.size(); begin = end) {
    end = endOfStep(journal, begin);
    const Decision& first = journal[begin].decision;
    if (first.origin != LabelOrigin::kPerson) {
      continue;
    }
    const auto [before, is_first] = last.try_emplace(first.annotator, first.time_ms);
    const std::int64_t spent = first.time_ms - std::exchange(before->second, first.time_ms);
    if (journal[begin].undone) {
      continue;
    }
    TimedStep step{.spent_ms = static_cast<double>(spent)};
    for (const RecordedDecision& recorded : journal.subspan(begin, end - begin)) {
      const Decision& decision = recorded.decision;
      if (settles(decision.action) && settled.emplace(first.annotator, decision.item).second) {
        ++step.images;
      }
    }
    const auto size = static_cast<std::int64_t>(end - begin);
    const std::int64_t longest = std::max(kLongestDecisionMs, kLongestPerImage * size);
    if (!is_first && spent >= 0 && spent <= longest) {
      steps.push_back(step);
    }
  }
  return steps;
}

}  // namespace

double ReviewPace::perMinute() const {
  return spent_ms > 0.0 ? kMinute * static_cast<double>(images) / spent_ms
                        : std::numeric_limits<double>::quiet_NaN();
}

ReviewPace paceOf(std::span<const RecordedDecision> journal) {
  const std::vector<TimedStep> steps = timedSteps(journal);
  ReviewPace pace;
  for (const TimedStep& step : steps) {
    pace.images += step.images;
    pace.spent_ms += step.spent_ms;
  }
  const double shortest = std::max(kShortestStretch, pace.spent_ms / kMaxStretches);
  std::int64_t all = 0;
  ReviewPace stretch;
  for (const TimedStep& step : steps) {
    all += step.images;
    stretch.images += step.images;
    stretch.spent_ms += step.spent_ms;
    if (stretch.images >= kFewestImages && stretch.spent_ms >= shortest) {
      pace.stretches.push_back({all, stretch.perMinute()});
      stretch = {};
    }
  }
  if (pace.stretches.empty() && stretch.images >= kFewestImages && stretch.spent_ms > 0.0) {
    pace.stretches.push_back({all, stretch.perMinute()});
  }
  return pace;
}

}  // namespace dubito
