// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_why.h"

#include <algorithm>
#include <utility>

#include "core/attribution/attribution_methods.h"
#include "widgets/tr.h"

namespace dubito {

QString whyMissing(const Analysis& analysis, ItemRef item) {
  const AnalysisPart& part = analysis.partOf(item);
  if (!analysis.model) {
    return tr("Why? Open the model of this run to see which pixels matter");
  }
  if (!part.dataset || part.dataset_index[static_cast<std::size_t>(item.row)] < 0) {
    return tr("Why? Open the dataset of this image to see which pixels matter");
  }
  return {};
}

std::int64_t explainableDraws(const Analysis& analysis) {
  return analysis.method && dropoutOf(*analysis.method) != nullptr ? drawsOf(*analysis.method) : 0;
}

Expected<Attribution> explainPixels(const WhyQuestion& question, RunContext& context) {
  const AnalysisPart& part = question.analysis->partOf(question.item);
  context.seed = part.run->meta.seed;
  return attribute(*question.analysis->model, *part.dataset,
                   part.dataset_index[static_cast<std::size_t>(question.item.row)],
                   question.analysis->method.value_or(MapOptions()), question.target,
                   question.options, context);
}

QString whyDetails(const WhyQuestion& question, const Attribution& attribution) {
  const auto number = [](double value) { return QString::number(value, 'g', 3); };
  QStringList parts;
  if (question.target.mutual_information) {
    parts << tr("mutual information of the draws %1 nats").arg(number(attribution.value));
  } else if (question.target.spread) {
    parts << tr("standard deviation over the draws %1").arg(number(attribution.value));
  } else {
    parts << tr("logit %1 above the mean of the classes").arg(number(attribution.value));
  }
  if (attribution.completeness_gap) {
    parts << tr("the map sums to %1 of %2")
                 .arg(number(attribution.sum), number(attribution.difference));
  }
  return parts.join(QStringLiteral(" · "));
}

const Attribution* WhyCache::find(const WhyQuestion& question) {
  const auto found = std::ranges::find(entries_, question, &Entry::question);
  if (found == entries_.end()) {
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found);
  return &entries_.front().answer;
}

void WhyCache::put(const WhyQuestion& question, Attribution answer) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.question == question; });
  entries_.push_front({question, std::move(answer)});
  if (entries_.size() > kCapacity) {
    entries_.pop_back();
  }
}

void WhyCache::keepOnly(const AnalysisPtr& analysis) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.question.analysis != analysis; });
}

}  // namespace dubito
