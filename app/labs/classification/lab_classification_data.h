// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/lab_points.h"
#include "core/labs/classification/classification_lab.h"
#include "core/labs/data/class_data.h"

class QComboBox;

namespace dubito {

class OptionsForm;

/// Chooses the points of the classification laboratory, the class of new ones, and the options of
/// data and maps.
class LabClassificationData : public LabPoints {
  Q_OBJECT
 public:
  /// `options` are edited by the form; they and `worker` must outlive this.
  LabClassificationData(WorkerThread& worker, ClassificationLabOptions& options,
                        QWidget* parent = nullptr);

  /// Shows the values of the options after they were changed elsewhere.
  void reloadOptions();
  /// Shows that the points were drawn by hand, and which classes they have.
  void showOwnPoints(const ClassData& points);
  /// The class of new points.
  [[nodiscard]] std::int64_t chosenClass() const;

 Q_SIGNALS:
  void opened(const dubito::ClassData& points);
  /// An option that concerns maps alone has changed.
  void mapsChanged();

 protected:
  void startReading(const std::string& specification, std::uint64_t seed, bool is_pasted) override;

 private:
  void showClasses(const ClassData& points);
  void enableOptions();

  ClassificationLabOptions& options_;
  QComboBox* classes_;
  OptionsForm* form_;
};

}  // namespace dubito
