// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/brushing.h"

namespace dubito {

Brushing::Brushing(Session& session, int threads, QObject* parent)
    : QObject(parent),
      session_(session),
      threads_(threads),
      selection_job_(thread_),
      operating_job_(thread_) {
  connect(&session_, &Session::queryChanged, this, [this] { summarise(session_.query()); });
  connect(&session_, &Session::thresholdChanged, this, &Brushing::findOperatingPoint);
  connect(&session_, &Session::activeAnalysisChanged, this, &Brushing::findOperatingPoint);
}

void Brushing::previewRange(Measure measure, Interval range) {
  summarise(session_.rangeQuery(measure, range));
}

void Brushing::summarise(const ItemQuery& query) {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis || !hasSelection(query)) {
    selection_job_.abandon();
    session_.setSelectionOverview(nullptr);
    return;
  }
  JobSettings settings;
  settings.threads = threads_;
  selection_job_.ask<SelectionOverviewPtr>(
      tr("Selecting"), settings,
      [analysis, query](RunContext& context) {
        return overviewOfSelection(*analysis, query, context);
      },
      this,
      [this, analysis](const Expected<SelectionOverviewPtr>& overview) {
        if (overview && analysis == session_.activeAnalysis()) {
          session_.setSelectionOverview(*overview);
        }
      });
}

void Brushing::findOperatingPoint() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const Measure measure = session_.thresholdMeasure();
  const std::optional<double> threshold = session_.threshold(measure);
  if (!analysis || !threshold) {
    operating_job_.abandon();
    session_.setOperatingPoint(std::nullopt);
    return;
  }
  operating_job_.ask<std::optional<OperatingPoint>>(
      tr("Threshold"), {},
      [analysis, measure, at = *threshold](RunContext&) -> Expected<std::optional<OperatingPoint>> {
        return operatingPoint(*analysis, measure, at);
      },
      this,
      [this, analysis](const Expected<std::optional<OperatingPoint>>& point) {
        if (point && analysis == session_.activeAnalysis()) {
          session_.setOperatingPoint(*point);
        }
      });
}

}  // namespace dubito
