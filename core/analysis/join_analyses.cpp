// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/join_analyses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/methods/ensemble/ensemble.h"

namespace dubito {
namespace {

/// The part of that name; the in-distribution part goes by its place.
const AnalysisPart* partOf(const Analysis& analysis, std::size_t position,
                           const std::string& name) {
  if (position == 0) {
    return &analysis.in();
  }
  const auto found = std::find_if(analysis.parts.begin() + 1, analysis.parts.end(),
                                  [&](const AnalysisPart& part) { return part.name == name; });
  return found == analysis.parts.end() ? nullptr : &*found;
}

/// "MC dropout, 50 draws (seed 0 · MNIST test)".
std::string nameOf(const Analysis& analysis) {
  return fmt::format("{} ({})", analysis.name, analysis.detail);
}

/// The runs of all members that have the part at `position` of the first one.
std::vector<EnsembleMember> runsAt(const std::vector<AnalysisPtr>& members, std::size_t position) {
  std::vector<EnsembleMember> runs;
  for (const AnalysisPtr& member : members) {
    const AnalysisPart* const part =
        partOf(*member, position, members.front()->parts[position].name);
    if (part != nullptr) {
      runs.push_back({nameOf(*member), *part->run});
    }
  }
  return runs;
}

Status checkCount(const std::vector<AnalysisPtr>& members) {
  return members.size() < 2
             ? Status(
                   fail(ErrorCode::kInvalidArgument,
                        "an ensemble needs at least two members; tick more of the computed runs"))
             : Status();
}

}  // namespace

Status checkJoin(const std::vector<AnalysisPtr>& members) {
  if (Status counted = checkCount(members); !counted) {
    return counted;
  }
  for (std::size_t position = 0; position < members.front()->parts.size(); ++position) {
    const std::vector<EnsembleMember> runs = runsAt(members, position);
    if (runs.size() < members.size()) {
      continue;  // left out with a note
    }
    if (Status fit = checkMembers(runs); !fit) {
      return fit;
    }
  }
  return {};
}

Expected<AnalysisPtr> joinAnalyses(const std::vector<AnalysisPtr>& members,
                                   const PredictOptions& options,
                                   const EvaluationOptions& evaluation, RunContext& context) {
  if (Status counted = checkCount(members); !counted) {
    return failWith(counted);
  }
  std::vector<AnalysisPart> parts;
  std::vector<std::string> left_out;
  const std::vector<AnalysisPart>& wanted = members.front()->parts;
  for (std::size_t position = 0; position < wanted.size(); ++position) {
    const std::vector<EnsembleMember> runs = runsAt(members, position);
    if (runs.size() < members.size()) {
      left_out.push_back(wanted[position].name);
      continue;
    }
    auto joined = ensembleRun(runs, {.keep_samples_mb = options.keep_samples_mb}, context);
    if (!joined) {
      return failWith(joined);
    }
    parts.push_back(makePart(wanted[position].name, std::make_shared<const Run>(*std::move(joined)),
                             wanted[position].dataset, context));
  }
  if (!left_out.empty()) {
    Run in = *parts.front().run;
    for (const std::string& name : left_out) {
      in.meta.notes.push_back(fmt::format("{}: omitted because not every member has it", name));
    }
    parts.front().run = std::make_shared<const Run>(std::move(in));
  }
  context.step("Evaluating", 0, 0);
  return analyse(std::move(parts), nullptr, std::nullopt, evaluation, context);
}

}  // namespace dubito
