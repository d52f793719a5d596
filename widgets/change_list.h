// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

namespace dubito {

/// One number before and after something was changed, as texts with their units.
struct Change {
  /// What the difference means for a reader.
  enum class Sense { kNone, kBetter, kWorse };
  QString name;
  QString before;
  QString now;
  QString difference;  ///< with its sign
  Sense sense = Sense::kNone;
  QString tooltip;          ///< full values, and what the number is
  QString short_name = {};  ///< for a narrow list; empty: the name
};

/// Numbers before and now, right-aligned, with their differences and whether these are better. A
/// narrow list leaves out what was before; tooltips have it.
class ChangeList : public QWidget {
  Q_OBJECT
 public:
  explicit ChangeList(QWidget* parent = nullptr);

  void setChanges(std::vector<Change> changes);
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  static constexpr int kColumns = 5;
  QLabel* addLabel(int row, int column);
  /// A narrow list shows short names and marks in place of words, and no numbers before.
  void fitColumns();
  void paintSenses();

  std::vector<Change> changes_;
  QLabel* before_head_ = nullptr;
  std::vector<std::vector<QLabel*>> lines_;
  QGridLayout* layout_;
};

}  // namespace dubito
