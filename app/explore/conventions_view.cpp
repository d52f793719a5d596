// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/conventions_view.h"

#include <cmath>

#include "app/session/error_text.h"
#include "widgets/number_text.h"

namespace dubito {

std::vector<ConventionTableRow> conventionRows(const std::vector<ConventionRow>& conventions) {
  std::vector<ConventionTableRow> rows;
  for (const ConventionRow& convention : conventions) {
    ConventionTableRow row;
    row.group = QString::fromStdString(convention.group);
    row.name = QString::fromStdString(convention.name);
    row.value = convention.value;
    row.used_by = QString::fromStdString(convention.used_by);
    row.explanation = QString::fromStdString(convention.explanation);
    if (std::isnan(convention.value)) {
      row.value_text = QStringLiteral("–");
    } else if (std::isinf(convention.value)) {
      row.value_text = QStringLiteral("∞");
    } else if (convention.is_fraction) {
      row.value_text = shareText(convention.value);
    } else {
      row.value_text = scoreText(convention.value);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

ConventionsView::ConventionsView(Session& session, WindowJobs& jobs, QWidget* parent)
    : ConventionTable(parent), session_(session), jobs_(jobs), job_(jobs.fileThread()) {
  connect(&session_, &Session::activeAnalysisChanged, this, [this] {
    if (isVisible()) {
      compute();
    }
  });
}

void ConventionsView::showEvent(QShowEvent* event) {
  ConventionTable::showEvent(event);
  compute();
}

void ConventionsView::compute() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (analysis == computed_) {
    return;
  }
  computed_ = analysis;
  setRows({});
  if (!analysis) {
    job_.abandon();
    return;
  }
  job_.restart<std::vector<ConventionRow>>(
      tr("Conventions"), jobs_.settings(),
      [analysis](RunContext& context) { return metricConventions(*analysis->in().run, context); },
      this,
      [this](const Expected<std::vector<ConventionRow>>& conventions) {
        if (conventions) {
          setRows(conventionRows(*conventions));
        } else if (conventions.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(conventions.error()));
        }
      });
}

}  // namespace dubito
