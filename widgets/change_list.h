// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

namespace dubito {

/// A number before and after a change, as text with units.
struct Change {
  /// Whether the change is an improvement.
  enum class Verdict { kNone, kBetter, kWorse };
  QString name;
  QString before;
  QString now;
  QString difference;  ///< with its sign
  Verdict verdict = Verdict::kNone;
  QString tooltip;          ///< full values and the definition of the number
  QString short_name = {};  ///< for a narrow list; empty: `name`
};

/// A list of numbers before and after a change, with their differences and whether they improved.
/// If the list is narrow, the old values are shown only in the tooltips, or the differences
/// (setKeepsBefore()).
class ChangeList : public QWidget {
  Q_OBJECT
 public:
  explicit ChangeList(QWidget* parent = nullptr);

  void setChanges(std::vector<Change> changes);
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  /// Whether a narrow list leaves out the differences instead of the old values.
  void setKeepsBefore(bool keeps);
  /// So narrow that the columns adapt before they are cut.
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  static constexpr int kColumns = 5;
  QLabel* addLabel(int row, int column);
  /// Adapts the list to its width: a narrow list uses short names, symbols instead of words, and no
  /// old values.
  void fitColumns();
  [[nodiscard]] bool fitsDifference() const;
  void colorVerdicts();

  std::vector<Change> changes_;
  QLabel* before_head_ = nullptr;
  QLabel* difference_head_ = nullptr;
  bool keeps_before_ = false;
  std::vector<std::vector<QLabel*>> lines_;
  QGridLayout* layout_;
};

}  // namespace dubito
