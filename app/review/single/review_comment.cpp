// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_comment.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "app/review/reviewer.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kMaxCommentLength = 2000;

}  // namespace

ReviewComment::ReviewComment(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  others_ = new WrappedLabel(this);
  others_->setObjectName(QStringLiteral("reviewComments"));
  others_->setTextFormat(Qt::PlainText);
  others_->hide();
  own_ = new QLineEdit(this);
  own_->setObjectName(QStringLiteral("reviewComment"));
  own_->setAccessibleName(tr("Comment on the image"));
  own_->setMaxLength(kMaxCommentLength);
  own_->setFocusPolicy(Qt::ClickFocus);
  own_->installEventFilter(this);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addWidget(others_);
  layout->addWidget(own_);
  connect(&reviewer_.file(), &LabelFile::remarked, this, &ReviewComment::showItem);
  showKeys();
}

void ReviewComment::showKeys() {
  own_->setPlaceholderText(
      reviewer_.keys().withKey(tr("Comment on this image"), ReviewCommand::kComment));
}

QString ReviewComment::storedComment() const {
  const std::string& own = reviewer_.file().annotator().toStdString();
  for (const Remark& comment : reviewer_.file().commentsOn(item_.value_or(-1))) {
    if (comment.annotator == own) {
      return QString::fromStdString(comment.text);
    }
  }
  return {};
}

void ReviewComment::showItem() {
  const auto row = reviewer_.row();
  const std::optional<std::int64_t> item =
      row ? std::optional(reviewer_.analysis()->in().run->ids.data()[*row]) : std::nullopt;
  const bool is_same = item == item_;
  if (!is_same) {
    save();
    item_ = item;
  }
  own_->setEnabled(item.has_value());
  if (!is_same || !own_->isModified()) {
    own_->setText(storedComment());
    own_->setCursorPosition(0);
  }
  own_->setToolTip(own_->text());
  showOthers();
}

void ReviewComment::showOthers() {
  const std::string own = reviewer_.file().annotator().toStdString();
  QStringList lines;
  for (const Remark& comment : reviewer_.file().commentsOn(item_.value_or(-1))) {
    if (comment.annotator != own) {
      lines << tr("%1 writes: %2")
                   .arg(QString::fromStdString(comment.annotator),
                        QString::fromStdString(comment.text));
    }
  }
  if (!lines.isEmpty() && reviewer_.hidesSuggestion()) {
    lines = {tr("There are comments, hidden until you decide.")};
  }
  others_->setText(lines.join(u'\n'));
  others_->setVisible(!lines.isEmpty());
}

void ReviewComment::startWriting() {
  if (own_->isEnabled()) {
    own_->setFocus();
    own_->end(false);
  }
}

void ReviewComment::save() {
  if (item_ && own_->isModified() && reviewer_.file().isOpen() &&
      own_->text().trimmed() != storedComment()) {
    reviewer_.file().remark(RemarkSubject::kItem, *item_, own_->text());
  }
  own_->setModified(false);
}

bool ReviewComment::eventFilter(QObject* watched, QEvent* event) {
  if (watched == own_ && event->type() == QEvent::FocusOut) {
    save();
  } else if (watched == own_ && event->type() == QEvent::KeyPress) {
    // Handled here, because the field would pass Enter on to the page, where it decides.
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
      own_->setText(storedComment());  // no longer modified
      Q_EMIT finished();
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      save();
      Q_EMIT finished();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace dubito
