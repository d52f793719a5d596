// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/queue/queue_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "app/jobs/window_jobs.h"
#include "app/session/error_text.h"
#include "app/workbench/run_computer.h"
#include "core/train/head/backbone_features.h"
#include "core/train/head/feature_cache.h"
#include "core/train/head/head_options.h"

namespace dubito {
namespace {

/// Features by row of the run; NaN for items without any.
Expected<FeaturesPtr> featuresOfRows(const AnalysisPtr& analysis, std::int64_t batch,
                                     RunContext& context) {
  const AnalysisPart& part = analysis->in();
  std::vector<std::int64_t> positions;
  for (std::size_t row = 0; row < part.dataset_index.size(); ++row) {
    if (const std::int64_t position = part.dataset_index[row]; position >= 0) {
      positions.push_back(position);
    }
  }
  std::ranges::sort(positions);
  const auto computed = backboneFeatures(*analysis->model, *part.dataset, positions,
                                         {.batch = batch,
                                          .folder = usualFeatureFolder(),
                                          .max_cache_bytes = HeadOptions().cacheBytes()},
                                         context);
  if (!computed) {
    return failWith(computed);
  }
  const std::int64_t width = computed->features.extent(1);
  Array<float> rows = Array<float>::zeros({part.run->itemCount(), width});
  std::ranges::fill(std::span(rows.mutableData(), static_cast<std::size_t>(rows.size())),
                    std::numeric_limits<float>::quiet_NaN());
  for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
    const std::int64_t position = part.dataset_index[static_cast<std::size_t>(row)];
    const auto found = std::ranges::lower_bound(computed->items, position);
    if (position >= 0 && found != computed->items.end() && *found == position) {
      std::ranges::copy(computed->features.row(found - computed->items.begin()),
                        rows.mutableRow(row).begin());
    }
  }
  return std::make_shared<const RealArray>(std::move(rows));
}

}  // namespace

QueueFeatures::QueueFeatures(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                             QObject* parent)
    : QObject(parent),
      reviewer_(reviewer),
      jobs_(jobs),
      computer_(computer),
      job_(jobs.computeThread()) {
  jobs_.watch(job_);
  connect(&reviewer_.reviewQueue(), &ReviewQueue::featuresNeeded, this, &QueueFeatures::startFor);
}

QString QueueFeatures::obstacle() const {
  const AnalysisPtr& analysis = reviewer_.analysis();
  if (reviewer_.suggestsLabels()) {
    return tr("This needs a network: the tab Learn lets one look at the images");
  }
  if (!analysis || !analysis->model) {
    return tr("The network of this run is not open; open it and press Compute first");
  }
  return analysis->model->audit().head.found
             ? QString()
             : tr("The network has no last layer whose inputs could be compared: %1")
                   .arg(QString::fromStdString(analysis->model->audit().head.reason));
}

int QueueFeatures::seconds() const {
  const auto& timings = reviewer_.analysis()->in().run->meta.timings;
  const auto total = timings.find("total");
  return total == timings.end() ? -1 : std::max(1, static_cast<int>(std::ceil(total->second)));
}

QString QueueFeatures::price() const {
  if (!reviewer_.analysis() || reviewer_.reviewQueue().hasFeatures()) {
    return {};
  }
  return seconds() < 0 ? tr("needs a look at all images first")
                       : tr("needs a look at all images first: about %1 s").arg(seconds());
}

QString QueueFeatures::shortPrice() const {
  if (price().isEmpty()) {
    return {};
  }
  return seconds() < 0 ? tr("look at all first") : tr("look at all: %1 s").arg(seconds());
}

void QueueFeatures::startFor(const std::string& key) {
  if (const QString why = obstacle(); !why.isEmpty()) {
    Q_EMIT failed(why);
    return;
  }
  const AnalysisPtr analysis = reviewer_.analysis();
  job_.restart<FeaturesPtr>(
      tr("Looking at all images"), computer_.jobSettings(),
      [analysis, batch = computer_.settings().predict.batch](RunContext& context) {
        return featuresOfRows(analysis, batch, context);
      },
      this,
      [this, analysis, key](Expected<FeaturesPtr> features) {
        if (!features) {
          if (features.error().code != ErrorCode::kCancelled) {
            Q_EMIT failed(errorText(features.error()));
          }
        } else if (analysis == reviewer_.analysis()) {
          reviewer_.reviewQueue().setFeatures(*std::move(features));
          reviewer_.reviewQueue().choose(key);
        }
        Q_EMIT changed();
      });
  Q_EMIT changed();
}

}  // namespace dubito
