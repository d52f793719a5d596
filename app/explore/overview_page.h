// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "app/page/page.h"
#include "app/session/session.h"
#include "widgets/item_view_values.h"

class QStackedLayout;
class QStackedWidget;

namespace dubito {

class Brushing;
class Card;
class CardRows;
class ConventionsView;
class FileOpener;
class HistogramPlot;
class ImageGallery;
class MetricTable;
class RankingCard;
class ReliabilityCard;
class RunComputer;
class RunEvaluator;
class StartPage;
class ThumbnailLoader;
class WindowJobs;

/// First page: the uncertainty and the calibration of the model, and how well its uncertainty
/// separates correct from misclassified items and in-distribution from OOD items. Shows plots,
/// metrics and images. Every plot can select items.
class OverviewPage : public Page {
  Q_OBJECT
 public:
  /// What the page uses; all outlive it.
  struct Parts {
    Session& session;
    WindowJobs& jobs;
    RunComputer& computer;
    FileOpener& opener;
    RunEvaluator& evaluator;
    Brushing& brushing;
    ThumbnailLoader& thumbnails;
  };
  /// The parts outlive the page.
  explicit OverviewPage(const Parts& parts, QWidget* parent = nullptr);

  /// The page shown while no run is open.
  [[nodiscard]] StartPage& startPage() { return *start_; }

 Q_SIGNALS:
  // Requests from the start page.
  void openRequested();
  void computeRequested();
  /// An image was double-clicked; asks the window to enlarge it.
  void imagesRequested();

 private:
  struct ScoreCard {
    Card* card = nullptr;
    HistogramPlot* plot = nullptr;
  };
  Card* addCard(const QString& title, const char* name, QWidget* content);
  Card* addHistogram(Measure measure, const QString& title, const char* name);
  void addSecondRow(CardRows& rows);
  void addThirdRow(CardRows& rows);
  void showState();
  void showAnalysis();
  /// Shows plots of a sample until the analysis of all items is there.
  void showSample();
  void showHistograms();
  /// `sample_of`: as for withSample().
  void showHistogramsOf(const Analysis& analysis, std::int64_t sample_of);
  void showTableCaption();
  void showSelection();
  void showSelected();
  void showTable();
  void showThresholds();

  Parts parts_;
  Session& session_;
  QStackedLayout* stack_;
  StartPage* start_;
  std::map<Measure, ScoreCard> histograms_;
  ReliabilityCard* reliability_;
  std::vector<RankingCard*> rankings_;
  Card* table_card_;
  QStackedWidget* tables_;
  MetricTable* table_;
  std::vector<MetricTableRow> rows_of_run_;  ///< table rows for all items
  ConventionsView* conventions_;
  Card* gallery_card_;
  QStackedWidget* items_;  ///< the gallery, or the table if there are no images
  ImageGallery* gallery_;
};

}  // namespace dubito
