// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/labs/lab_set_up.h"
#include "app/train/head_trainer.h"

class QLineEdit;
class QPushButton;

namespace dubito {

class OptionsForm;

/// The column in which a person chooses what a head is trained on, how, and where it is written.
class TrainSetUp : public LabSetUp {
  Q_OBJECT
 public:
  /// All arguments must outlive this.
  TrainSetUp(Session& session, const RunComputer& computer, const RecentFiles& recent,
             QWidget* parent = nullptr);
  ~TrainSetUp() override;

  /// Why nothing can be trained now and what to do, as a sentence; empty: it can.
  [[nodiscard]] QString obstacle() const;
  /// The chosen settings. There must be no obstacle().
  [[nodiscard]] HeadRequest request() const;

  /// The chosen network; null if none is open.
  [[nodiscard]] ModelPtr backbone() const;
  [[nodiscard]] const HeadOptions& options() const { return options_; }
  void setOptions(const HeadOptions& options);
  /// The file that the next head is written to.
  [[nodiscard]] const QString& path() const { return path_; }
  void setPath(const QString& path);
  /// After a head was written: the next one gets another file.
  void takeFreshPath();
  /// The next question for a file gets this answer without a dialog.
  void setNextFileName(const QString& name) { next_file_name_ = name; }
  /// Nothing can be changed while a head is being trained.
  void setLocked(bool locked);

 Q_SIGNALS:
  /// obstacle() or request() changed.
  void changed();

 private:
  void addOutput();
  void reload();
  void showOptions();
  void suggestPath();
  void askForPath();
  [[nodiscard]] DatasetPtr dataset() const;
  /// Where a head of the chosen backbone is suggested to be written.
  [[nodiscard]] QString suggestedFolder() const;

  Session& session_;
  const RunComputer& computer_;
  const RecentFiles& recent_;
  HeadOptions options_;
  std::int64_t seed_ = 0;
  std::vector<ModelPtr> models_;      ///< as listed
  std::vector<DatasetPtr> datasets_;  ///< as listed
  QString path_;
  bool dataset_was_chosen_ = false;  ///< by the user, rather than suggested, like the path
  bool path_was_chosen_ = false;
  QString next_file_name_;

  QComboBox* backbones_;
  QComboBox* data_;
  OptionsForm* form_;
  QLineEdit* output_;
  QPushButton* choose_;
};

}  // namespace dubito
