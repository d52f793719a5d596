// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QImage>
#include <QList>
#include <memory>
#include <optional>

#include "app/explore/inspector/item_runs.h"
#include "app/jobs/job.h"
#include "app/session/session.h"

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QSettings;
class QStackedLayout;

namespace dubito {

class ClassProbabilityPlot;
class ItemPicture;
class ItemRunsTable;
class KeyValueList;
class LargeImage;
class RidgePlot;
class SceneItems;
class SimilarImages;
class SimplexPanel;
class WhyPanel;

/// Shows the primary item: its picture, with the pixels that matter, its measures, and one of six
/// views: class probabilities (or logits) with their draws, Beta marginals of its Dirichlet, three
/// classes on a triangle, the same item in other runs, similar training images, or the other items
/// of its scene.
class ItemInspector : public QFrame {
  Q_OBJECT
 public:
  /// `compute_thread` runs the network to recompute draws that were not stored and to compute the
  /// features of training images. `settings` stores the display choices. All three references must
  /// outlive the inspector.
  ItemInspector(Session& session, WorkerThread& compute_thread, QSettings& settings,
                QWidget* parent = nullptr);

  /// Opens the picture of the item in a separate window.
  void showLargeImage();
  /// One action per view, which shows it; for the command palette.
  [[nodiscard]] const QList<QAction*>& viewActions() const { return view_actions_; }
  /// Shows or hides the pixels that matter for a class; does nothing while the inspector is hidden.
  void toggleWhy();
  /// True if all pictures shown are loaded and the map over them is computed.
  [[nodiscard]] bool imageSettled() const;

 Q_SIGNALS:
  void failed(const QString& message);
  /// The Gaussian over the logits of this item is to be shown in a laboratory.
  void labRequested(const dubito::AnalysisPtr& analysis, dubito::ItemRef item);

 private:
  /// The views, in the order of the view chooser.
  enum class View { kProbabilities, kMarginals, kSimplex, kRuns, kSimilar, kScene };

  [[nodiscard]] QWidget* makeContent(WorkerThread& compute_thread);
  void makeChoosers(QWidget* content);
  void makeViewActions();
  void restoreChoices();
  [[nodiscard]] View view() const;

  void showPrimary();
  void showMeasures(const Analysis& analysis, ItemRef item);
  void showProbabilities(const AnalysisPtr& analysis, ItemRef item);
  void setDraws(const Analysis& analysis, Array<float> draws);
  void plotProbabilities();
  /// Builds the selected view and the note above it; the other views stay outdated.
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
  LargeImage* large_ = nullptr;  ///< created on first use
  KeyValueList* measures_ = nullptr;
  WhyPanel* why_ = nullptr;
  std::optional<QImage> overlay_;  ///< colours of the pixels that matter; empty: they are off
  QComboBox* view_ = nullptr;
  QList<QAction*> view_actions_;
  QComboBox* scale_ = nullptr;         ///< of the class probabilities
  QPushButton* open_lab_ = nullptr;    ///< for runs with Gaussians over logits
  QComboBox* simplex_view_ = nullptr;  ///< dots or histogram on the triangle
  QLabel* note_ = nullptr;
  QStackedLayout* plots_ = nullptr;
  ClassProbabilityPlot* plot_ = nullptr;
  RidgePlot* marginals_ = nullptr;
  SimplexPanel* simplex_ = nullptr;
  ItemRunsTable* runs_ = nullptr;
  SimilarImages* similar_ = nullptr;
  SceneItems* scene_ = nullptr;
  std::vector<ItemInRun> listed_runs_;  ///< the rows of runs_
  Array<float> draws_;  ///< [T, K], of the item shown; empty if none or not yet available
  QString probabilities_note_;
};

}  // namespace dubito
