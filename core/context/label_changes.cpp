// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/label_changes.h"

#include <fmt/format.h>

#include <vector>

#include "core/context/label_reasons.h"
#include "core/context/scene_solver.h"
#include "core/io/csv.h"
#include "core/io/item_lines.h"

namespace dubito {
namespace {

constexpr const char* kChangesHead =
    "id,scene,label,before,after,total,own,loops,other_id,other_before,other_after,message";

std::string classText(const Run& run, std::int64_t k) {
  return k < 0 ? std::string() : csvField(run.className(k));
}

/// The lines of one scene.
void addLines(const Run& before, const Run& after, const Array<double>& log_probs,
              const std::vector<std::int64_t>& members, const std::string& scene,
              const PairFactors& factors, const ContextOptions& options,
              std::vector<std::string>& lines) {
  std::vector<std::int64_t> requested;
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
  for (std::int64_t i = 0; i < std::ssize(members); ++i) {
    const std::int64_t row = members[static_cast<std::size_t>(i)];
    if (before.predictions.data()[row] != after.predictions.data()[row]) {
      requested.push_back(i);
      from.push_back(before.predictions.data()[row]);
      to.push_back(after.predictions.data()[row]);
    }
  }
  if (requested.empty()) {
    return;
  }
  const std::vector<LabelReasons> all =
      explainLabels(log_probs, requested, from, to, factors, options);
  for (std::size_t q = 0; q < requested.size(); ++q) {
    const LabelReasons& reasons = all[q];
    const std::int64_t row = members[static_cast<std::size_t>(requested[q])];
    const std::string start =
        fmt::format("{},{},{},{},{},{},{},{}", before.ids.data()[row], scene,
                    classText(before, before.labels.data()[row]), classText(before, reasons.from),
                    classText(before, reasons.to), reasons.total, reasons.own, reasons.loops);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::int64_t other = members[i];
      if (other != row) {
        lines.push_back(fmt::format("{},{},{},{},{}", start, before.ids.data()[other],
                                    classText(before, before.predictions.data()[other]),
                                    classText(before, after.predictions.data()[other]),
                                    reasons.messages[i]));
      }
    }
  }
}

}  // namespace

Status writeLabelChanges(const std::string& path, const Run& before, const Run& after,
                         const Scenes& scenes, const PairScores& scores,
                         const ContextOptions& options, RunContext& context) {
  const auto factors = PairFactors::create(scores, options.weight);
  if (!factors) {
    return failWith(factors);
  }
  const LogProbsAlone alone(before);
  std::vector<std::string> lines;
  const auto count = std::ssize(scenes.members);
  for (std::int64_t s = 0; s < count; ++s) {
    if (context.step("explaining", s, count) == Step::kCancel) {
      return cancelled();
    }
    const auto& members = scenes.members[static_cast<std::size_t>(s)];
    if (members.size() > 1) {
      addLines(before, after, alone.ofMean(members), members,
               csvField(scenes.names[static_cast<std::size_t>(s)]), *factors, options, lines);
    }
  }
  return writeItemLines(
      path, kChangesHead, std::ssize(lines),
      [&](std::int64_t i) { return lines[static_cast<std::size_t>(i)]; }, context);
}

}  // namespace dubito
