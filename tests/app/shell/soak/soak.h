// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/shell/main_window.h"
#include "app/workbench/workbench.h"
#include "core/labs/catalogue/laboratories.h"
#include "tests/support/gui_test.h"
#include "tests/support/temp_dir.h"

class QWidget;

namespace dubito {
class Card;
class CardRows;
class LabView;
}  // namespace dubito

namespace dubito::test {

/// One thing that a person does; `choice` decides between what is possible at that moment.
struct SoakAction {
  std::string kind;
  std::uint64_t choice = 0;
};

/// A window of its own and all that can be done with it.
class Soak {
 public:
  /// `files` has the runs "run0.npz" to "run2.npz" and outlives the soak.
  explicit Soak(const TempDir& files);
  ~Soak();

  [[nodiscard]] std::vector<std::string> kinds() const;
  void perform(const SoakAction& action);
  /// Everything that actions change, as text.
  [[nodiscard]] std::string state() const;

 private:
  [[nodiscard]] Session& session() const { return window_->session(); }
  template <class T>
  T& part(const char* name) const {
    return partOf<T>(*window_, name);
  }
  static double fraction(std::uint64_t choice) {
    return static_cast<double>(choice % 1000) / 1000.0;
  }
  /// Waits until nothing works any more.
  void settle();

  void addFileActions();
  void open(const std::string& specification, bool ood = false);
  /// Closes the oldest while there are more than `max_count`, so that a long soak does not grow.
  void keepAtMost(std::size_t max_count);
  [[nodiscard]] static ComputeSettings quickSettings(std::uint64_t choice);

  void addSelectionActions();

  void addWindowActions();
  Card* anyCard(std::uint64_t choice, CardRows*& rows) const;

  void addReviewActions();
  /// Shows the Review page with an item that can be decided; false if nothing can be reviewed.
  bool startReview();
  void pressInReview(Qt::Key key);

  void addLabelActions();
  /// Opens labels of another program, which are written on the first call.
  bool openLabels(std::uint64_t choice);
  /// Shows an image of such labels, of those under review if there are any; false if none can be.
  bool startLabels(std::uint64_t choice);

  void addTrainActions();
  /// Starts to train a small head, if there is anything to train it on.
  bool startTraining(std::uint64_t choice, std::int64_t epochs);

  void addStudyActions();

  void addLabActions();
  LabView& showLab(Laboratory laboratory);
  /// Uses a control of the laboratory shown as a person would: a button, a list, a slider, a field.
  void useLabControl(std::uint64_t choice);
  /// Chains would go on for a minute.
  void pauseLab();

  const TempDir& files_;
  TempDir dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;
  std::map<std::string, std::string> labels_written_;  ///< label file by format
  int exports_ = 0;
  std::map<std::string, std::function<void(std::uint64_t)>> actions_;
};

}  // namespace dubito::test
