// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "core/network/neighbours/feature_index.h"

namespace dubito {

class Reviewer;
class RunComputer;
class WindowJobs;

/// Finds the items that a person has given a class and that resemble an item under review, by the
/// network's features. The network runs once over the dataset: on request, or by itself if that
/// takes a moment. GUI thread only.
class DecidedNeighbours : public QObject {
  Q_OBJECT
 public:
  static constexpr std::int64_t kCount = 5;  ///< items found

  /// Both must outlive this.
  DecidedNeighbours(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                    QObject* parent = nullptr);

  enum class State { kUnavailable, kNotStarted, kIndexing, kReady };
  [[nodiscard]] State state() const;
  /// Why the features could not be computed; empty if they were not tried or are there.
  [[nodiscard]] const QString& failure() const { return failure_; }
  [[nodiscard]] bool busy() const;
  /// Takes the newest decisions into account, also those that are being announced right now.
  void readNewest();
  /// Whether somebody has decided an item yet.
  [[nodiscard]] bool hasDecided() const { return decided_count_ > 0; }

  /// Computes the features.
  void start();
  /// start(), if the run shows that it takes a moment only.
  void startIfQuick();
  void cancel() { index_job_.cancel(); }
  /// Emits found() if the features are ready.
  void search(std::int64_t row);

 Q_SIGNALS:
  void stateChanged();
  /// In percent.
  void progressed(int percent);
  /// Decided items that resemble the one at `row` of the run, the most similar first.
  void found(std::int64_t row, const std::vector<std::int64_t>& neighbours);

 private:
  /// Features of the items, and where those of an item are.
  struct Table {
    FeatureIndexPtr index;
    std::unordered_map<std::int64_t, std::int64_t> row_of_item;
  };
  [[nodiscard]] bool fits(const FeatureIndexPtr& index) const;
  void countDecided();
  void updateDecided(const std::vector<std::int64_t>& items);
  void setDecided(std::int64_t item);

  Reviewer& reviewer_;
  WindowJobs& jobs_;
  RunComputer& computer_;
  WorkerThread thread_;  ///< outlives the job
  Job index_job_;        ///< on the thread of torch
  NewestJob search_job_;
  std::shared_ptr<const Table> table_;
  std::vector<std::uint8_t> decided_;  ///< 1 or 0, by row of the table
  std::int64_t decided_count_ = 0;
  QString failure_;
  ModelPtr failed_model_;
};

}  // namespace dubito
