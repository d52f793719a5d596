// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/session.h"
#include "core/data/sources/hold_out.h"
#include "core/predict/predict.h"

class QComboBox;
class QLabel;
class QSpinBox;

namespace dubito {

/// Choosers for the datasets that a method is fitted and calibrated on. Datasets with the matching
/// role are listed first; the evaluated dataset and OOD datasets are not offered. Others can be
/// opened here, and for the calibration a part of the evaluated dataset can be held out.
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
  [[nodiscard]] DatasetPtr calibration() const {
    return held_out_ ? held_out_->calibration : chosenIn(calibration_);
  }
  /// Set if calibration() is a part of the evaluated dataset.
  [[nodiscard]] const std::optional<HeldOut>& heldOut() const { return held_out_; }
  /// The required dataset that is missing and what to do; empty if none is missing.
  [[nodiscard]] QString problem() const;

 Q_SIGNALS:
  void edited();
  /// Asks for a dataset to open with that role: a file, or a folder of images.
  void openRequested(dubito::Role role, bool folder);

 private:
  struct Chooser {
    Role role = Role::kTrain;
    QLabel* label = nullptr;
    QWidget* row = nullptr;  ///< box, and a button that opens a dataset
    QComboBox* box = nullptr;
    bool needed = false;
    bool awaits = false;  ///< a dataset was requested and is chosen once it is open
    std::vector<DatasetPtr> offered = {};  ///< the entry after them holds items out
  };

  Chooser makeChooser(Role role, const QString& text, const char* name);
  void addOpenButton(Chooser& chooser, const char* name);
  void addHoldOut();
  void fill(Chooser& chooser);
  /// Whether the entry that holds out items is chosen.
  [[nodiscard]] bool holdsOut() const;
  void splitEvaluated();
  void refresh();
  [[nodiscard]] static DatasetPtr chosenIn(const Chooser& chooser);

  Session& session_;
  Chooser fit_;
  Chooser calibration_;
  QWidget* hold_out_row_;
  QSpinBox* count_;
  QLabel* rest_;
  std::weak_ptr<const Dataset> counted_;  ///< the dataset for which a count was suggested
  std::optional<HeldOut> held_out_;
};

}  // namespace dubito
