// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/jobs/newest_job.h"
#include "core/models/model.h"
#include "core/train/drop_rate_trace.h"

namespace dubito {

/// How a network that was trained earlier has learned its drop rates, from its file. GUI thread
/// only.
class EarlierDropRates : public QObject {
  Q_OBJECT
 public:
  /// Files are read on `worker`, which must outlive this.
  explicit EarlierDropRates(WorkerThread& worker, QObject* parent = nullptr);

  /// Reads the file of `model`, which may be null, unless it has been read.
  void setModel(const ModelPtr& model);
  /// Empty if the rates of the model were not learned, and until its file is read.
  [[nodiscard]] const DropRateCourse& course() const { return course_; }

 Q_SIGNALS:
  /// course() is that of another model.
  void changed();
  void failed(const QString& message);

 private:
  NewestJob job_;
  ModelPtr model_;
  DropRateCourse course_;
};

}  // namespace dubito
