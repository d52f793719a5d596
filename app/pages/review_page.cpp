// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "app/pages/review_grid.h"
#include "app/pages/review_mode.h"
#include "app/pages/review_single.h"
#include "app/session/workbench.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// The ways to work on labels, in the order of their tabs.
struct ModeInfo {
  const char* key;
  const char* name;
  const char* tip;
  ReviewMode* (*make)(Reviewer& reviewer, Workbench& workbench, QWidget* parent);
};

template <class Mode>
ReviewMode* makeMode(Reviewer& reviewer, Workbench& workbench, QWidget* parent) {
  if constexpr (std::is_constructible_v<Mode, Reviewer&, Workbench&, QWidget*>) {
    return new Mode(reviewer, workbench, parent);
  } else {
    return new Mode(reviewer, parent);
  }
}

constexpr ModeInfo kModes[] = {
    {"single", QT_TRANSLATE_NOOP("dubito::ReviewPage", "One by one"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage", "One large image at a time"), makeMode<ReviewSingle>},
    {"grid", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Many at once"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage", "Pages of images that the network calls the same"),
     makeMode<ReviewGrid>}};

}  // namespace

ReviewPage::ReviewPage(Workbench& workbench, QSettings& settings, QWidget* parent)
    : QWidget(parent), reviewer_(workbench.session(), settings), session_(workbench.session()) {
  setObjectName(QStringLiteral("reviewPage"));
  setFocusPolicy(Qt::StrongFocus);
  stack_ = new QStackedWidget(this);
  stack_->setObjectName(QStringLiteral("reviewStack"));

  auto* const welcome = new QWidget(stack_);
  welcome_ = new QLabel(welcome);
  welcome_->setObjectName(QStringLiteral("reviewWelcome"));
  welcome_->setWordWrap(true);
  welcome_->setAlignment(Qt::AlignCenter);
  start_ = new QPushButton(tr("Start reviewing"), welcome);
  start_->setObjectName(QStringLiteral("reviewStart"));
  start_->setProperty("role", QStringLiteral("primary"));
  auto* const welcome_layout = new QVBoxLayout(welcome);
  welcome_layout->addStretch(2);
  welcome_layout->addWidget(welcome_);
  welcome_layout->addSpacing(3 * kGrid);
  welcome_layout->addWidget(start_, 0, Qt::AlignHCenter);
  welcome_layout->addStretch(3);
  stack_->addWidget(welcome);

  auto* const work = new QWidget(stack_);
  modes_ = new QStackedWidget(work);
  auto* const bar = makeBar();
  for (const ModeInfo& info : kModes) {
    ReviewMode* const mode = info.make(reviewer_, workbench, modes_);
    modes_->addWidget(mode);
    const int tab = mode_tabs_->addTab(tr(info.name));
    mode_tabs_->setTabToolTip(tab, tr(info.tip));
    mode_tabs_->setTabData(tab, QLatin1String(info.key));
    connect(mode, &ReviewMode::finished, this, [this] { setFocus(); });
    connect(mode, &ReviewMode::modeRequested, this, &ReviewPage::showMode);
    connect(mode, &ReviewMode::failed, this, &ReviewPage::failed);
    connect(mode, &ReviewMode::noticed, this, &ReviewPage::noticed);
  }
  connect(mode_tabs_, &QTabBar::currentChanged, this, [this](int tab) {
    modes_->setCurrentIndex(tab);
    showState();
    reviewer_.showAgain();  // the time spent in another mode does not count
    setFocus();
  });
  auto* const layout = new QVBoxLayout(work);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(bar);
  layout->addWidget(modes_, 1);
  stack_->addWidget(work);

  auto* const outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(stack_);

  connect(start_, &QPushButton::clicked, &reviewer_, &Reviewer::start);
  connect(&reviewer_, &Reviewer::failed, this, &ReviewPage::failed);
  connect(&reviewer_, &Reviewer::noticed, this, &ReviewPage::noticed);
  connect(&reviewer_, &Reviewer::stateChanged, this, &ReviewPage::showState);
  connect(&reviewer_, &Reviewer::itemChanged, this, &ReviewPage::showItem);
  connect(&session_, &Session::activeAnalysisChanged, this, &ReviewPage::showState);
  connect(&reviewer_.file(), &LabelFile::exported, this,
          [this](const QString& path, qint64 labels, const QStringList& notes) {
            QStringList lines = {tr("%1 labels saved: %2").arg(countText(labels), path)};
            Q_EMIT noticed((lines + notes).join(QLatin1Char('\n')));
          });
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &ReviewPage::offerSelection);
  offerSelection();
  reviewer_.file().setAnnotator(qEnvironmentVariable("USER", tr("me")));
  showState();
}

ReviewPage::~ReviewPage() = default;

QWidget* ReviewPage::makeBar() {
  auto* const bar = new QWidget(this);
  mode_tabs_ = new QTabBar(bar);
  mode_tabs_->setObjectName(QStringLiteral("reviewModes"));
  mode_tabs_->setAccessibleName(tr("Ways to review"));
  mode_tabs_->setDrawBase(false);
  mode_tabs_->setExpanding(false);
  mode_tabs_->setUsesScrollButtons(false);
  mode_tabs_->setFocusPolicy(Qt::TabFocus);
  queue_ = new QComboBox(bar);
  queue_->setObjectName(QStringLiteral("reviewQueue"));
  queue_->setAccessibleName(tr("Order of the images"));
  other_run_ = new QComboBox(bar);
  other_run_->setObjectName(QStringLiteral("reviewOtherRun"));
  other_run_->setAccessibleName(tr("Run to compare with"));
  other_run_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  other_run_->setMinimumContentsLength(18);
  why_ = new QLabel(bar);
  why_->setObjectName(QStringLiteral("reviewWhy"));
  why_->setProperty("role", QStringLiteral("muted"));
  why_->setWordWrap(true);
  only_selected_ = new QCheckBox(tr("Only the selection"), bar);
  only_selected_->setObjectName(QStringLiteral("reviewOnlySelected"));
  only_selected_->setToolTip(tr("Review only the images that are selected on the other pages"));
  blind_ = new QCheckBox(tr("Hide suggestion (H)"), bar);
  blind_->setObjectName(QStringLiteral("reviewBlind"));
  blind_->setToolTip(tr("Decide without seeing the network's answer"));
  advance_ = new QCheckBox(tr("Next image after deciding"), bar);
  advance_->setObjectName(QStringLiteral("reviewAdvance"));
  advance_->setChecked(true);
  auto* const lines = new QVBoxLayout(bar);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(kGrid);
  auto* const head = new QHBoxLayout;
  head->setSpacing(2 * kGrid);
  head->addWidget(mode_tabs_);
  head->addStretch(1);
  lines->addLayout(head);
  auto* const layout = new QHBoxLayout;
  layout->setSpacing(2 * kGrid);
  layout->addWidget(queue_);
  layout->addWidget(other_run_);
  layout->addStretch(1);
  lines->addLayout(layout);
  lines->addWidget(why_);
  layout->addWidget(only_selected_);
  layout->addWidget(blind_);
  layout->addWidget(advance_);
  for (QCheckBox* const widget : {only_selected_, blind_, advance_}) {
    widget->setFocusPolicy(Qt::TabFocus);  // the keys belong to the images
  }
  connect(queue_, &QComboBox::activated, this, [this] {
    reviewer_.setQueue(queue_->currentData().toString().toStdString());
    setFocus();
  });
  connect(other_run_, &QComboBox::activated, this, [this](int index) {
    const auto runs = reviewer_.otherRuns();
    if (index >= 0 && index < static_cast<int>(runs.size())) {
      reviewer_.setOtherRun(runs[static_cast<std::size_t>(index)]);
    }
    setFocus();
  });
  connect(only_selected_, &QCheckBox::toggled, this, &ReviewPage::chooseRows);
  connect(blind_, &QCheckBox::toggled, &reviewer_, &Reviewer::setBlind);
  connect(advance_, &QCheckBox::toggled, &reviewer_, &Reviewer::setAdvances);
  export_ = new QPushButton(tr("Export labels"), bar);
  export_->setObjectName(QStringLiteral("reviewExport"));
  export_->setFocusPolicy(Qt::TabFocus);
  auto* const menu = new QMenu(export_);
  for (const LabelFormat* const format : allLabelFormats()) {
    QAction* const action =
        menu->addAction(QString::fromUtf8(format->name), [this, format] { exportLabels(*format); });
    action->setObjectName(QStringLiteral("exportLabels-") + QLatin1String(format->key));
    action->setToolTip(QString::fromUtf8(format->summary));
  }
  menu->setToolTipsVisible(true);
  export_->setMenu(menu);
  head->addWidget(export_);
  fillQueues();
  return bar;
}

void ReviewPage::fillQueues() {
  queue_->clear();
  for (const QueueId id : allQueueKinds()) {
    const QueueKind& kind = describe(id);
    if (kind.needs.features) {
      continue;  // the window has no features at hand
    }
    queue_->addItem(QString::fromStdString(kind.name), QString::fromStdString(kind.key));
    queue_->setItemData(queue_->count() - 1, QString::fromStdString(kind.why), Qt::ToolTipRole);
  }
}

void ReviewPage::offerQueues() {
  const std::vector<AnalysisPtr> runs = reviewer_.otherRuns();
  const auto& model = static_cast<const QStandardItemModel&>(*queue_->model());
  for (int i = 0; i < queue_->count(); ++i) {
    const QueueKind& kind =
        describe(queueOfKey(queue_->itemData(i).toString().toStdString()).value());
    const bool offered = !kind.needs.other_run || !runs.empty();
    model.item(i)->setEnabled(offered);
    queue_->setItemData(i,
                        offered ? QString::fromStdString(kind.why)
                                : tr("Compute a second run over these images first"),
                        Qt::ToolTipRole);
  }
  const QSignalBlocker blocker(other_run_);
  other_run_->clear();
  for (const AnalysisPtr& run : runs) {
    other_run_->addItem(tr("against %1").arg(QString::fromStdString(run->name)));
  }
  const auto chosen = std::ranges::find(runs, reviewer_.otherRun());
  other_run_->setCurrentIndex(
      chosen == runs.end() ? -1 : static_cast<int>(std::distance(runs.begin(), chosen)));
  const QueueKind& kind = describe(queueOfKey(reviewer_.queueKey()).value());
  other_run_->setVisible(mode().showsQueue() && kind.needs.other_run);
}

void ReviewPage::showState() {
  const bool active = reviewer_.active();
  stack_->setCurrentIndex(active ? 1 : 0);
  if (!active) {
    const QString obstacle = reviewer_.obstacle();
    start_->setVisible(obstacle.isEmpty());
    welcome_->setText(
        obstacle.isEmpty()
            ? tr("Check the labels of your images one by one, the most doubtful first. "
                 "Every decision is saved at once; you can stop at any time.")
            : obstacle);
    return;
  }
  if (reviewer_.onlyRows().empty() == only_selected_->isChecked()) {
    const QSignalBlocker blocker(only_selected_);
    only_selected_->setChecked(!only_selected_->isChecked());
    offerSelection();
  }
  offerQueues();
  queue_->setCurrentIndex(queue_->findData(QString::fromStdString(reviewer_.queueKey())));
  why_->setText(QString::fromStdString(reviewer_.queue().why));
  for (QWidget* const widget : {static_cast<QWidget*>(queue_), static_cast<QWidget*>(why_),
                                static_cast<QWidget*>(only_selected_),
                                static_cast<QWidget*>(blind_), static_cast<QWidget*>(advance_)}) {
    widget->setVisible(mode().showsQueue());
  }
  mode().showState();
}

void ReviewPage::showItem() {
  if (reviewer_.active()) {
    mode().showItem();
  }
}

bool ReviewPage::busy() const {
  return reviewer_.busy() || mode().busy();
}

ReviewMode& ReviewPage::mode() const {
  return static_cast<ReviewMode&>(*modes_->currentWidget());
}

void ReviewPage::showMode(const QString& key) {
  for (int tab = 0; tab < mode_tabs_->count(); ++tab) {
    if (mode_tabs_->tabData(tab) == key) {
      mode_tabs_->setCurrentIndex(tab);
    }
  }
}

void ReviewPage::chooseRows(bool only_selected) {
  std::vector<std::int64_t> rows;
  if (const ItemList items = session_.listing().items(); only_selected && items) {
    for (const ItemRef& item : *items) {
      if (item.part == 0) {
        rows.push_back(item.row);
      }
    }
  }
  reviewer_.setOnlyRows(std::move(rows));
}

void ReviewPage::offerSelection() {
  // A review of a selection goes on with the items that were selected when it began.
  only_selected_->setEnabled(only_selected_->isChecked() ||
                             hasSelection(session_.listing().query()));
}

void ReviewPage::exportLabels(const LabelFormat& format) {
  const bool folder = *format.ending == '\0';
  QString path = std::exchange(next_file_name_, {});
  if (path.isEmpty()) {
    const QString title = tr("Export labels: %1").arg(QString::fromUtf8(format.name));
    path = QFileDialog::getSaveFileName(
        this, title, tr("labels") + QString::fromUtf8(format.ending),
        folder ? QString() : QStringLiteral("*%1").arg(QString::fromUtf8(format.ending)));
  }
  if (!path.isEmpty()) {
    reviewer_.file().exportTo(format, path, reviewer_.imageFolder());
  }
}

void ReviewPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  setFocus();
}

void ReviewPage::keyPressEvent(QKeyEvent* event) {
  if (!reviewer_.active()) {
    QWidget::keyPressEvent(event);
  } else if (event->key() == Qt::Key_H && event->modifiers() == Qt::NoModifier) {
    blind_->toggle();
  } else if (!mode().takeKey(*event)) {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace dubito
