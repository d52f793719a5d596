// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/session/session.h"
#include "core/inference/runs/predict.h"

class QComboBox;
class QLabel;

namespace dubito {

/// Chooses the datasets that a method is fitted on: matching roles first, never the evaluated
/// dataset or an OOD set.
class MethodDataForm : public QWidget {
  Q_OBJECT
 public:
  /// `session` outlives the form.
  explicit MethodDataForm(Session& session, QWidget* parent = nullptr);

  /// Shows the datasets required by a method; hidden if none. Emits nothing.
  void setNeeds(const MethodNeeds& needs);

  /// The chosen datasets; null if not required or not available.
  [[nodiscard]] DatasetPtr fit() const { return chosenIn(fit_); }
  [[nodiscard]] DatasetPtr calibration() const { return chosenIn(calibration_); }
  /// What is missing and how to fix it; empty if nothing is.
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
