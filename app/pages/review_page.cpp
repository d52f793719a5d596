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

#include "app/pages/review_automatic.h"
#include "app/pages/review_grid.h"
#include "app/pages/review_learn.h"
#include "app/pages/review_mode.h"
#include "app/pages/review_results.h"
#include "app/pages/review_sheet.h"
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
     makeMode<ReviewGrid>},
    {"automatic", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Automatic"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage",
                       "The network labels what it is sure about, with a promise that is checked"),
     makeMode<ReviewAutomatic>},
    {"learn", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Learn"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage",
                       "The network learns from your labels and sorts the images again"),
     makeMode<ReviewLearn>},
    {"results", QT_TRANSLATE_NOOP("dubito::ReviewPage", "Results"),
     QT_TRANSLATE_NOOP("dubito::ReviewPage", "What the review has changed, and how it went"),
     makeMode<ReviewResults>}};

/// For how many images the suggestion can be hidden.
struct HiddenShare {
  double share;
  const char* name;
};
constexpr HiddenShare kHiddenShares[] = {
    {0.0, QT_TRANSLATE_NOOP("dubito::ReviewPage", "Hide suggestion: never")},
    {0.1, QT_TRANSLATE_NOOP("dubito::ReviewPage", "Hide suggestion: 1 in 10")},
    {0.2, QT_TRANSLATE_NOOP("dubito::ReviewPage", "Hide suggestion: 1 in 5")},
    {0.5, QT_TRANSLATE_NOOP("dubito::ReviewPage", "Hide suggestion: 1 in 2")},
    {1.0, QT_TRANSLATE_NOOP("dubito::ReviewPage", "Hide suggestion: always")}};

/// Why a queue is useful, and the measure that it is ordered by.
QString tooltipOf(const QueueKind& kind) {
  const QString why = QString::fromStdString(kind.why);
  return kind.measure ? ReviewPage::tr("%1\nMeasure: %2")
                            .arg(why, QString::fromStdString(describe(*kind.measure).name))
                      : why;
}

}  // namespace

ReviewPage::ReviewPage(Workbench& workbench, QSettings& settings, QWidget* parent)
    : QWidget(parent),
      reviewer_(workbench.session(), settings),
      features_(reviewer_, workbench),
      session_(workbench.session()) {
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
    connect(mode, &ReviewMode::editClassesRequested, this,
            [this](std::optional<std::int64_t> class_id) { sheet().showClasses(class_id); });
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
  connect(&features_, &QueueFeatures::failed, this, &ReviewPage::failed);
  connect(&reviewer_, &Reviewer::stateChanged, this, &ReviewPage::showState);
  connect(&reviewer_, &Reviewer::itemChanged, this, &ReviewPage::showItem);
  connect(&reviewer_, &Reviewer::queueTextChanged, this, &ReviewPage::showQueue);
  connect(&session_, &Session::activeAnalysisChanged, this, &ReviewPage::showState);
  connect(&reviewer_.file(), &LabelFile::exported, this,
          [this](const QString& path, qint64 labels, const QStringList& notes) {
            QStringList lines = {labels == 1
                                     ? tr("1 label saved: %1").arg(path)
                                     : tr("%1 labels saved: %2").arg(countText(labels), path)};
            Q_EMIT noticed((lines + notes).join(QLatin1Char('\n')));
          });
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &ReviewPage::offerSelection);
  offerSelection();
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewPage::showKeys);
  showKeys();
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
  mode_tabs_->setElideMode(Qt::ElideNone);
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
  hidden_ = new QComboBox(bar);
  hidden_->setObjectName(QStringLiteral("reviewHidden"));
  hidden_->setAccessibleName(tr("Hide suggestion"));
  for (const HiddenShare& share : kHiddenShares) {
    hidden_->addItem(tr(share.name), share.share);
  }
  advance_ = new QCheckBox(tr("Next image after deciding"), bar);
  advance_->setObjectName(QStringLiteral("reviewAdvance"));
  advance_->setChecked(true);
  auto* const lines = new QVBoxLayout(bar);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(kGrid);
  auto* const layout = new QHBoxLayout;
  layout->setSpacing(2 * kGrid);
  layout->addWidget(mode_tabs_);
  layout->addStretch(1);
  layout->addWidget(advance_);
  auto* const choices = new QHBoxLayout;
  choices->setSpacing(2 * kGrid);
  choices->addWidget(queue_);
  choices->addWidget(other_run_);
  choices->addWidget(why_, 1);
  choices->addWidget(only_selected_);
  choices->addWidget(hidden_);
  lines->addLayout(layout);
  lines->addLayout(choices);
  // The keys belong to the images.
  only_selected_->setFocusPolicy(Qt::TabFocus);
  advance_->setFocusPolicy(Qt::TabFocus);
  hidden_->setFocusPolicy(Qt::TabFocus);
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
  connect(hidden_, &QComboBox::activated, this, [this] {
    reviewer_.choices().setHiddenShare(hidden_->currentData().toDouble());
    setFocus();
  });
  connect(advance_, &QCheckBox::toggled, &reviewer_, &Reviewer::setAdvances);
  keys_ = new QPushButton(bar);
  keys_->setObjectName(QStringLiteral("reviewKeys"));
  keys_->setToolTip(tr("Show and change the keys and the classes, and enter your name"));
  keys_->setFocusPolicy(Qt::TabFocus);
  connect(keys_, &QPushButton::clicked, this, [this] { sheet().showKeys(); });
  layout->addWidget(keys_);
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
  layout->addWidget(export_);
  fillQueues();
  return bar;
}

void ReviewPage::fillQueues() {
  queue_->clear();
  for (const QueueId id : allQueueKinds()) {
    const QueueKind& kind = describe(id);
    queue_->addItem(QString::fromStdString(kind.name), QString::fromStdString(kind.key));
    queue_->setItemData(queue_->count() - 1, tooltipOf(kind), Qt::ToolTipRole);
  }
}

void ReviewPage::offerQueues() {
  const std::vector<AnalysisPtr> runs = reviewer_.otherRuns();
  const auto& model = static_cast<const QStandardItemModel&>(*queue_->model());
  for (int i = 0; i < queue_->count(); ++i) {
    const QueueKind& kind =
        describe(queueOfKey(queue_->itemData(i).toString().toStdString()).value());
    QString obstacle;
    QString tip = tooltipOf(kind);
    if (kind.needs.other_run && runs.empty()) {
      obstacle = tr("Compute a second run over these images first");
    } else if (kind.needs.features) {
      obstacle = features_.obstacle();
      const QString name = QString::fromStdString(kind.name);
      const bool is_free = !obstacle.isEmpty() || features_.price().isEmpty();
      queue_->setItemText(i, is_free ? name : tr("%1 (%2)").arg(name, features_.shortPrice()));
      tip += is_free ? QString() : u'\n' + features_.price();
    }
    model.item(i)->setEnabled(obstacle.isEmpty());
    queue_->setItemData(i, obstacle.isEmpty() ? tip : obstacle, Qt::ToolTipRole);
  }
  const QSignalBlocker blocker(other_run_);
  other_run_->clear();
  for (const AnalysisPtr& run : runs) {
    other_run_->addItem(tr("against %1").arg(QString::fromStdString(run->name)));
  }
  const auto chosen = std::ranges::find(runs, reviewer_.otherRun());
  other_run_->setCurrentIndex(
      chosen == runs.end() ? -1 : static_cast<int>(std::distance(runs.begin(), chosen)));
  const auto kind = queueOfKey(reviewer_.queueKey());
  other_run_->setVisible(mode().showsQueue() && kind && describe(*kind).needs.other_run);
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
  showQueue();
  for (QWidget* const widget : {static_cast<QWidget*>(queue_), static_cast<QWidget*>(why_),
                                static_cast<QWidget*>(only_selected_),
                                static_cast<QWidget*>(hidden_), static_cast<QWidget*>(advance_)}) {
    widget->setVisible(mode().showsQueue());
  }
  mode().showState();
}

void ReviewPage::showQueue() {
  queue_->setCurrentIndex(queue_->findData(QString::fromStdString(reviewer_.queueKey())));
  // The name of a queue that is not in the list.
  queue_->setPlaceholderText(QString::fromStdString(reviewer_.queue().name));
  why_->setText(QString::fromStdString(reviewer_.queue().why));
}

void ReviewPage::showItem() {
  hidden_->setCurrentIndex(hidden_->findData(reviewer_.choices().hiddenShare()));
  if (reviewer_.active()) {
    mode().showItem();
  }
}

void ReviewPage::showKeys() {
  const ReviewKeys& keys = reviewer_.keys();
  keys_->setText(keys.withKey(tr("Keys"), ReviewCommand::kKeys));
  const QString tip =
      tr("Decide about some or all images without seeing the network's answer, so that it cannot "
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

ReviewSheet& ReviewPage::sheet() {
  if (sheet_ == nullptr) {
    sheet_ = new ReviewSheet(reviewer_, this);
  }
  return *sheet_;
}

bool ReviewPage::busy() const {
  return reviewer_.busy() || features_.busy() || mode().busy();
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
  const auto command = reviewer_.keys().commandOf(*event);
  if (!reviewer_.active()) {
    QWidget::keyPressEvent(event);
  } else if (command == ReviewCommand::kHide) {
    if (!event->isAutoRepeat()) {
      reviewer_.toggleHidden();
    }
  } else if (command == ReviewCommand::kKeys) {
    sheet().showKeys();
  } else if (!mode().takeKey(*event)) {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace dubito
