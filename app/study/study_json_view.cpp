// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_json_view.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextOption>
#include <QVBoxLayout>

#include "widgets/muted_label.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

StudyJsonView::StudyJsonView(QWidget* parent)
    : QWidget(parent), text_(new QPlainTextEdit(this)), message_(new WrappedLabel(this)) {
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(text_, 1);
  layout->addWidget(message_);
  text_->setObjectName(QStringLiteral("studyJson"));
  text_->setAccessibleName(tr("Study file"));
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(static_cast<int>(TypeSize::kSmall));
  text_->setFont(font);
  text_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  text_->setTabChangesFocus(true);
  message_->setObjectName(QStringLiteral("studyProblem"));
  message_->setTextFormat(Qt::PlainText);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  message_->ensurePolished();
  // Room for what an error says, so that the text does not move while it is typed.
  message_->setMinimumHeight(3 * message_->fontMetrics().lineSpacing());
  message_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  connect(text_, &QPlainTextEdit::textChanged, this, [this] {
    if (!is_loading_) {
      Q_EMIT edited(text_->toPlainText());
    }
  });
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { mark(marked_); });
}

void StudyJsonView::showDraft(const StudyDraft& draft, const QString& fine) {
  const QString wanted = QString::fromStdString(draft.text());
  if (wanted != text_->toPlainText()) {
    const int scrolled = text_->verticalScrollBar()->value();
    is_loading_ = true;
    text_->setPlainText(wanted);
    is_loading_ = false;
    text_->verticalScrollBar()->setValue(scrolled);
  }
  const std::optional<StudyProblem>& problem = draft.problem();
  showMessage(*message_, problem ? QString::fromStdString(problem->message) : fine,
              problem.has_value());
  mark(problem ? static_cast<int>(problem->line) : 0);
}

void StudyJsonView::mark(int line) {
  marked_ = line;
  const QTextBlock block = text_->document()->findBlockByNumber(line - 1);
  if (line < 1 || !block.isValid()) {
    text_->setExtraSelections({});
    return;
  }
  QTextEdit::ExtraSelection selection;
  const Theme& theme = currentTheme();
  selection.format.setBackground(blend(theme.panel, theme.misclassified, 0.18));
  selection.format.setProperty(QTextFormat::FullWidthSelection, true);
  selection.cursor = QTextCursor(block);
  selection.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
  text_->setExtraSelections({selection});
  // An error made in the form may be out of sight.
  if (!text_->hasFocus()) {
    text_->setTextCursor(QTextCursor(block));
    text_->centerCursor();
  }
}

}  // namespace dubito
