// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/change_list.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kFullWidth = 75 * kGrid;
/// Below this, long names would wrap to three lines and more, and verdicts are signs.
constexpr int kLongNamesWidth = 110 * kGrid;
/// A name wraps to this width.
constexpr int kNarrowestName = 18 * kGrid;

QString verdictText(Change::Verdict verdict, bool in_words) {
  switch (verdict) {
    case Change::Verdict::kBetter:
      return in_words ? ChangeList::tr("better") : QString(QChar(0x2713));
    case Change::Verdict::kWorse:
      return in_words ? ChangeList::tr("worse") : QString(QChar(0x2717));
    case Change::Verdict::kNone:
      break;
  }
  return {};
}

}  // namespace

ChangeList::ChangeList(QWidget* parent) : QWidget(parent), layout_(new QGridLayout(this)) {
  setObjectName(QStringLiteral("changeList"));
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSizeConstraint(QLayout::SetNoConstraint);
  layout_->setHorizontalSpacing(3 * kGrid);
  layout_->setVerticalSpacing(kGrid);
  layout_->setColumnStretch(0, 1);
  const QString heads[kColumns] = {{}, tr("before"), tr("after"), tr("change"), {}};
  for (int column = 0; column < kColumns; ++column) {
    QLabel* const head = addLabel(0, column);
    head->setProperty("role", "muted");
    head->setText(heads[column]);
    if (column == 1) {
      before_head_ = head;
    } else if (column == 3) {
      difference_head_ = head;
    }
  }
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &ChangeList::colorVerdicts);
}

QLabel* ChangeList::addLabel(int row, int column) {
  auto* const label = new QLabel(this);
  label->setTextFormat(Qt::PlainText);
  label->setFont(uiFont(TypeSize::kSmall));
  if (column > 0 && column < kColumns - 1) {
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
  layout_->addWidget(label, row, column);
  return label;
}

void ChangeList::setChanges(std::vector<Change> changes) {
  changes_ = std::move(changes);
  while (lines_.size() > changes_.size()) {
    for (QLabel* const label : lines_.back()) {
      delete label;
    }
    lines_.pop_back();
  }
  while (lines_.size() < changes_.size()) {
    const int row = static_cast<int>(lines_.size()) + 1;
    std::vector<QLabel*> line;
    line.reserve(kColumns);
    for (int column = 0; column < kColumns; ++column) {
      line.push_back(addLabel(row, column));
    }
    line[0]->setProperty("role", "muted");
    // Long names differ at the end: a narrow card wraps them.
    line[0]->setWordWrap(true);
    line[1]->setProperty("role", "muted");
    lines_.push_back(std::move(line));
    layout_->setRowStretch(row, 0);
    layout_->setRowStretch(row + 1, 1);
  }
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    lines_[i][1]->setText(change.before);
    lines_[i][2]->setText(change.now);
    lines_[i][3]->setText(change.difference);
    for (QLabel* const label : lines_[i]) {
      label->setToolTip(change.tooltip);
    }
    lines_[i][2]->setAccessibleName(QStringLiteral("%1 %2").arg(change.name, change.now));
  }
  fitColumns();
  colorVerdicts();
}

void ChangeList::setKeepsBefore(bool keeps) {
  keeps_before_ = keeps;
  fitColumns();
}

QSize ChangeList::minimumSizeHint() const {
  return {2 * kNarrowestName, layout_->minimumSize().height()};
}

bool ChangeList::fitsDifference() const {
  int used = kNarrowestName;
  for (int column = 1; column < kColumns; ++column) {
    int widest = 0;
    for (const std::vector<QLabel*>& line : lines_) {
      const QLabel& label = *line[static_cast<std::size_t>(column)];
      widest = std::max(widest, label.fontMetrics().horizontalAdvance(label.text()));
    }
    used += widest + 2 * kGrid;
  }
  return used <= width();
}

void ChangeList::fitColumns() {
  const bool has_room = width() >= kFullWidth;
  layout_->setHorizontalSpacing((has_room ? 3 : 2) * kGrid);
  const bool has_before = has_room || keeps_before_;
  before_head_->setVisible(has_before);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Change& change = changes_[i];
    const bool shortens = width() < kLongNamesWidth && !change.short_name.isEmpty();
    lines_[i][0]->setText(shortens ? change.short_name : change.name);
    lines_[i][1]->setVisible(has_before);
    lines_[i][4]->setText(verdictText(change.verdict, width() >= kLongNamesWidth));
  }
  const bool has_difference = has_room || !keeps_before_ || fitsDifference();
  difference_head_->setVisible(has_difference);
  for (const std::vector<QLabel*>& line : lines_) {
    line[3]->setVisible(has_difference);
  }
}

void ChangeList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitColumns();
}

void ChangeList::colorVerdicts() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Theme& theme = currentTheme();
    const Change::Verdict verdict = changes_[i].verdict;
    const QColor color = verdict == Change::Verdict::kBetter  ? theme.correct
                         : verdict == Change::Verdict::kWorse ? theme.misclassified
                                                              : theme.muted;
    for (QLabel* const label : {lines_[i][3], lines_[i][4]}) {
      label->setStyleSheet(QStringLiteral("color: %1;").arg(color.name()));
    }
  }
}

}  // namespace dubito
