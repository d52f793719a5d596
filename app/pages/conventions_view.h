// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/job.h"
#include "app/session/workbench.h"
#include "core/metrics/conventions.h"
#include "widgets/convention_table.h"

namespace dubito {

/// Rows for display: fractions become percentages.
[[nodiscard]] std::vector<ConventionTableRow> conventionRows(
    const std::vector<ConventionRow>& conventions);

/// The conventions table of the run shown, computed when it becomes visible.
class ConventionsView : public ConventionTable {
  Q_OBJECT
 public:
  /// `workbench` outlives the view.
  explicit ConventionsView(Workbench& workbench, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void compute();

  Workbench& workbench_;
  Job job_;
  AnalysisPtr computed_;
};

}  // namespace dubito
