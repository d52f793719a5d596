// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/jobs/job.h"
#include "app/panels/item_runs.h"
#include "app/session/session.h"

class QComboBox;
class QLabel;
class QSettings;
class QStackedLayout;

namespace dubito {

class ClassProbabilityPlot;
class ItemPicture;
class ItemRunsTable;
class KeyValueList;
class LargeImage;
class RidgePlot;
class SimilarImages;
class SimplexPanel;

/// The chosen item at the right: its picture, its measures, and one view of why the model decides
/// so: its class probabilities or logits over the draws, the Beta marginals of its Dirichlet, three
/// classes of that on a triangle, what every other run says of the item, or the training images
/// that resemble it.
class ItemInspector : public QFrame {
  Q_OBJECT
 public:
  /// Networks run on `compute_thread`: for draws that a run did not keep, and for the features of
  /// training images. `settings` keep what is shown.
  /// All outlive the inspector.
  ItemInspector(Session& session, WorkerThread& compute_thread, QSettings& settings,
                QWidget* parent = nullptr);

  /// The picture of the item in a window of its own.
  void showLargeImage();
  /// The pictures of what is shown are there.
  [[nodiscard]] bool imageSettled() const;

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  /// In the order of the box that chooses one.
  enum class View { kProbabilities, kMarginals, kSimplex, kRuns, kSimilar };

  [[nodiscard]] QWidget* makeContent(WorkerThread& compute_thread);
  void makeChoosers(QWidget* content);
  void restoreChoices();
  [[nodiscard]] View view() const;

  void showPrimary();
  void showMeasures(const Analysis& analysis, ItemRef item);
  void showProbabilities(const AnalysisPtr& analysis, ItemRef item);
  void setDraws(const Analysis& analysis, Array<float> draws);
  void plotProbabilities();
  /// Builds the chosen view, no other: the note above it belongs to what is shown.
  void showView();
  void showMarginals(const Analysis& analysis, ItemRef item);
  void showRuns();
  void setNote(const QString& note, const QString& tooltip);

  Session& session_;
  QSettings& settings_;
  Job draws_job_;
  QStackedLayout* stack_;
  QLabel* title_ = nullptr;
  QLabel* subtitle_ = nullptr;
  ItemPicture* picture_ = nullptr;
  LargeImage* large_ = nullptr;  ///< made when it is first asked for
  KeyValueList* measures_ = nullptr;
  QComboBox* view_ = nullptr;
  QComboBox* scale_ = nullptr;         ///< of the probabilities
  QComboBox* simplex_view_ = nullptr;  ///< of the triangle
  QLabel* note_ = nullptr;
  QStackedLayout* plots_ = nullptr;
  ClassProbabilityPlot* plot_ = nullptr;
  RidgePlot* marginals_ = nullptr;
  SimplexPanel* simplex_ = nullptr;
  ItemRunsTable* runs_ = nullptr;
  SimilarImages* similar_ = nullptr;
  std::vector<ItemUnderRun> listed_runs_;  ///< as `runs_` lists them
  Array<float> draws_;                     ///< [T, K] of the item shown; empty: none, or not yet
  QString probabilities_note_;
};

}  // namespace dubito
