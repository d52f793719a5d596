// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/job.h"
#include "app/pages/scatter_binder.h"
#include "app/session/workbench.h"
#include "core/analysis/scatter_data.h"
#include "widgets/card.h"
#include "widgets/scatter_plot.h"

class QComboBox;

namespace dubito {

/// A measure of the run shown against one of any run over the same items, or of itself. Dragging
/// selects items on all pages.
class ScatterCard : public Card {
  Q_OBJECT
 public:
  /// `workbench` outlives the card.
  explicit ScatterCard(Workbench& workbench, QWidget* parent = nullptr);
  ~ScatterCard() override;

  /// Chooses the run of the y axis.
  void setOtherRun(const AnalysisPtr& run);
  /// The data drawn; null before the first join.
  [[nodiscard]] const ScatterDataPtr& joined() const { return joined_; }

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void fillChoosers();
  void fillMeasures(QComboBox& box, const AnalysisPtr& run, Measure wanted);
  [[nodiscard]] AnalysisPtr otherRun() const;
  void join();
  void take(const ScatterDataPtr& joined);
  void showCaption();

  Session& session_;
  WorkerThread thread_;  ///< outlives its jobs; brushing does not wait for file reads
  Job join_job_;
  ScatterPlot* plot_;
  std::unique_ptr<ScatterBinder> binder_;
  QComboBox* x_;
  QComboBox* y_;
  QComboBox* run_;
  bool filling_ = false;
  /// Choices made by the user.
  std::optional<Measure> chosen_x_;
  std::optional<Measure> chosen_y_;
  std::weak_ptr<const Analysis> chosen_run_;  ///< empty: the closest run that fits
  ScatterRequest asked_;
  ScatterDataPtr joined_;
  QString x_name_;
};

}  // namespace dubito
