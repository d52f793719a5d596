// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/newest_job.h"
#include "app/session/session.h"
#include "core/network/neighbours/feature_index.h"

class QProgressBar;
class QPushButton;

namespace dubito {

class MessageOrGallery;

/// The training images whose features are most similar to those of an item. The features of the
/// training set are computed once per network, when the user requests it.
class SimilarImages : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::int64_t kCount = 8;  ///< number of images shown

  /// Both outlive the widget; the network runs on `compute_thread`.
  SimilarImages(Session& session, WorkerThread& compute_thread, QWidget* parent = nullptr);

  void setItem(const AnalysisPtr& analysis, ItemRef item);
  /// One line that describes the images shown, and its tooltip.
  [[nodiscard]] QString note() const { return note_; }
  [[nodiscard]] QString noteDetails() const;
  /// True while a search is running or a picture is being loaded.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  void noteChanged();

 private:
  [[nodiscard]] DatasetPtr trainingSet() const;
  /// Why images cannot be compared and what to open; empty if they can be compared.
  [[nodiscard]] QString missing() const;
  /// True if the index was computed for the item's network and the open training set.
  [[nodiscard]] bool hasIndex() const;
  void showState();
  void startIndexing();
  void setIndex(FeatureIndexPtr index);
  void startSearch();
  void showNeighbours(const std::vector<Neighbour>& neighbours);
  void showMessage(const QString& text, bool can_index);
  void setNote(const QString& note);

  Session& session_;
  Job index_job_;
  NewestJob query_;
  AnalysisPtr analysis_;
  std::optional<ItemRef> item_;
  FeatureIndexPtr index_;
  QString note_;
  QString failure_;  ///< why indexing last failed
  MessageOrGallery* view_;
  QPushButton* start_;
  QProgressBar* progress_;
  QPushButton* cancel_;
};

}  // namespace dubito
