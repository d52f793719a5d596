// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/start_page.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <string>
#include <vector>

#include "app/files/recent_files.h"
#include "app/workspace/workspace_row.h"
#include "core/data/sources/dataset_kinds.h"
#include "widgets/drop_target.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// A column with a title; widgets are added below it.
QVBoxLayout* addColumn(const QString& title, QWidget* column) {
  auto* const layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addWidget(makeLabel("title", {}, column, title));
  layout->addSpacing(kGrid);
  return layout;
}

/// The first file named by a path or specification; the text itself if there is none.
QString firstFileOf(const QString& specification) {
  const qsizetype colon = specification.indexOf(u':');
  if (colon < 0 || specification.startsWith(u'/')) {
    return specification;
  }
  const QString location = specification.mid(colon + 1);
  const DatasetKind* const kind = findDatasetKind(specification.left(colon).toStdString());
  const bool generated = kind != nullptr && kind->files(location.toStdString()).empty();
  return generated ? specification : location.section(u',', 0, 0);
}

/// Folder with the home folder shown as "~"; empty if there is no folder.
QString folderOf(const QString& file) {
  QString folder = QFileInfo(file).path();
  if (folder == QStringLiteral(".")) {
    return {};
  }
  if (const QString home = QDir::homePath(); home.size() > 1 && folder.startsWith(home)) {
    folder.replace(0, home.size(), QStringLiteral("~"));
  }
  return folder;
}

}  // namespace

StartPage::StartPage(FileOpener& opener, WindowJobs& jobs, QWidget* parent)
    : QWidget(parent),
      opener_(opener),
      missing_job_(jobs.fileThread()),
      beginning_(new QWidget(this)),
      recent_(new QWidget(this)),
      drop_(new DropTarget(this)) {
  setObjectName(QStringLiteral("startPage"));
  beginning_->setObjectName(QStringLiteral("beginning"));
  recent_->setObjectName(QStringLiteral("recentColumn"));
  auto* const heading =
      makeLabel("heading", {}, beginning_, tr("See what a trained model does not know"));
  heading->setFont(uiFont(TypeSize::kHeading));
  auto* const text = makeMutedLabel(
      QStringLiteral("startText"), beginning_,
      tr("Open a trained network and images. Dubito computes the uncertainty of every prediction: "
         "which are confident, which are guesses, and which are confident and wrong."));
  auto* const commands = new QWidget(beginning_);
  commands_ = addColumn(tr("Start"), commands);
  commands_->addStretch(1);
  recent_rows_ = addColumn(tr("Recent"), recent_);
  none_ = makeMutedLabel({}, recent_, tr("Recently opened files appear here"));
  recent_rows_->addWidget(none_);
  recent_rows_->addStretch(1);

  auto* const columns = new QHBoxLayout;
  columns->setSpacing(8 * kGrid);
  columns->addWidget(commands, 3);
  columns->addWidget(recent_, 2);
  auto* const above = new QVBoxLayout(beginning_);
  above->setContentsMargins(8 * kGrid, 3 * kGrid, 8 * kGrid, 0);
  above->setSpacing(kGrid);
  above->addWidget(heading);
  above->addWidget(text);
  above->addSpacing(kGrid);
  above->addLayout(columns, 1);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(beginning_, 4);
  layout->addWidget(drop_, 1);
}

void StartPage::addCommand(QAction& action, const QString& text, const QString& explanation) {
  auto* const button = new QPushButton(text, beginning_);
  button->setObjectName(QStringLiteral("start-") + action.objectName());
  const bool is_first = commands_->count() == 3;  // title, space, stretch
  button->setProperty("role", is_first ? QStringLiteral("primary") : QString());
  button->setMinimumWidth(40 * kGrid);
  button->setAccessibleDescription(explanation);
  const int end = commands_->count() - 1;
  commands_->insertWidget(end, button, 0, Qt::AlignLeft);
  commands_->insertWidget(end + 1, makeMutedLabel({}, beginning_, explanation));
  commands_->insertSpacing(end + 2, kGrid);
  connect(button, &QPushButton::clicked, &action, &QAction::trigger);
}

void StartPage::setStartVisible(bool visible) {
  const bool appears = visible && beginning_->isHidden();
  beginning_->setVisible(visible);
  if (appears && isVisible()) {
    fillRecent();
  }
}

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fillRecent();
}

void StartPage::fillRecent() {
  for (WorkspaceRow* const row : recent_->findChildren<WorkspaceRow*>()) {
    delete row;
  }
  const QStringList files = opener_.recentFiles().list().mid(0, kMaxRecent);
  none_->setVisible(files.isEmpty());
  for (int i = 0; i < files.size(); ++i) {
    auto* const row = new WorkspaceRow(recent_);
    row->setObjectName(QStringLiteral("recent%1").arg(i));
    const QString file = firstFileOf(files[i]);
    row->setTexts(QFileInfo(file).fileName(), folderOf(file));
    row->setToolTip(files[i]);
    recent_rows_->insertWidget(recent_rows_->count() - 1, row);
    connect(row, &WorkspaceRow::clicked, this, [this, opened = files[i].toStdString()] {
      opener_.open({{opened, FileKind::kUnknown, false, {}}});
    });
  }
  markMissing(files);
}

void StartPage::markMissing(const QStringList& specifications) {
  std::vector<std::string> texts;
  for (const QString& specification : specifications) {
    texts.push_back(specification.toStdString());
  }
  // A network folder may respond slowly.
  missing_job_.submit<std::vector<bool>>(
      tr("Checking recent files"), {},
      [texts](RunContext&) -> Expected<std::vector<bool>> {
        std::vector<bool> missing;
        for (const std::string& text : texts) {
          missing.push_back(refersToMissingFile(text));
        }
        return missing;
      },
      this,
      [this, specifications](const Expected<std::vector<bool>>& missing) {
        for (int i = 0; missing && i < specifications.size(); ++i) {
          auto* const row = recent_->findChild<WorkspaceRow*>(QStringLiteral("recent%1").arg(i));
          if (row != nullptr && row->toolTip() == specifications[i] &&
              (*missing)[static_cast<std::size_t>(i)]) {
            row->setTexts(row->text(), row->detail(), tr("missing"));
            row->setToolTip(tr("%1\nno longer exists; click to remove it from the list")
                                .arg(specifications[i]));
          }
        }
      });
}

}  // namespace dubito
