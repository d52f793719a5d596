// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/settings/review_key_list.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/review/labels/class_keys.h"
#include "app/review/labels/label_file.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kCommandColumn = 0;
constexpr int kKeysColumn = 1;
constexpr int kWarningColumn = 2;

/// Both Enter keys are one.
QKeySequence withOneEnter(const QKeySequence& key) {
  if (key.count() != 1 || key[0].key() != Qt::Key_Return) {
    return key;
  }
  return QKeySequence(QKeyCombination(key[0].keyboardModifiers(), Qt::Key_Enter));
}

}  // namespace

ReviewKeyList::ReviewKeyList(ReviewKeys& keys, const LabelFile& file, const QWidget& page,
                             QWidget* parent)
    : QWidget(parent), keys_(keys), file_(file), page_(page) {
  QLayout* const top = makePresets();
  fillCommands();
  message_ = new WrappedLabel(this);
  message_->setObjectName(QStringLiteral("reviewKeyMessage"));
  message_->setTextFormat(Qt::PlainText);
  message_->setMinimumHeight(9 * kGrid);
  QLayout* const bottom = makeButtons();
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 2 * kGrid, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addLayout(top);
  layout->addWidget(list_, 1);
  layout->addWidget(message_);
  layout->addLayout(bottom);
  connect(&keys_, &ReviewKeys::changed, this, &ReviewKeyList::refresh);
  connect(&file_, &LabelFile::changed, this, &ReviewKeyList::refresh);
  refresh();
  endCapture();
}

QLayout* ReviewKeyList::makePresets() {
  preset_ = new QComboBox(this);
  preset_->setObjectName(QStringLiteral("reviewKeyPreset"));
  preset_->setAccessibleName(tr("Keys of another tool"));
  preset_->setToolTip(tr("Keys that you know from another tool, for the commands that it has"));
  for (const KeyPreset& preset : ReviewKeys::presets()) {
    preset_->addItem(tr("Keys of %1").arg(preset.name), preset.key);
  }
  preset_->setPlaceholderText(tr("Your own keys"));
  auto* const restore = new QPushButton(tr("Restore defaults"), this);
  restore->setObjectName(QStringLiteral("reviewKeyRestore"));
  restore->setAutoDefault(false);
  auto* const top = new QHBoxLayout;
  top->setSpacing(2 * kGrid);
  top->addWidget(preset_);
  top->addStretch(1);
  top->addWidget(restore);
  connect(preset_, &QComboBox::activated, this, [this] {
    endCapture();
    keys_.usePreset(preset_->currentData().toString());
  });
  connect(restore, &QPushButton::clicked, this, [this] {
    endCapture();
    keys_.restoreDefaults();
  });
  return top;
}

void ReviewKeyList::fillCommands() {
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("reviewKeyList"));
  list_->setAccessibleName(tr("Commands and their keys"));
  list_->setHeaderLabels({tr("Command"), tr("Keys"), QString()});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setStretchLastSection(true);
  list_->header()->setSectionResizeMode(kCommandColumn, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(kKeysColumn, QHeaderView::ResizeToContents);
  for (const ReviewCommand command : ReviewKeys::commands()) {
    auto* const item = new QTreeWidgetItem(list_, {ReviewKeys::nameOf(command)});
    item->setData(kCommandColumn, Qt::UserRole, static_cast<int>(command));
  }
  list_->setCurrentItem(list_->topLevelItem(0));
  list_->installEventFilter(this);
  connect(list_, &QTreeWidget::itemDoubleClicked, this,
          [this] { startCapture(Capture::kReplace); });
  connect(list_, &QTreeWidget::currentItemChanged, this, &ReviewKeyList::endCapture);
}

QLayout* ReviewKeyList::makeButtons() {
  auto* const bottom = new QHBoxLayout;
  bottom->setSpacing(2 * kGrid);
  const auto add = [&](const QString& text, const char* name, const QString& tip, auto action) {
    auto* const button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, action);
    bottom->addWidget(button);
    return button;
  };
  change_ = add(tr("Change key"), "reviewKeyChange",
                tr("Press the new key of the chosen command; or double-click the command"),
                [this] { startCapture(Capture::kReplace); });
  change_->setProperty("role", QStringLiteral("primary"));
  add(tr("Add key"), "reviewKeyAdd", tr("Give the command one more key"),
      [this] { startCapture(Capture::kAdd); });
  add(tr("Remove keys"), "reviewKeyRemove", tr("Leave the command without a key"), [this] {
    keys_.setKeys(chosen(), {});
    say({}, false);
  });
  bottom->addStretch(1);
  return bottom;
}

ReviewCommand ReviewKeyList::chosen() const {
  return static_cast<ReviewCommand>(
      list_->currentItem()->data(kCommandColumn, Qt::UserRole).toInt());
}

void ReviewKeyList::refresh() {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem& item = *list_->topLevelItem(i);
    const auto command =
        static_cast<ReviewCommand>(item.data(kCommandColumn, Qt::UserRole).toInt());
    item.setText(kKeysColumn, keys_.keysText(command));
    item.setText(kWarningColumn, warning(command));
    item.setToolTip(kWarningColumn, warning(command));
    item.setForeground(kWarningColumn, currentTheme().misclassified);
  }
  preset_->setCurrentIndex(preset_->findData(keys_.preset()));
}

void ReviewKeyList::startCapture(Capture capture) {
  capture_ = capture;
  say(tr("Press the new key for: %1. Esc keeps the keys.").arg(ReviewKeys::nameOf(chosen())),
      false);
  list_->setFocus();
}

void ReviewKeyList::endCapture() {
  capture_ = Capture::kNone;
  say(tr("Choose a command, then press Change key."), false);
}

void ReviewKeyList::take(const QKeySequence& key) {
  const ReviewCommand command = chosen();
  const bool adds = capture_ == Capture::kAdd;
  endCapture();
  if (const QString wrong = conflict(key, command); !wrong.isEmpty()) {
    say(wrong, true);
    return;
  }
  QList<QKeySequence> keys;
  if (adds) {
    keys = keys_.keysOf(command);
    keys.removeAll(key);
  }
  keys << key;
  keys_.setKeys(command, keys);
}

QString ReviewKeyList::conflict(const QKeySequence& key, ReviewCommand command) const {
  const QString text = ReviewKeys::textOf(key);
  if (const auto other = keys_.commandOf(key); other && *other != command) {
    return tr("%1 is already the key of: %2. Remove it there, or choose another key.")
        .arg(text, ReviewKeys::nameOf(*other));
  }
  if (const LabelClass* const chooses = classOfKey(file_.classes(), keys_, text)) {
    return tr("%1 chooses the class %2. Choose another key, or give the class another one.")
        .arg(text, QString::fromStdString(chooses->name));
  }
  return conflictWithWindow(key);
}

QString ReviewKeyList::conflictWithWindow(const QKeySequence& key) const {
  for (const QAction* const action : page_.window()->findChildren<QAction*>()) {
    const QList<QKeySequence> shortcuts = action->shortcuts();
    // Undo and redo of the window have these keys while the page is shown.
    if (shortcuts == keys_.keysOf(ReviewCommand::kUndo) ||
        shortcuts == keys_.keysOf(ReviewCommand::kRedo)) {
      continue;
    }
    const bool taken = std::ranges::any_of(
        shortcuts, [&key](const QKeySequence& other) { return withOneEnter(other) == key; });
    if (taken) {
      QString meaning = action->text();
      meaning.remove(u'&').remove(QChar(0x2026));
      return tr("%1 is a key of the window: %2. Choose another key.")
          .arg(ReviewKeys::textOf(key), meaning);
    }
  }
  return {};
}

QString ReviewKeyList::warning(ReviewCommand command) const {
  for (const QKeySequence& key : keys_.keysOf(command)) {
    for (const LabelClass& entry : file_.classes()) {
      if (!entry.merged_into &&
          QString::fromStdString(entry.key).toUpper() == ReviewKeys::textOf(key)) {
        return tr("so %1 does not choose the class %2")
            .arg(ReviewKeys::textOf(key), QString::fromStdString(entry.name));
      }
    }
  }
  return {};
}

void ReviewKeyList::say(const QString& text, bool is_error) {
  showMessage(*message_, text, is_error);
}

bool ReviewKeyList::eventFilter(QObject* watched, QEvent* event) {
  if (watched == list_ && capture_ != Capture::kNone) {
    if (event->type() == QEvent::ShortcutOverride) {
      event->accept();  // shortcuts of the window can be pressed, to be refused with their meaning
      return true;
    }
    if (event->type() == QEvent::KeyPress) {
      const auto& pressed = *static_cast<QKeyEvent*>(event);
      const QKeySequence key = ReviewKeys::keyOf(pressed);
      if (key == QKeySequence(Qt::Key_Escape) && chosen() != ReviewCommand::kCancel) {
        endCapture();
      } else if (!key.isEmpty() && !pressed.isAutoRepeat()) {
        take(key);
      }
      return true;
    }
    if (event->type() == QEvent::FocusOut) {
      endCapture();
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace dubito
