// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/glossary_dialog.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/theme.h"
#include "widgets/theme_follower.h"

namespace dubito {
namespace {

constexpr int kTopicRole = Qt::UserRole;

QString line(const QString& name, const QString& value) {
  return QStringLiteral("<tr><td style=\"color:%1; padding-right:12px;\">%2</td><td>%3</td></tr>")
      .arg(currentTheme().muted.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString asHtml(const GlossaryEntry& entry) {
  const bool has_symbol = entry.symbol.compare(entry.name, Qt::CaseInsensitive) != 0;
  return QStringLiteral(
             "<p style=\"font-size:%1pt; font-weight:bold;\">%2%3</p><p "
             "style=\"margin-bottom:8px;\">%4</p>")
             .arg(static_cast<int>(TypeSize::kTitle))
             .arg(entry.name.toHtmlEscaped(),
                  has_symbol ? QStringLiteral(" <span style=\"font-weight:normal; color:%1;\">%2"
                                              "</span>")
                                   .arg(currentTheme().muted.name(), entry.symbol.toHtmlEscaped())
                             : QString(),
                  entry.meaning.toHtmlEscaped()) +
         QStringLiteral("<table cellpadding=\"2\">") +
         line(GlossaryDialog::tr("Formula"), entry.formula) +
         line(GlossaryDialog::tr("Range"), entry.range) +
         line(GlossaryDialog::tr("Interpretation"), entry.direction) +
         line(GlossaryDialog::tr("Source"), entry.source) + QStringLiteral("</table>");
}

}  // namespace

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent),
      entries_(glossaryEntries()),
      filter_(new QLineEdit(this)),
      list_(new QListWidget(this)),
      text_(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("glossaryDialog"));
  setWindowTitle(tr("Glossary"));
  resize(190 * kGrid, 120 * kGrid);
  filter_->setObjectName(QStringLiteral("glossaryFilter"));
  filter_->setAccessibleName(tr("Filter"));
  filter_->setPlaceholderText(tr("Filter: ECE, epistemic, BALD…"));
  filter_->setClearButtonEnabled(true);
  filter_->installEventFilter(this);
  list_->setObjectName(QStringLiteral("glossaryList"));
  list_->setAccessibleName(tr("Measures and metrics"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideRight);
  text_->setObjectName(QStringLiteral("glossaryText"));
  text_->setAccessibleName(tr("Explanation"));
  text_->document()->setDocumentMargin(3 * kGrid);
  auto* const left = new QVBoxLayout;
  left->setSpacing(2 * kGrid);
  left->addWidget(filter_);
  left->addWidget(list_, 1);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addLayout(left, 2);
  layout->addWidget(text_, 3);
  connect(filter_, &QLineEdit::textChanged, this, &GlossaryDialog::refill);
  connect(list_, &QListWidget::currentItemChanged, this, &GlossaryDialog::showEntry);
  new ThemeFollower(*this, [this] { refill(); });
  refill();
}

void GlossaryDialog::open(const QString& topic) {
  filter_->clear();
  show();
  list_->doItemsLayout();  // rows filled before the first show lack the style's height
  choose(topic.isEmpty() ? this->topic() : topic);
  raise();
  activateWindow();
  filter_->setFocus();
}

QString GlossaryDialog::topic() const {
  const QListWidgetItem* const item = list_->currentItem();
  return item == nullptr ? QString() : item->data(kTopicRole).toString();
}

QStringList GlossaryDialog::listed() const {
  QStringList topics;
  for (int row = 0; row < list_->count(); ++row) {
    if (const QString topic = list_->item(row)->data(kTopicRole).toString(); !topic.isEmpty()) {
      topics << topic;
    }
  }
  return topics;
}

void GlossaryDialog::refill() {
  const QString before = topic();
  const std::vector<QString> found = findInGlossary(entries_, filter_->text());
  list_->clear();
  QString group;
  QString best;
  for (const GlossaryEntry& entry : entries_) {
    if (std::ranges::find(found, entry.topic) == found.end()) {
      continue;
    }
    if (entry.group != group) {
      group = entry.group;
      auto* const heading = new QListWidgetItem(group, list_);
      heading->setFlags(Qt::NoItemFlags);
      heading->setFont(uiFont(TypeSize::kSmall, true));
      heading->setForeground(currentTheme().muted);
    }
    auto* const item = new QListWidgetItem(entry.name, list_);
    item->setData(kTopicRole, entry.topic);
    item->setToolTip(entry.name);
    // If several entries match, prefer the one with that name.
    const QString typed = filter_->text().trimmed();
    if (best.isEmpty() && (entry.name.contains(typed, Qt::CaseInsensitive) ||
                           entry.symbol.contains(typed, Qt::CaseInsensitive))) {
      best = entry.topic;
    }
  }
  choose(filter_->text().isEmpty() && !before.isEmpty() ? before
         : best.isEmpty() && !found.empty()             ? found.front()
                                                        : best);
  showEntry();
}

void GlossaryDialog::choose(const QString& topic) {
  for (int row = 0; row < list_->count(); ++row) {
    if (!topic.isEmpty() && list_->item(row)->data(kTopicRole).toString() == topic) {
      list_->setCurrentRow(row);
      // Scroll to the heading too if it is the first entry.
      list_->scrollToItem(list_->item(row == 1 ? 0 : row));
    }
  }
}

void GlossaryDialog::step(int by) {
  for (int row = list_->currentRow() + by; row >= 0 && row < list_->count(); row += by) {
    if (list_->item(row)->flags().testFlag(Qt::ItemIsEnabled)) {
      list_->setCurrentRow(row);
      return;
    }
  }
}

void GlossaryDialog::showEntry() {
  const auto entry = std::ranges::find(entries_, topic(), &GlossaryEntry::topic);
  text_->setHtml(entry == entries_.end() ? tr("<p>No matching measure or metric.</p>")
                                         : asHtml(*entry));
}

bool GlossaryDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched == filter_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
      step(key == Qt::Key_Down ? 1 : -1);
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace dubito
