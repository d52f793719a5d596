// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/run_reliability.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/metrics/calibration_error.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

std::string conventionOf(const ReliabilityOptions& options) {
  return fmt::format(
      "{} bins, L1, {}, {}{}", options.bins,
      options.equal_mass ? "equal mass, ties kept together" : "equal width",
      options.of_class ? fmt::format("class {}", *options.of_class) : std::string("top-label"),
      options.with_ood ? ", OOD counted as wrong" : "");
}

Status check(const Run& run, const ReliabilityOptions& options) {
  if (options.bins < 1 || options.bins > ReliabilityOptions::kMaxBins) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} bins are not possible; use 1 to {}", options.bins,
                            ReliabilityOptions::kMaxBins));
  }
  if (options.of_class &&
      (!run.probs || *options.of_class < 0 || *options.of_class >= run.classCount())) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("this run has no probabilities of class {}; choose another class",
                            *options.of_class));
  }
  return {};
}

/// Calls visit(item) for every included item; false if the context is cancelled.
template <class Visit>
bool assessAll(const Run& run, std::span<const Run* const> ood, const ReliabilityOptions& options,
               const RunContext& context, const Visit& visit) {
  constexpr std::int64_t kRowsBetweenCancelChecks = std::int64_t{1} << 16;
  const auto assess = [&](const Run& one, bool is_ood) {
    for (std::int64_t row = 0; row < one.itemCount(); ++row) {
      if (row % kRowsBetweenCancelChecks == 0 && context.cancelRequested()) {
        return false;
      }
      if (const auto item = assessedItem(one, row, is_ood, options)) {
        visit(*item);
      }
    }
    return true;
  };
  if (!assess(run, false)) {
    return false;
  }
  for (const Run* const set : ood) {
    if (options.with_ood && !assess(*set, true)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Expected<ReliabilityPtr> makeReliability(const Run& run, std::span<const Run* const> ood,
                                         const ReliabilityOptions& options,
                                         const RunContext& context) {
  if (Status status = check(run, options); !status) {
    return failWith(status);
  }
  auto reliability = std::make_shared<Reliability>();
  reliability->options = options;
  if (options.equal_mass) {
    std::vector<std::uint64_t> right;
    std::vector<std::uint64_t> wrong;
    if (!assessAll(run, ood, options, context, [&](const AssessedItem& item) {
          (item.is_right ? right : wrong).push_back(SortedScores::keyOf(item.probability));
        })) {
      return cancelled();
    }
    reliability->diagram =
        equalMassOfSorted(SortedScores(std::move(right), context),
                          SortedScores(std::move(wrong), context), options.bins, context);
  } else {
    EqualWidthSums sums(options.bins);
    if (!assessAll(run, ood, options, context,
                   [&](const AssessedItem& item) { sums.add(item.probability, item.is_right); })) {
      return cancelled();
    }
    reliability->diagram = sums.diagram();
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  reliability->diagram.convention = conventionOf(options);
  return ReliabilityPtr(std::move(reliability));
}

}  // namespace dubito
