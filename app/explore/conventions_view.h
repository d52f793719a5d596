// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/session/session.h"
#include "core/metrics/conventions.h"
#include "widgets/convention_table.h"

namespace dubito {

/// Formats the rows for display, with fractions as percentages.
[[nodiscard]] std::vector<ConventionTableRow> conventionRows(
    const std::vector<ConventionRow>& conventions);

/// The metrics, under the conventions of several tools, of the run shown. Computed when the view
/// becomes visible.
class ConventionsView : public ConventionTable {
  Q_OBJECT
 public:
  /// Both arguments outlive the view.
  ConventionsView(Session& session, WindowJobs& jobs, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void compute();

  Session& session_;
  WindowJobs& jobs_;
  Job job_;
  AnalysisPtr computed_;  ///< run whose table is shown or being computed
};

}  // namespace dubito
