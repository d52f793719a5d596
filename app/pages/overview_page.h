// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "app/session/workbench.h"
#include "widgets/item_view_values.h"

class QStackedLayout;
class QStackedWidget;

namespace dubito {

class Card;
class CardRows;
class ConventionsView;
class CurvePlot;
struct CurvePlotValue;
class DropTarget;
class HistogramPlot;
class ImageGallery;
class MetricTable;
class PlotBase;
class ReliabilityForm;
class ReliabilityPlot;
class ThumbnailLoader;

/// The first page: how uncertain the model is, how well calibrated, how well its uncertainty tells
/// right from wrong and known from unknown, in numbers and in images. Every plot selects.
class OverviewPage : public QWidget {
  Q_OBJECT
 public:
  /// Both outlive the page.
  OverviewPage(Workbench& workbench, ThumbnailLoader& loader, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// From the empty page: something is to be opened, computed, or shown.
  void openRequested();
  void computeRequested();
  void demoRequested();
  void pathsDropped(const QStringList& paths);
  /// An image was opened (double click): show it larger.
  void imagesRequested();
  /// A plot could not be saved.
  void failed(const QString& message);

 private:
  struct ScoreCard {
    Card* card = nullptr;
    HistogramPlot* plot = nullptr;
  };
  Card* addCard(const QString& title, const char* name, QWidget* content);
  Card* addHistogram(Measure measure, const QString& title, const char* name);
  void addSecondRow(CardRows& rows);
  void addThirdRow(CardRows& rows, ThumbnailLoader& loader);
  void showState();
  void showAnalysis();
  void showReliability();
  /// The selected bin, where it is one of the diagram shown.
  [[nodiscard]] std::optional<int> markedBin() const;
  void askForReliability(const QPoint& position);
  void showHistograms();
  void showCurves();
  void showThirdCurve();
  void drawCurves();
  /// Selects what is kept at point `point` of curve `curve`, numbers in what is drawn.
  void selectUpTo(RankingCurve kind, const CurvePlotValue& drawn, int curve, int point);
  void showTableCaption();
  void showSelection();
  void showSelected();
  void showTable();
  void showOperatingPoint();
  void showThresholds();
  void setCaptions(Card& card, PlotBase& plot, const QString& convention);

  Workbench& workbench_;
  Session& session_;
  QStackedLayout* stack_;
  DropTarget* empty_;
  std::map<Measure, ScoreCard> histograms_;
  Card* reliability_card_;
  ReliabilityPlot* reliability_;
  ReliabilityForm* reliability_form_;
  Card* roc_card_;
  CurvePlot* roc_;
  Card* precision_recall_card_;
  CurvePlot* precision_recall_;
  bool shows_rejection_ = false;  ///< in the place of precision-recall
  Card* table_card_;
  QStackedWidget* tables_;
  MetricTable* table_;
  std::vector<MetricTableRow> rows_of_run_;  ///< what the table says of all items
  ConventionsView* conventions_;
  Card* gallery_card_;
  ImageGallery* gallery_;
};

}  // namespace dubito
