// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/session/session.h"
#include "core/predict/predict.h"

class QComboBox;
class QLabel;

namespace dubito {

/// Choosers for the datasets that a method is fitted and calibrated on. Datasets with the matching
/// role are listed first; the evaluated dataset and OOD datasets are not offered.
class MethodDataForm : public QWidget {
  Q_OBJECT
 public:
  /// `session` outlives the form.
  explicit MethodDataForm(Session& session, QWidget* parent = nullptr);

  /// Shows a chooser for each dataset that a method requires; hides the form if it requires none.
  /// Emits nothing.
  void setNeeds(const MethodNeeds& needs);

  /// The chosen datasets; null if not required or not available.
  [[nodiscard]] DatasetPtr fit() const { return chosenIn(fit_); }
  [[nodiscard]] DatasetPtr calibration() const { return chosenIn(calibration_); }
  /// The required dataset that is missing and what to do; empty if none is missing.
  [[nodiscard]] QString problem() const;

 Q_SIGNALS:
  void edited();

 private:
  struct Chooser {
    Role role = Role::kTrain;
    QLabel* label = nullptr;
    QComboBox* box = nullptr;
    bool needed = false;
    std::vector<DatasetPtr> offered;
  };

  Chooser makeChooser(Role role, const QString& text, const char* name);
  void fill(Chooser& chooser);
  void refresh();
  [[nodiscard]] static DatasetPtr chosenIn(const Chooser& chooser);

  Session& session_;
  Chooser fit_;
  Chooser calibration_;
};

}  // namespace dubito
