// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_editor.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "app/files/recent_files.h"
#include "app/jobs/window_jobs.h"
#include "app/session/error_text.h"
#include "app/study/study_form.h"
#include "app/study/study_json_view.h"
#include "core/io/atomic_file.h"
#include "core/study/study_files.h"
#include "widgets/card.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// Size of a study without an error.
QString sizeText(const StudyDraft& draft) {
  const std::optional<StudyDraft::Size>& size = draft.size();
  return size ? StudyEditor::tr(
                    "%1 on %2 with %3. Whether the data and models can be opened shows when it "
                    "runs.")
                    .arg(countedText(static_cast<std::int64_t>(size->rows),
                                     StudyEditor::tr("%1 row"), StudyEditor::tr("%1 rows")),
                         countedText(static_cast<std::int64_t>(size->targets),
                                     StudyEditor::tr("%1 target"), StudyEditor::tr("%1 targets")),
                         countedText(static_cast<std::int64_t>(size->seeds),
                                     StudyEditor::tr("%1 seed"), StudyEditor::tr("%1 seeds")))
              : QString();
}

}  // namespace

StudyEditor::StudyEditor(Session& session, WindowJobs& jobs, const RecentFiles& recent,
                         QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      recent_(recent),
      form_card_(new Card(tr("Study"), this)),
      text_card_(new Card(tr("Study file"), this)) {
  form_card_->setObjectName(QStringLiteral("studyFormCard"));
  text_card_->setObjectName(QStringLiteral("studyTextCard"));
  auto* const left = new QWidget(form_card_);
  auto* const column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2 * kGrid);
  form_ = new StudyForm(draft_, session, left);
  column->addWidget(form_, 1);
  auto* const row = new QHBoxLayout;
  row->setSpacing(2 * kGrid);
  folder_ = new QLineEdit(left);
  folder_->setObjectName(QStringLiteral("studyFolder"));
  folder_->setAccessibleName(tr("Folder for the results"));
  folder_->setPlaceholderText(tr("new folder, or one with results to continue"));
  choose_ = new QPushButton(tr("Choose…"), left);
  choose_->setObjectName(QStringLiteral("studyChooseFolder"));
  choose_->setToolTip(tr("Choose the folder for networks, runs, tables and the report"));
  auto* const label = new QLabel(tr("Results in"), left);
  label->setBuddy(folder_);
  row->addWidget(label);
  row->addWidget(folder_, 1);
  row->addWidget(choose_);
  column->addLayout(row);
  form_card_->setContent(left);

  auto* const right = new QWidget(text_card_);
  auto* const text_column = new QVBoxLayout(right);
  text_column->setContentsMargins(0, 0, 0, 0);
  text_column->setSpacing(2 * kGrid);
  text_ = new StudyJsonView(right);
  text_column->addWidget(text_, 1);
  auto* const save_row = new QHBoxLayout;
  auto* const save_button = new QPushButton(tr("Save study…"), right);
  save_button->setObjectName(QStringLiteral("studySave"));
  save_button->setToolTip(tr("Save the text for dubito-cli study, or to open it here later"));
  save_row->addStretch(1);
  save_row->addWidget(save_button);
  text_column->addLayout(save_row);
  text_card_->setContent(right);

  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(form_card_, 6);
  layout->addWidget(text_card_, 5);
  connect(form_, &StudyForm::edited, this, &StudyEditor::change);
  connect(text_, &StudyJsonView::edited, this, [this](const QString& text) {
    draft_.setText(text.toStdString());
    showDraft();
  });
  connect(folder_, &QLineEdit::textChanged, this, &StudyEditor::changed);
  connect(choose_, &QPushButton::clicked, this, &StudyEditor::chooseFolder);
  connect(save_button, &QPushButton::clicked, this, &StudyEditor::save);
  showDraft();
}

void StudyEditor::setStudy(StudyDraft draft, const QString& file) {
  draft_ = std::move(draft);
  file_ = file;
  showDraft();
}

QString StudyEditor::folder() const {
  return folder_->text().trimmed();
}

void StudyEditor::setFolder(const QString& folder) {
  folder_->setText(folder);
  folder_->setToolTip(folder);
}

void StudyEditor::setLocked(bool locked) {
  form_card_->setEnabled(!locked);
  text_card_->setEnabled(!locked);
}

void StudyEditor::change(const StudyJson::json_pointer& place, const StudyJson& value) {
  if (draft_.document() != nullptr) {
    draft_.set(place, value);
    showDraft();
  }
}

void StudyEditor::showDraft() {
  form_->reload();
  text_->showDraft(draft_, sizeText(draft_));
  text_card_->setSubtitle(file_.isEmpty() ? tr("not saved yet") : QFileInfo(file_).fileName());
  Q_EMIT changed();
}

void StudyEditor::chooseFolder() {
  QString chosen = std::exchange(next_file_name_, {});
  if (chosen.isEmpty()) {
    chosen =
        QFileDialog::getExistingDirectory(this, tr("Folder for the results"), recent_.folder());
  }
  if (!chosen.isEmpty()) {
    setFolder(chosen);
  }
}

void StudyEditor::save() {
  QString path = std::exchange(next_file_name_, {});
  if (path.isEmpty()) {
    path = QFileDialog::getSaveFileName(this, tr("Save study as"),
                                        file_.isEmpty() ? QString::fromUtf8(kStudyFile) : file_,
                                        tr("Studies (*.json)"));
  }
  if (path.isEmpty()) {
    return;
  }
  if (const Status written =
          writeFileAtomically(path.toStdString(), std::string_view(draft_.text()));
      !written) {
    Q_EMIT failed(errorText(written.error()));
    return;
  }
  file_ = path;
  jobs_.setDoneText(tr("Saved: %1").arg(path));
  showDraft();
}

}  // namespace dubito
