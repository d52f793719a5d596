// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/explore/plane/scatter_binder.h"
#include "app/jobs/job.h"
#include "app/session/session.h"
#include "core/analysis/scatter_data.h"
#include "widgets/card.h"
#include "widgets/scatter_plot.h"

class QComboBox;

namespace dubito {

/// Scatter plot of two measures: x from the displayed run, y from the same run or another run on
/// the same items. Dragging selects items on all pages.
class ScatterCard : public Card {
  Q_OBJECT
 public:
  /// `session` outlives the card.
  explicit ScatterCard(Session& session, QWidget* parent = nullptr);
  ~ScatterCard() override;

  /// Chooses the run of the y axis.
  void setOtherRun(const AnalysisPtr& run);
  /// The items drawn, joined from both runs; null if none have been joined yet.
  [[nodiscard]] const ScatterDataPtr& joined() const { return joined_; }

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void fillChoosers();
  void fillMeasures(QComboBox& box, const AnalysisPtr& run, Measure wanted);
  [[nodiscard]] AnalysisPtr otherRun() const;
  void join();
  void setData(const ScatterDataPtr& joined);
  void showCaption();

  Session& session_;
  /// Separate, so that brushing does not wait for file reads. Outlives its jobs.
  WorkerThread thread_;
  Job join_job_;
  ScatterPlot* plot_;
  std::unique_ptr<ScatterBinder> binder_;
  QComboBox* x_;
  QComboBox* y_;
  QComboBox* run_;
  bool filling_ = false;
  // Choices made by the user; empty: defaults.
  std::optional<Measure> chosen_x_;
  std::optional<Measure> chosen_y_;
  /// Empty: another method on the same items, else another seed, else the displayed run.
  std::weak_ptr<const Analysis> chosen_run_;
  ScatterRequest requested_;
  ScatterDataPtr joined_;
  QString x_name_;
};

}  // namespace dubito
