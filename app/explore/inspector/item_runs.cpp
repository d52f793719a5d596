// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_runs.h"

#include <algorithm>

#include "app/session/run_names.h"
#include "app/words/words.h"
#include "core/analysis/same_items.h"

namespace dubito {
namespace {

ItemRunRow rowOf(const Analysis& analysis, ItemRef item) {
  const AnalysisPart& part = analysis.partOf(item);
  const auto valueOf = [&](Measure measure) {
    return part.has(measure) ? part.values(measure).data()[item.row]
                             : std::numeric_limits<double>::quiet_NaN();
  };
  ItemRunRow row;
  row.detail = QString::fromStdString(analysis.detail);
  const std::int64_t predicted = part.run->predictions.data()[item.row];
  row.label_predicted = className(analysis, predicted);
  const std::int64_t label = item.part == 0 ? part.run->labels.data()[item.row] : -1;
  if (label >= 0) {
    row.correct = label == predicted;
  }
  row.confidence = valueOf(Measure::kConfidence);
  row.entropy = valueOf(Measure::kEntropy);
  row.mutual_information = valueOf(Measure::kMutualInformation);
  return row;
}

}  // namespace

std::vector<ItemInRun> primaryInAllRuns(const Session& session) {
  std::vector<ItemInRun> runs;
  const AnalysisPtr active = session.activeAnalysis();
  const std::optional<ItemRef> primary = session.listing().primary();
  if (!active || !primary) {
    return runs;
  }
  const std::vector<AnalysisPtr>& analyses = session.analyses();
  const std::vector<std::string> names = runNames(session);
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    const bool shown = analyses[i] == active;
    const auto item = shown ? primary : sameItem(*active, *primary, *analyses[i]);
    if (!item) {
      continue;
    }
    ItemInRun run{i, *item, rowOf(*analyses[i], *item)};
    run.row.name = QString::fromStdString(names[i]);
    run.row.shown = shown;
    runs.push_back(std::move(run));
  }
  std::stable_partition(runs.begin(), runs.end(),
                        [](const ItemInRun& run) { return run.row.shown; });
  return runs;
}

}  // namespace dubito
