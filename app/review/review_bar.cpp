// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/review_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "app/review/queue/review_filter.h"
#include "app/review/queue/review_queue_list.h"
#include "app/review/review_export.h"
#include "app/review/review_mode.h"
#include "app/review/reviewer.h"
#include "widgets/flow_layout.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// For how many images the suggestion can be hidden.
struct HiddenShare {
  double share;
  const char* name;
};
constexpr HiddenShare kHiddenShares[] = {
    {0.0, QT_TRANSLATE_NOOP("dubito::ReviewBar", "Hide suggestion: never")},
    {0.1, QT_TRANSLATE_NOOP("dubito::ReviewBar", "Hide suggestion: 1 in 10")},
    {0.2, QT_TRANSLATE_NOOP("dubito::ReviewBar", "Hide suggestion: 1 in 5")},
    {0.5, QT_TRANSLATE_NOOP("dubito::ReviewBar", "Hide suggestion: 1 in 2")},
    {1.0, QT_TRANSLATE_NOOP("dubito::ReviewBar", "Hide suggestion: always")}};

}  // namespace

ReviewBar::ReviewBar(Reviewer& reviewer, const QueueFeatures& features, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer) {
  auto* const lines = new QVBoxLayout(this);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(kGrid);
  modes_line_ = makeModes();
  lines->addWidget(modes_line_);
  lines->addWidget(makeChoices(features));
  connect(&reviewer_.reviewQueue(), &ReviewQueue::textChanged, this, &ReviewBar::showQueue);
  connect(&reviewer_.session().listing(), &ItemListing::itemsChanged, this,
          &ReviewBar::offerSelection);
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewBar::showKeys);
  offerSelection();
  showKeys();
}

QWidget* ReviewBar::makeModes() {
  auto* const line = new QWidget(this);
  modes_ = new QTabBar(line);
  modes_->setObjectName(QStringLiteral("reviewModes"));
  modes_->setAccessibleName(tr("Ways to review"));
  modes_->setDrawBase(false);
  modes_->setExpanding(false);
  modes_->setUsesScrollButtons(false);
  modes_->setElideMode(Qt::ElideNone);
  modes_->setFocusPolicy(Qt::TabFocus);
  keys_ = new QPushButton(line);
  keys_->setObjectName(QStringLiteral("reviewKeys"));
  keys_->setToolTip(tr("Show and change the keys and the classes, and enter your name"));
  keys_->setFocusPolicy(Qt::TabFocus);
  export_ = new ReviewExport(reviewer_, line);
  auto* const layout = new QHBoxLayout(line);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(modes_);
  layout->addStretch(1);
  layout->addWidget(keys_);
  layout->addWidget(export_);
  connect(modes_, &QTabBar::currentChanged, this, &ReviewBar::modeChosen);
  connect(keys_, &QPushButton::clicked, this, &ReviewBar::keysRequested);
  return line;
}

QWidget* ReviewBar::makeChoices(const QueueFeatures& features) {
  choices_ = new QWidget(this);
  auto* const row = new QWidget(choices_);
  back_ = new QPushButton(row);
  back_->setObjectName(QStringLiteral("reviewBack"));
  back_->setFocusPolicy(Qt::TabFocus);
  back_->hide();
  connect(back_, &QPushButton::clicked, this, &ReviewBar::backRequested);
  queue_ = new ReviewQueueList(reviewer_, features, row);
  filter_ = new ReviewFilter(reviewer_.reviewQueue(), reviewer_.file(), row);
  other_run_ = new QComboBox(row);
  other_run_->setObjectName(QStringLiteral("reviewOtherRun"));
  other_run_->setAccessibleName(tr("Run to compare with"));
  other_run_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  other_run_->setMinimumContentsLength(18);
  only_selected_ = new QCheckBox(tr("Only the selection"), row);
  only_selected_->setObjectName(QStringLiteral("reviewOnlySelected"));
  hidden_ = new QComboBox(row);
  hidden_->setObjectName(QStringLiteral("reviewHidden"));
  hidden_->setAccessibleName(tr("Hide suggestion"));
  for (const HiddenShare& share : kHiddenShares) {
    hidden_->addItem(tr(share.name), share.share);
  }
  advance_ = new QCheckBox(tr("Next image after deciding"), row);
  advance_->setObjectName(QStringLiteral("reviewAdvance"));
  advance_->setChecked(true);
  why_ = makeMutedLabel(QStringLiteral("reviewWhy"), choices_);
  auto* const flow = new FlowLayout(row, 2 * kGrid);
  for (QWidget* const widget :
       {static_cast<QWidget*>(back_), static_cast<QWidget*>(queue_),
        static_cast<QWidget*>(other_run_), static_cast<QWidget*>(filter_),
        static_cast<QWidget*>(hidden_), static_cast<QWidget*>(only_selected_),
        static_cast<QWidget*>(advance_)}) {
    flow->addWidget(widget);
  }
  auto* const lines = new QVBoxLayout(choices_);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(kGrid);
  lines->addWidget(row);
  lines->addWidget(why_);
  // The keys belong to the images.
  for (QWidget* const widget :
       {static_cast<QWidget*>(hidden_), static_cast<QWidget*>(only_selected_),
        static_cast<QWidget*>(advance_)}) {
    widget->setFocusPolicy(Qt::TabFocus);
  }
  connect(queue_, &QComboBox::activated, this, [this] {
    setOrigin({});
    reviewer_.reviewQueue().choose(queue_->currentData().toString().toStdString());
    Q_EMIT finished();
  });
  connect(other_run_, &QComboBox::activated, this, [this](int index) {
    const auto runs = reviewer_.reviewQueue().otherRuns();
    if (index >= 0 && index < static_cast<int>(runs.size())) {
      reviewer_.reviewQueue().setOtherRun(runs[static_cast<std::size_t>(index)]);
    }
    Q_EMIT finished();
  });
  connect(only_selected_, &QCheckBox::toggled, this, &ReviewBar::chooseRows);
  connect(hidden_, &QComboBox::activated, this, [this] {
    reviewer_.choices().setHiddenShare(hidden_->currentData().toDouble());
    Q_EMIT finished();
  });
  connect(advance_, &QCheckBox::toggled, &reviewer_, &Reviewer::setAdvances);
  connect(filter_, &ReviewFilter::finished, this, &ReviewBar::finished);
  return choices_;
}

void ReviewBar::returnModes() {
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, modes_line_);
  modes_line_->show();
}

void ReviewBar::addMode(const QString& key, const QString& name, const QString& tip) {
  const QSignalBlocker blocker(modes_);
  const int tab = modes_->addTab(name);
  modes_->setTabToolTip(tab, tip);
  modes_->setTabData(tab, key);
}

void ReviewBar::showMode(const QString& key) {
  for (int tab = 0; tab < modes_->count(); ++tab) {
    if (modes_->tabData(tab) == key) {
      modes_->setCurrentIndex(tab);
    }
  }
}

QString ReviewBar::mode() const {
  return modes_->tabData(modes_->currentIndex()).toString();
}

QString ReviewBar::nameOf(const QString& key) const {
  for (int tab = 0; tab < modes_->count(); ++tab) {
    if (modes_->tabData(tab) == key) {
      return modes_->tabText(tab);
    }
  }
  return {};
}

void ReviewBar::setOrigin(const QString& key) {
  origin_ = key;
  back_->setText(tr("Back to %1").arg(nameOf(key)));
  back_->setVisible(!key.isEmpty() && key != mode());
}

void ReviewBar::showState(const ReviewMode& mode) {
  if (reviewer_.reviewQueue().onlyRows().empty() == only_selected_->isChecked()) {
    const QSignalBlocker blocker(only_selected_);
    only_selected_->setChecked(!only_selected_->isChecked());
    offerSelection();
  }
  choices_->setVisible(mode.showsQueue());
  advance_->setVisible(mode.showsOneItem());
  back_->setVisible(!origin_.isEmpty() && origin_ != this->mode());
  showOtherRuns();
  showQueue();
  showHidden();
}

void ReviewBar::showOtherRuns() {
  const std::vector<AnalysisPtr> runs = reviewer_.reviewQueue().otherRuns();
  const QSignalBlocker blocker(other_run_);
  other_run_->clear();
  for (const AnalysisPtr& run : runs) {
    other_run_->addItem(tr("against %1").arg(QString::fromStdString(run->name)));
  }
  const auto chosen = std::ranges::find(runs, reviewer_.reviewQueue().otherRun());
  other_run_->setCurrentIndex(
      chosen == runs.end() ? -1 : static_cast<int>(std::distance(runs.begin(), chosen)));
  const auto kind = queueOfKey(reviewer_.reviewQueue().key());
  other_run_->setVisible(kind && describe(*kind).needs.other_run);
}

void ReviewBar::showQueue() {
  queue_->showState();
  filter_->showState();
  const Queue& queue = reviewer_.queue();
  const auto kind = queueOfKey(queue.key);
  const bool without_errors =
      queue.first_part == 0 && queue.length() > 0 && kind && describe(*kind).needs.given_labels;
  why_->setText(without_errors
                    ? tr("No label is certainly wrong here; the most doubtful come first.")
                    : QString::fromStdString(queue.why));
}

void ReviewBar::showHidden() {
  hidden_->setCurrentIndex(hidden_->findData(reviewer_.choices().hiddenShare()));
}

void ReviewBar::showKeys() {
  const ReviewKeys& keys = reviewer_.keys();
  keys_->setText(keys.withKey(tr("Keys"), ReviewCommand::kKeys));
  const QString tip =
      tr("Decide about some or all images without seeing the suggestion, so that it cannot "
         "influence you. The same images are always chosen.");
  const QString hide = keys.keysText(ReviewCommand::kHide);
  hidden_->setToolTip(
      hide.isEmpty()
          ? tip
          : tip + u'\n' +
                tr("%1 switches between never and always; if the suggestion of only some images "
                   "is hidden, it hides or shows that of this image.")
                    .arg(hide));
}

void ReviewBar::chooseRows(bool only_selected) {
  setOrigin({});
  std::vector<std::int64_t> rows;
  if (const ItemList items = reviewer_.session().listing().items(); only_selected && items) {
    for (const ItemRef item : items->all()) {
      if (item.part == 0) {
        rows.push_back(item.row);
      }
    }
  }
  reviewer_.reviewQueue().setOnlyRows(std::move(rows));
}

void ReviewBar::offerSelection() {
  // A review of a selection continues with the items that were selected when it began.
  const bool offered =
      only_selected_->isChecked() || hasSelection(reviewer_.session().listing().query());
  only_selected_->setEnabled(offered);
  only_selected_->setToolTip(
      offered ? tr("Review only the images that are selected on the other pages")
              : tr("Nothing is selected: first select images on another page, for example a range "
                   "of a histogram on Overview or a cell of the confusion matrix on Images"));
}

}  // namespace dubito
