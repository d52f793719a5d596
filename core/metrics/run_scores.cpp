// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/run_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/base/collect_parts.h"
#include "core/io/log_rest.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

void requireEqualLengths(const Run& run) {
  const std::int64_t n = run.itemCount();
  const auto fits = [n](const auto& array) { return !array || array->size() == n; };
  const bool probs_fit =
      !run.probs ||
      std::visit([n](const auto& table) { return table.rank() == 2 && table.extent(0) == n; },
                 *run.probs);
  if (run.labels.size() != n || run.predictions.size() != n || run.confidence.size() != n ||
      !fits(run.log_rest) || !fits(run.entropy) || !fits(run.mutual_information) || !probs_fit) {
    throw std::invalid_argument("gatherScores: the arrays of the run differ in length");
  }
}

Status checkNumbers(const RunScores& run, const Array<std::int64_t>& ids,
                    const RunContext& context) {
  for (const ItemScore& score : run.scores) {
    const double* const values = score.values.data();
    // A rank may be infinite, if the other classes have probability 0.
    const auto isBroken = [&](std::int64_t i) {
      return !std::isfinite(values[i]) || std::isnan(score.rank(i));
    };
    const auto firsts =
        collectParts(score.values.size(), kItemsPerPart, std::int64_t{-1}, context,
                     [&](std::int64_t begin, std::int64_t end, std::int64_t& first) {
                       while (begin < end && !isBroken(begin)) {
                         ++begin;
                       }
                       first = begin < end ? begin : -1;
                     });
    const auto broken = std::ranges::find_if(firsts, [](std::int64_t i) { return i >= 0; });
    if (broken != firsts.end()) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: the {} of item {} is not a finite number; remove the item or "
                              "recompute it",
                              run.name, describe(score.measure).name, ids.data()[*broken]));
    }
  }
  return {};
}

void judgeItems(const Run& run, const RunContext& context, RunScores& scores) {
  const std::int64_t* const labels = run.labels.data();
  const std::int64_t* const predictions = run.predictions.data();
  scores.outcomes.resize(static_cast<std::size_t>(run.itemCount()));
  struct OutcomeCounts {
    std::array<std::int64_t, 3> of{};
  };
  const auto parts = collectParts(run.itemCount(), kItemsPerPart, OutcomeCounts{}, context,
                                  [&](std::int64_t begin, std::int64_t end, OutcomeCounts& counts) {
                                    for (std::int64_t i = begin; i < end; ++i) {
                                      const Outcome outcome = labels[i] < 0 ? Outcome::kUnlabelled
                                                              : labels[i] == predictions[i]
                                                                  ? Outcome::kCorrect
                                                                  : Outcome::kMisclassified;
                                      scores.outcomes[static_cast<std::size_t>(i)] = outcome;
                                      ++counts.of[static_cast<std::size_t>(outcome)];
                                    }
                                  });
  for (const OutcomeCounts& counts : parts) {
    scores.correct += counts.of[0];
    scores.misclassified += counts.of[1];
    scores.unlabelled += counts.of[2];
  }
}

}  // namespace

const ItemScore* RunScores::find(Measure measure) const {
  const auto found = std::ranges::find(scores, measure, &ItemScore::measure);
  return found == scores.end() ? nullptr : &*found;
}

Expected<RunScores> gatherScores(const Run& run, const std::string& fallback_name,
                                 const std::vector<Measure>& measures, const RunContext& context) {
  requireEqualLengths(run);
  RunScores result;
  result.name = run.meta.dataset_name.empty() ? fallback_name : run.meta.dataset_name;
  result.classes = run.classCount();
  const bool has_confidence = hasConfidence(run);
  if (has_confidence) {
    result.scores.push_back({Measure::kConfidence, run.confidence, logRestOf(run, context)});
  }
  for (const Measure measure : measures) {
    if (result.find(measure) != nullptr || (measure == Measure::kConfidence && !has_confidence)) {
      continue;
    }
    if (auto values = describe(measure).compute(run, context)) {
      result.scores.push_back({measure, std::move(*values)});
    }
  }
  if (Status status = checkNumbers(result, run.ids, context); !status) {
    return failWith(status);
  }
  judgeItems(run, context, result);
  if (context.cancelRequested()) {
    return cancelled();
  }
  return result;
}

Expected<std::vector<RunScores>> gatherOodScores(const std::vector<NamedRun>& ood,
                                                 const std::vector<Measure>& measures,
                                                 const RunContext& context) {
  std::vector<RunScores> result;
  std::set<std::string> names{"all"};
  for (const NamedRun& named : ood) {
    if (named.run == nullptr) {
      throw std::invalid_argument("gatherOodScores: an OOD run is null");
    }
    if (!names.insert(named.name).second) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("OOD name \"{}\" is {}; choose another name", named.name,
                      named.name == "all" ? "reserved for all OOD sets together" : "given twice"));
    }
    Expected<RunScores> scores = gatherScores(*named.run, named.name, measures, context);
    if (!scores) {
      return failWith(scores);
    }
    scores->name = named.name;
    result.push_back(std::move(*scores));
  }
  return result;
}

}  // namespace dubito
