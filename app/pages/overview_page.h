// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "app/session/workbench.h"
#include "widgets/item_view_values.h"

class QStackedLayout;
class QStackedWidget;

namespace dubito {

class Card;
class CardRows;
class ConventionsView;
class HistogramPlot;
class ImageGallery;
class MetricTable;
class StartPage;
class ThumbnailLoader;

/// First page: how uncertain and how well calibrated the model is, and how well its uncertainty
/// separates correct from wrong and in-distribution from OOD, in numbers and images. Every plot can
/// select items.
class OverviewPage : public QWidget {
  Q_OBJECT
 public:
  /// Both outlive the page.
  OverviewPage(Workbench& workbench, ThumbnailLoader& loader, QWidget* parent = nullptr);

  /// Shown while nothing is open.
  [[nodiscard]] StartPage& startPage() { return *start_; }

 Q_SIGNALS:
  /// Requests from the empty page.
  void openRequested();
  void computeRequested();
  void pathsDropped(const QStringList& paths);
  /// An image was double-clicked: open it larger.
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
  void showHistograms();
  void showTableCaption();
  void showSelection();
  void showSelected();
  void showTable();
  void showThresholds();

  Workbench& workbench_;
  Session& session_;
  QStackedLayout* stack_;
  StartPage* start_;
  std::map<Measure, ScoreCard> histograms_;
  std::vector<Card*> square_cards_;  ///< the second row
  Card* table_card_;
  QStackedWidget* tables_;
  MetricTable* table_;
  std::vector<MetricTableRow> rows_of_run_;  ///< table rows for all items
  ConventionsView* conventions_;
  Card* gallery_card_;
  ImageGallery* gallery_;
};

}  // namespace dubito
