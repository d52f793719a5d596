// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/earlier_drop_rates.h"

#include "app/session/error_text.h"
#include "core/train/drop_rate_course.h"

namespace dubito {

EarlierDropRates::EarlierDropRates(WorkerThread& worker, QObject* parent)
    : QObject(parent), job_(worker) {}

void EarlierDropRates::setModel(const ModelPtr& model) {
  if (model == model_) {
    return;
  }
  job_.abandon();
  model_ = model;
  course_.clear();
  Q_EMIT changed();
  if (!model) {
    return;
  }
  job_.submit<DropRateCourse>(
      tr("Reading drop rates"), {},
      [path = model->path()](RunContext&) { return readDropRateCourse(path); }, this,
      [this](const Expected<DropRateCourse>& course) {
        if (course) {
          course_ = *course;
          Q_EMIT changed();
        } else if (course.error().code != ErrorCode::kCancelled) {
          Q_EMIT failed(errorText(course.error()));
        }
      });
}

}  // namespace dubito
