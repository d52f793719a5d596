// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "app/jobs/job.h"
#include "app/review/reviewer.h"

namespace dubito {

class RunComputer;
class WindowJobs;

/// Features of the items under review, for queues that need them: the inputs of the network's last
/// layer, for which the network looks at all images once. They are kept for later
/// (backboneFeatures). GUI thread only.
class QueueFeatures : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  QueueFeatures(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
                QObject* parent = nullptr);

  /// Why the features of the run under review cannot be computed; empty: they can.
  [[nodiscard]] QString obstacle() const;
  /// Cost of a queue that needs features: "needs a look at all images first: about 12 s"; empty
  /// if the features are there.
  [[nodiscard]] QString price() const;
  /// The same for a list: "look at all: 12 s".
  [[nodiscard]] QString shortPrice() const;
  [[nodiscard]] bool busy() const { return isActive(job_.state()); }

 Q_SIGNALS:
  /// busy() or price() changed.
  void changed();
  void failed(const QString& message);

 private:
  /// Computes the features, then chooses the queue.
  void startFor(const std::string& key);
  /// At most, as the run took; -1: unknown.
  [[nodiscard]] int seconds() const;

  Reviewer& reviewer_;
  WindowJobs& jobs_;
  RunComputer& computer_;
  Job job_;  ///< on the thread of torch
};

}  // namespace dubito
