// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/run_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/measures/measures.h"

namespace dubito {
namespace {

std::vector<double> valuesOf(const Array<double>& array) {
  return {array.values().begin(), array.values().end()};
}

std::vector<double> entropyOfRows(const RealArray& probs, const RunContext& context) {
  return std::visit(
      [&](const auto& table) {
        std::vector<double> entropy(static_cast<std::size_t>(table.extent(0)));
        context.parallelFor(table.extent(0), 1024, [&](std::int64_t begin, std::int64_t end) {
          EntropyCalculator calculate;
          for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
            entropy[static_cast<std::size_t>(i)] = calculate(table.row(i));
          }
        });
        return entropy;
      },
      probs);
}

void requireEqualLengths(const Run& run) {
  const std::int64_t n = run.itemCount();
  const auto fits = [n](const auto& array) { return !array || array->size() == n; };
  const bool probs_fit =
      !run.probs ||
      std::visit([n](const auto& table) { return table.rank() == 2 && table.extent(0) == n; },
                 *run.probs);
  if (run.labels.size() != n || run.predictions.size() != n || run.confidence.size() != n ||
      !fits(run.entropy) || !fits(run.mutual_information) || !probs_fit) {
    throw std::invalid_argument("a run whose arrays differ in length cannot be evaluated");
  }
}

Status checkNumbers(const RunScores& run, const Array<std::int64_t>& ids) {
  for (const ItemScore& score : run.scores) {
    const auto broken = std::find_if(score.values.begin(), score.values.end(),
                                     [](double value) { return !std::isfinite(value); });
    if (broken != score.values.end()) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: the {} of item {} is not a finite number; leave the item out or "
                              "predict it again",
                              run.name, score.name, ids.data()[broken - score.values.begin()]));
    }
  }
  return {};
}

}  // namespace

std::vector<double> ItemScore::certaintyOf(const std::vector<std::int64_t>& items) const {
  std::vector<double> certainty(items.size());
  std::transform(items.begin(), items.end(), certainty.begin(), [&](std::int64_t i) {
    const double value = values[static_cast<std::size_t>(i)];
    return high_is_certain ? value : -value;
  });
  return certainty;
}

const ItemScore* RunScores::find(const std::string& score) const {
  const auto found = std::find_if(scores.begin(), scores.end(),
                                  [&](const ItemScore& item) { return item.name == score; });
  return found == scores.end() ? nullptr : &*found;
}

Expected<RunScores> gatherScores(const Run& run, const std::string& fallback_name,
                                 const RunContext& context) {
  requireEqualLengths(run);
  RunScores result;
  result.name = run.meta.dataset_name.empty() ? fallback_name : run.meta.dataset_name;
  result.classes = run.classCount();
  result.scores.push_back({"confidence", valuesOf(run.confidence), true});
  if (run.entropy) {
    result.scores.push_back({"entropy", valuesOf(*run.entropy), false});
  } else if (run.probs) {
    result.scores.push_back({"entropy", entropyOfRows(*run.probs, context), false});
  }
  if (run.mutual_information) {
    result.scores.push_back({"mutual_information", valuesOf(*run.mutual_information), false});
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  if (Status status = checkNumbers(result, run.ids); !status) {
    return failWith(status);
  }
  const std::int64_t n = run.itemCount();
  result.all_items.resize(static_cast<std::size_t>(n));
  std::iota(result.all_items.begin(), result.all_items.end(), std::int64_t{0});
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t label = run.labels.data()[i];
    if (label < 0) {
      result.unlabelled.push_back(i);
      continue;
    }
    const bool is_correct = run.predictions.data()[i] == label;
    result.labelled.push_back(i);
    result.labelled_correct.push_back(is_correct ? 1 : 0);
    (is_correct ? result.correct : result.misclassified).push_back(i);
  }
  return result;
}

Expected<std::vector<RunScores>> gatherOodScores(const std::vector<NamedRun>& ood,
                                                 const RunContext& context) {
  std::vector<RunScores> result;
  std::set<std::string> names{"all"};
  for (const NamedRun& named : ood) {
    if (named.run == nullptr) {
      throw std::invalid_argument("an OOD run is missing");
    }
    if (!names.insert(named.name).second) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("OOD name \"{}\": it is {}; choose another name", named.name,
                      named.name == "all" ? "reserved for all OOD sets together" : "given twice"));
    }
    Expected<RunScores> scores = gatherScores(*named.run, named.name, context);
    if (!scores) {
      return failWith(scores);
    }
    scores->name = named.name;
    result.push_back(std::move(*scores));
  }
  return result;
}

}  // namespace dubito
