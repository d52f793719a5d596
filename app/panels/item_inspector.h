// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/jobs/job.h"
#include "app/panels/thumbnail_loader.h"
#include "app/session/session.h"

class QComboBox;
class QLabel;
class QStackedLayout;

namespace dubito {

class ClassProbabilityPlot;
class ImageView;
class KeyValueList;
class RidgePlot;

/// The chosen item at the right: its picture, its measures, its class probabilities over the draws
/// or the Beta marginals of its Dirichlet.
class ItemInspector : public QFrame {
  Q_OBJECT
 public:
  /// Draws that a run did not keep are repeated on `compute_thread`. Both outlive the inspector.
  ItemInspector(Session& session, WorkerThread& compute_thread, QWidget* parent = nullptr);

  /// The picture of the item shown is there.
  [[nodiscard]] bool imageSettled() const { return loader_.pending() == 0; }

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void showPrimary();
  void showMeasures(const Analysis& analysis, ItemRef item);
  void showDirichlet();
  void showProbabilities(const AnalysisPtr& analysis, ItemRef item);
  void setProbabilitiesNote(const QString& note);
  void setDraws(const Analysis& analysis, ItemRef item, Array<float> draws);
  void takeImage(const AnalysisPtr& analysis, qint64 key, const QImage& image);

  Session& session_;
  ThumbnailLoader loader_;
  Job draws_job_;
  QStackedLayout* stack_;
  QLabel* title_;
  QLabel* subtitle_;
  ImageView* image_;
  KeyValueList* measures_;
  QComboBox* view_;
  QLabel* plot_note_;
  QStackedLayout* plots_;
  ClassProbabilityPlot* plot_;
  RidgePlot* marginals_;
  QString probabilities_note_;
};

}  // namespace dubito
