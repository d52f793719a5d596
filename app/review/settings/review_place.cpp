// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/settings/review_place.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "app/review/reviewer.h"
#include "core/labels/sql/open_connection.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* const label = new WrappedLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  return label;
}

}  // namespace

ReviewPlace::ReviewPlace(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  setObjectName(QStringLiteral("reviewPlaceTab"));
  place_ = makeText({}, this);
  place_->setObjectName(QStringLiteral("reviewPlace"));
  place_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const move = new QPushButton(tr("Continue in another file…"), this);
  move->setObjectName(QStringLiteral("reviewPlaceMove"));
  move->setAutoDefault(false);
  move->setToolTip(
      tr("Copies the labels, for example into a folder that others can read, and goes "
         "on there. The file so far stays as it is."));
  server_ = new QLineEdit(this);
  server_->setObjectName(QStringLiteral("reviewServer"));
  server_->setPlaceholderText(QStringLiteral("postgresql://user@host/database"));
  server_->setAccessibleName(tr("Address of a PostgreSQL server"));
  auto* const use = new QPushButton(tr("Continue on the server"), this);
  use->setObjectName(QStringLiteral("reviewServerUse"));
  use->setAutoDefault(false);
  auto* const why = makeText(
      tr("On a server, several persons review at the same time, each other images. Its tables are "
         "made on first use. Decisions so far stay in the file. The password is read from the file "
         ".pgpass in your home folder, or from the variable PGPASSWORD; it is kept nowhere else."),
      this);
  why->setProperty("role", QStringLiteral("muted"));
  message_ = makeText({}, this);
  message_->setObjectName(QStringLiteral("reviewPlaceMessage"));
  auto* const line = new QHBoxLayout;
  line->setSpacing(2 * kGrid);
  line->addWidget(server_, 1);
  line->addWidget(use);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 2 * kGrid, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(new QLabel(tr("The labels are in"), this));
  layout->addWidget(place_);
  layout->addWidget(move, 0, Qt::AlignLeft);
  layout->addSpacing(2 * kGrid);
  layout->addLayout(line);
  layout->addWidget(why);
  layout->addWidget(message_);
  layout->addStretch(1);
  connect(move, &QPushButton::clicked, this, &ReviewPlace::askForCopy);
  connect(use, &QPushButton::clicked, this, &ReviewPlace::useServer);
  connect(server_, &QLineEdit::returnPressed, this, &ReviewPlace::useServer);
  connect(&reviewer_.file(), &LabelFile::opened, this, &ReviewPlace::refresh);
  connect(&reviewer_.file(), &LabelFile::copied, &reviewer_,
          [this](const QString& path) { reviewer_.start(path); });
  connect(&reviewer_.file(), &LabelFile::failed, this, &ReviewPlace::say);
}

void ReviewPlace::refresh() {
  place_->setText(reviewer_.file().isOpen() ? reviewer_.file().place() : tr("nothing is open"));
  say({});
}

void ReviewPlace::askForCopy() {
  if (const QString next = std::exchange(next_file_name_, {}); !next.isEmpty()) {
    copy(next);
    return;
  }
  const QFileInfo now(reviewer_.file().place());
  auto* const dialog =
      new QFileDialog(this, tr("New file for the labels"), now.path(), tr("Labels (*.labels)"));
  dialog->setObjectName(QStringLiteral("reviewPlaceDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("labels"));
  dialog->selectFile(now.fileName());
  connect(dialog, &QFileDialog::fileSelected, this, &ReviewPlace::copy);
  dialog->show();
}

void ReviewPlace::copy(const QString& path) {
  if (reviewer_.file().isOpen()) {
    reviewer_.file().copyTo(path);
  }
}

void ReviewPlace::useServer() {
  const QString address = server_->text().trimmed();
  if (!isServerAddress(address.toStdString())) {
    say(tr("The address begins with postgresql://, for example postgresql://anna@labels/photos"));
    return;
  }
  if (!QUrl(address).password().isEmpty()) {
    say(tr("Leave the password out of the address: it would be kept with the list of reviews."));
    return;
  }
  reviewer_.start(address, StoreMode::kOpenOrCreate);
}

void ReviewPlace::say(const QString& text) {
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
}

}  // namespace dubito
