// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include "app/labs/lab_points.h"
#include "core/labs/classification/classification_kind.h"

namespace dubito {

/// Chooses the points of the classification laboratory, the class of new ones, and the options of
/// data and maps.
class LabClassificationData : public LabPointsOf<ClassificationKind> {
 public:
  LabClassificationData(WorkerThread& worker, ClassificationLabOptions& options, QWidget* parent);

  /// Shows that the points were drawn by hand, and which classes they have.
  void showOwnPoints(const ClassData& points) override;
  /// The class of new points.
  [[nodiscard]] std::int64_t chosenClass() const { return classes_->currentIndex(); }

 protected:
  void startReading(const std::string& specification, std::uint64_t seed, bool is_pasted) override;

 private:
  void showClasses(const ClassData& points);
  void enableOptions();

  QComboBox* classes_;
};

}  // namespace dubito
