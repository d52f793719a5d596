// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/in_quotes.h"
#include "core/base/memory_budget.h"
#include "core/decisions/logit_table.h"
#include "core/io/log_rest.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

/// Scenes between two reports of progress. Small: a single scene may take a second.
constexpr std::int64_t kScenesPerStep = 64;

template <class Row>
void copyClampedLogs(const Row& probs, std::span<double> to) {
  std::ranges::transform(probs, to.begin(), [](auto prob) { return clampedLog(prob); });
}

}  // namespace

LogProbsAlone::LogProbsAlone(const Run& run)
    : run_(run),
      draws_(std::max<std::int64_t>(1, run.drawCount())),
      has_logits_(run.drawCount() == 0 && probsAreOfLogits(run)) {}

Array<double> LogProbsAlone::ofDraw(std::int64_t draw, std::span<const std::int64_t> rows) const {
  if (!areOfDraws()) {
    return ofMean(rows);
  }
  const std::int64_t classes = run_.classCount();
  auto result = Array<double>::zeros({std::ssize(rows), classes});
  const std::span<const float> probs = run_.samples->row(draw);
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    copyClampedLogs(
        probs.subspan(static_cast<std::size_t>(rows[static_cast<std::size_t>(i)] * classes),
                      static_cast<std::size_t>(classes)),
        result.mutableRow(i));
  }
  return result;
}

Array<double> LogProbsAlone::ofMean(std::span<const std::int64_t> rows) const {
  auto result = Array<double>::zeros({std::ssize(rows), run_.classCount()});
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    const std::int64_t row = rows[static_cast<std::size_t>(i)];
    if (has_logits_) {
      std::visit(
          [&](const auto& logits) {
            std::ranges::copy(logSoftmax(logits.row(row)), result.mutableRow(i).begin());
          },
          *run_.logits);
    } else {
      std::visit([&](const auto& probs) { copyClampedLogs(probs.row(row), result.mutableRow(i)); },
                 *run_.probs);
    }
  }
  return result;
}

namespace {

/// The scene with the most items, of those that have any.
std::vector<std::vector<std::int64_t>>::const_iterator largestScene(const Scenes& scenes) {
  return std::ranges::max_element(scenes.members, {},
                                  [](const auto& members) { return members.size(); });
}

double budgetOf(const RunContext& context) {
  return static_cast<double>(context.memory_budget_bytes > 0 ? context.memory_budget_bytes
                                                             : availableMemory());
}

}  // namespace

Status checkSceneSizes(const Scenes& scenes, std::int64_t classes, const RunContext& context) {
  const double budget = budgetOf(context);
  const auto largest = largestScene(scenes);
  if (largest == scenes.members.end() || budget <= 0.0) {
    return {};
  }
  const double needed = propagationBytes(std::ssize(*largest), classes);
  if (needed <= budget) {
    return {};
  }
  const auto scene = static_cast<std::size_t>(largest - scenes.members.begin());
  return fail(ErrorCode::kOutOfMemory,
              fmt::format("{}: the scene {} has {} items of {} classes, whose pairs need {}; give "
                          "smaller scenes or more memory",
                          scenes.source, inQuotes(scenes.names[scene]), largest->size(), classes,
                          bytesText(needed)),
              {setting("memory")});
}

int threadsForScenes(const Scenes& scenes, std::int64_t classes, const RunContext& context) {
  const auto largest = largestScene(scenes);
  const double budget = budgetOf(context);
  if (largest == scenes.members.end() || budget <= 0.0) {
    return context.threads;
  }
  const double needed = std::max(propagationBytes(std::ssize(*largest), classes), 1.0);
  return static_cast<int>(std::clamp(budget / needed, 1.0, static_cast<double>(context.threads)));
}

Status solveScenes(const LogProbsAlone& alone, const Scenes& scenes, const PairFactors& factors,
                   const ContextOptions& options, const std::string& stage, RunContext& context,
                   const TakeScene& take) {
  std::vector<std::int64_t> in_company;
  for (std::int64_t s = 0; s < std::ssize(scenes.members); ++s) {
    if (scenes.members[static_cast<std::size_t>(s)].size() > 1) {
      in_company.push_back(s);
    }
  }
  const auto count = std::ssize(in_company);
  RunContext limited = context;
  limited.threads = threadsForScenes(scenes, alone.classCount(), context);
  for (std::int64_t first = 0; first < count; first += kScenesPerStep) {
    if (context.step(stage, first, count) == Step::kCancel) {
      return cancelled();
    }
    const std::int64_t together = std::min(kScenesPerStep, count - first);
    limited.parallelFor(together, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t scene = in_company[static_cast<std::size_t>(first + i)];
        const std::vector<std::int64_t>& rows = scenes.members[static_cast<std::size_t>(scene)];
        const ScenePairs pairs = everyPair(std::ssize(rows));
        for (std::int64_t draw = 0; draw < alone.drawCount() && !context.cancelRequested();
             ++draw) {
          const Array<double> log_probs = alone.ofDraw(draw, rows);
          take(scene, draw, sceneMarginals({log_probs, pairs, factors}, options));
        }
      }
    });
  }
  return context.cancelRequested() ? Status(cancelled()) : Status();
}

}  // namespace dubito
