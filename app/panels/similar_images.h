// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/newest_job.h"
#include "app/panels/thumbnail_loader.h"
#include "app/session/session.h"
#include "core/inference/neighbours/feature_index.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedLayout;

namespace dubito {

class ImageGallery;

/// The training images whose features resemble those of an item most. The features of the training
/// set are computed once for a network, when the user asks for it.
class SimilarImages : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::int64_t kCount = 8;

  /// Both outlive the widget; the network runs on `compute_thread`.
  SimilarImages(Session& session, WorkerThread& compute_thread, QWidget* parent = nullptr);

  void setItem(const AnalysisPtr& analysis, ItemRef item);
  /// What is shown, in a line; its details.
  [[nodiscard]] QString note() const { return note_; }
  [[nodiscard]] QString noteDetails() const;
  /// An answer or a picture is still to come.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  void noteChanged();

 private:
  [[nodiscard]] DatasetPtr trainingSet() const;
  /// What is to be opened before images can be compared; empty: nothing.
  [[nodiscard]] QString missing() const;
  /// The index that fits the item and the training set that is open.
  [[nodiscard]] bool hasIndex() const;
  void showState();
  void startIndexing();
  void ask();
  void showNeighbours(const std::vector<Neighbour>& neighbours);
  void showMessage(const QString& text, bool can_index);
  void setNote(const QString& note);

  Session& session_;
  ThumbnailLoader loader_;
  Job index_job_;
  NewestJob query_;
  AnalysisPtr analysis_;
  std::optional<ItemRef> item_;
  FeatureIndexPtr index_;
  QString note_;
  QString failure_;  ///< why indexing failed last
  QStackedLayout* stack_;
  QLabel* message_;
  QPushButton* start_;
  QProgressBar* progress_;
  QPushButton* cancel_;
  ImageGallery* gallery_;
  QLabel* caption_;  ///< of the image that was clicked
};

}  // namespace dubito
