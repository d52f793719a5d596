// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/relabelled_analysis.h"

#include <algorithm>
#include <stdexcept>

#include "core/analysis/same_items.h"

namespace dubito {

Expected<AnalysisPtr> relabelledAnalysis(const AnalysisPtr& given,
                                         const ReviewedLabelsPtr& reviewed, RunContext& context) {
  if (!given || !reviewed || given->given) {
    throw std::invalid_argument("relabelledAnalysis: needs given labels and reviewed ones");
  }
  auto run = relabelled(*given->in().run, *reviewed);
  if (!run) {
    return failWith(run);
  }
  // No measure of an item depends on its label.
  std::vector<AnalysisPart> parts = given->parts;
  AnalysisPart& in = parts.front();
  in.labelled = std::ranges::any_of(run->labels.values(), [](std::int64_t k) { return k >= 0; });
  in.items_hash = itemsHash(*run);
  in.run = std::make_shared<const Run>(*std::move(run));
  const auto analysis =
      analyse(std::move(parts), given->model, given->method, given->options, context);
  if (!analysis) {
    return failWith(analysis);
  }
  auto result = std::make_shared<Analysis>(**analysis);
  result->given = given;
  result->reviewed = reviewed;
  return AnalysisPtr(std::move(result));
}

}  // namespace dubito
