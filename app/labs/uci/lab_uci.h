// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/labs/lab_view.h"
#include "app/labs/uci/lab_uci_values.h"

class QLabel;
class QLayout;

namespace dubito {

class CompareTable;

/// The laboratory "UCI table": finished results next to the published ones. It computes nothing;
/// the command `dubito-cli uci` does.
class LabUci : public LabView {
 public:
  explicit LabUci(const LabParts& parts, QWidget* parent = nullptr);

  void begin() override;
  [[nodiscard]] bool busy() const override { return isActive(job_.state()); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;

  /// Shows the results in a folder, or in one file. On failure, what is shown stays.
  void open(const QString& path) { load(path.toStdString()); }
  /// Shows the results that come with the program.
  void openSample() { load({}); }

 private:
  struct Loaded {
    std::string path;
    std::vector<UciResult> results;
  };
  [[nodiscard]] QLayout* buildBar();
  void buildTable();
  [[nodiscard]] QWidget* buildNotes();
  /// `path`: empty: the sample.
  void load(const std::string& path);
  void deliver(bool is_sample, const Expected<Loaded>& loaded);
  void showTable();

  Job job_;
  bool begun_ = false;
  std::string path_;  ///< of the results shown last; empty: the sample
  UciFigure figure_ = UciFigure::kRmse;
  std::vector<UciResult> results_;
  std::vector<UciSetRows> table_;

  QLabel* source_;
  QLabel* row_notes_;
  QLabel* sentence_;
  LabCard<CompareTable> view_;
};

}  // namespace dubito
