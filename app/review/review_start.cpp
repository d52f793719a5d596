// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/review_start.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <vector>

#include "app/jobs/window_jobs.h"
#include "app/review/labels/recent_reviews.h"
#include "app/session/session.h"
#include "app/workbench/file_opener.h"
#include "app/workbench/run_computer.h"
#include "app/workspace/workspace_row.h"
#include "core/labels/sql/open_connection.h"
#include "widgets/drop_target.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr int kColumnWidth = 160 * kGrid;

QPushButton* makeButton(const QString& text, const char* name, QWidget* parent) {
  auto* const button = new QPushButton(text, parent);
  button->setObjectName(QLatin1String(name));
  button->setMinimumWidth(40 * kGrid);
  button->setProperty("role", QStringLiteral("primary"));
  return button;
}

}  // namespace

ReviewStart::ReviewStart(const Parts& parts, QWidget* parent)
    : QWidget(parent), parts_(parts), count_job_(parts.jobs.fileThread()) {
  text_ = new WrappedLabel(this);
  text_->setObjectName(QStringLiteral("reviewWelcome"));
  text_->setAlignment(Qt::AlignHCenter);
  start_ = makeButton(tr("Start reviewing"), "reviewStart", this);
  attach_ = makeButton(tr("Attach images…"), "reviewAttach", this);
  attach_->setToolTip(tr("The folder with the images of these predictions"));
  dataset_ = makeButton(tr("Review without a network"), "reviewDataset", this);
  dataset_->setToolTip(tr("The given labels of the open dataset are the suggestions"));
  recent_ = new QWidget(this);
  recent_->setObjectName(QStringLiteral("reviewRecent"));
  recent_->setMaximumWidth(kColumnWidth);
  auto* const title = new QLabel(tr("Continue"), recent_);
  title->setProperty("role", QStringLiteral("title"));
  recent_rows_ = new QVBoxLayout(recent_);
  recent_rows_->setContentsMargins(0, 0, 0, 0);
  recent_rows_->setSpacing(kGrid);
  recent_rows_->addWidget(title);
  drop_ = new DropTarget(this, QStringLiteral("reviewDrop"));
  drop_->setTexts(tr("Drop labels and the folder of their images here"),
                  tr("Labels of another program: CSV, JSON lines, Label Studio, CVAT, labelme, "
                     "FiftyOne, COCO, folders of classes; or a review to continue (.labels)"));
  drop_->setAction(tr("Open labels…"));
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  buttons->addStretch(1);
  buttons->addWidget(start_);
  buttons->addWidget(attach_);
  buttons->addWidget(dataset_);
  buttons->addStretch(1);
  // A column in the middle of the page.
  auto* const column = new QVBoxLayout;
  column->addSpacing(6 * kGrid);
  column->addWidget(text_);
  column->addSpacing(3 * kGrid);
  column->addLayout(buttons);
  column->addSpacing(4 * kGrid);
  column->addWidget(recent_);
  auto* const middle = new QHBoxLayout;
  middle->addStretch(1);
  middle->addLayout(column, 8);
  middle->addStretch(1);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(middle);
  layout->addWidget(drop_, 1);
  connect(start_, &QPushButton::clicked, this, &ReviewStart::startRequested);
  connect(attach_, &QPushButton::clicked, this, &ReviewStart::imagesRequested);
  connect(dataset_, &QPushButton::clicked, this, &ReviewStart::datasetRequested);
  connect(drop_, &DropTarget::primaryRequested, this, &ReviewStart::labelsRequested);
  connect(drop_, &DropTarget::pathsDropped, this, &ReviewStart::pathsDropped);
}

void ReviewStart::showState(const QString& obstacle, bool alone) {
  const bool can_start = obstacle.isEmpty();
  const bool waits = parts_.computer.queue().running();
  const DatasetPtr dataset = parts_.session.activeDataset();
  text_->setText(can_start ? tr("Check the labels of your images one by one, the most doubtful "
                                "first. Every decision is saved at once; you can stop at any time.")
                           : obstacle);
  text_->setVisible(!alone || can_start || waits || dataset || parts_.session.activeAnalysis());
  start_->setVisible(can_start);
  const AnalysisPtr analysis = parts_.session.activeAnalysis();
  attach_->setVisible(!waits && analysis && !analysis->in().dataset);
  dataset_->setVisible(!can_start && !waits && attach_->isHidden() && dataset &&
                       dataset->info().role != Role::kUnlabelled);
  drop_->setVisible(!can_start && !waits);
}

void ReviewStart::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fillRecent();
}

void ReviewStart::fillRecent() {
  for (WorkspaceRow* const row : recent_->findChildren<WorkspaceRow*>()) {
    delete row;
  }
  const QList<RecentReview> reviews = RecentReviews(parts_.settings).list();
  recent_->setVisible(!reviews.isEmpty());
  for (int i = 0; i < reviews.size(); ++i) {
    const RecentReview& review = reviews[i];
    auto* const row = new WorkspaceRow(recent_);
    row->setObjectName(QStringLiteral("reviewRecent%1").arg(i));
    row->setTexts(review.name, countedText(review.items, tr("%1 image"), tr("%1 images")));
    row->setToolTip(review.store);
    recent_rows_->addWidget(row);
    connect(row, &WorkspaceRow::clicked, this, [this, store = review.store.toStdString()] {
      parts_.opener.open({{store, FileKind::kLabels, false, {}}});
    });
  }
  countDecided();
}

void ReviewStart::countDecided() {
  const QList<RecentReview> reviews = RecentReviews(parts_.settings).list();
  // A network folder may respond slowly.
  using Counts = std::vector<std::int64_t>;
  count_job_.submit<Counts>(
      tr("Counting decisions"), {},
      [reviews](RunContext&) -> Expected<Counts> {
        Counts counts;
        for (const RecentReview& review : reviews) {
          const std::string store = review.store.toStdString();
          // A server may ask for a password; its decisions are counted when it is opened.
          counts.push_back(isServerAddress(store) ? -1 : countDecidedItems(store).value_or(-1));
        }
        return counts;
      },
      this,
      [this, reviews](const Expected<Counts>& counts) {
        for (int i = 0; counts && i < reviews.size(); ++i) {
          auto* const row =
              recent_->findChild<WorkspaceRow*>(QStringLiteral("reviewRecent%1").arg(i));
          const std::int64_t decided = (*counts)[static_cast<std::size_t>(i)];
          const RecentReview& review = reviews[i];
          if (row == nullptr || row->toolTip() != review.store) {
            continue;
          }
          const bool gone = decided < 0 && !isServerAddress(review.store.toStdString()) &&
                            !QFileInfo::exists(review.store);
          row->setTexts(
              review.name,
              gone ? tr("its labels are gone: %1").arg(review.store)
              : decided < 0
                  ? countedText(review.items, tr("%1 image"), tr("%1 images"))
                  : tr("%1 of %2 decided").arg(countText(decided), countText(review.items)));
          row->setEnabled(!gone);
        }
      });
}

}  // namespace dubito
