// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/pages/review_classes.h"
#include "app/pages/review_progress.h"
#include "app/panels/words.h"
#include "app/session/workbench.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito {
namespace {

constexpr int kPrefetched = 6;
struct ActionKey {
  Qt::Key key;
  LabelAction action;
};
constexpr ActionKey kActionKeys[] = {{Qt::Key_N, LabelAction::kNotInClasses},
                                     {Qt::Key_U, LabelAction::kAmbiguous},
                                     {Qt::Key_S, LabelAction::kSkip},
                                     {Qt::Key_G, LabelAction::kFlag}};

}  // namespace

ReviewPage::ReviewPage(Workbench& workbench, const QSettings& settings, QWidget* parent)
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
  image_card_ = new Card(tr("Image"), work);
  image_card_->setObjectName(QStringLiteral("reviewImageCard"));
  image_card_->setContent(makeImage());
  class_card_ = new Card(tr("What is it?"), work);
  class_card_->setObjectName(QStringLiteral("reviewClassCard"));
  classes_ = new ReviewClasses(reviewer_, class_card_);
  class_card_->setContent(classes_);
  auto* const rows = new CardRows(QStringLiteral("reviewRows"), work);
  rows->addRow(1, {{image_card_, 3}, {class_card_, 2}});
  auto* const layout = new QVBoxLayout(work);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(makeBar());
  layout->addWidget(rows, 1);
  auto* const progress_card = new Card(tr("Progress"), work);
  progress_card->setObjectName(QStringLiteral("reviewProgressCard"));
  progress_ = new ReviewProgress(reviewer_, progress_card);
  progress_card->setContent(progress_);
  layout->addWidget(progress_card);
  stack_->addWidget(work);

  auto* const outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(stack_);

  const auto focus = [this] { setFocus(); };
  connect(classes_, &ReviewClasses::finished, this, focus);
  connect(progress_, &ReviewProgress::finished, this, focus);
  connect(progress_, &ReviewProgress::picturesNeeded, this, [this](const QVector<qint64>& keys) {
    if (reviewer_.analysis()) {
      loader_.load(picturesOf(reviewer_.analysis()), keys);
    }
  });
  connect(start_, &QPushButton::clicked, &reviewer_, &Reviewer::start);
  connect(&reviewer_, &Reviewer::failed, this, &ReviewPage::failed);
  connect(&reviewer_, &Reviewer::noticed, this, &ReviewPage::noticed);
  connect(&reviewer_, &Reviewer::stateChanged, this, &ReviewPage::showState);
  connect(&reviewer_, &Reviewer::itemChanged, this, &ReviewPage::showItem);
  connect(&session_, &Session::activeAnalysisChanged, this, &ReviewPage::showState);
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& of, qint64 key, const QImage& image) {
            if (of == reviewer_.analysis()) {
              takePicture(key, image);
            }
          });
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
  queue_ = new QComboBox(bar);
  queue_->setObjectName(QStringLiteral("reviewQueue"));
  queue_->setAccessibleName(tr("Order of the images"));
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
  auto* const layout = new QHBoxLayout;
  layout->setSpacing(2 * kGrid);
  layout->addWidget(queue_);
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
  layout->addWidget(export_);
  fillQueues();
  return bar;
}

QWidget* ReviewPage::makeImage() {
  auto* const content = new QWidget(this);
  image_ = new ZoomView(content);
  image_->setObjectName(QStringLiteral("reviewImage"));
  image_->installEventFilter(this);
  suggestion_ = new QLabel(content);
  suggestion_->setObjectName(QStringLiteral("reviewSuggestion"));
  suggestion_->setFont(uiFont(TypeSize::kTitle));
  suggestion_->setAlignment(Qt::AlignCenter);
  accept_ = new QPushButton(content);
  accept_->setObjectName(QStringLiteral("reviewAccept"));
  accept_->setProperty("role", QStringLiteral("primary"));
  accept_->setFocusPolicy(Qt::TabFocus);
  auto* const buttons = new QHBoxLayout;
  buttons->setSpacing(2 * kGrid);
  const auto add = [&](const QString& text, const char* name, const QString& tip, auto action) {
    auto* const button = new QPushButton(text, content);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, this, action);
    buttons->addWidget(button);
  };
  buttons->addStretch(1);
  buttons->addWidget(accept_);
  add(tr("None of these (N)"), "reviewNone", tr("No class in the list is right"),
      [this] { reviewer_.mark(LabelAction::kNotInClasses); });
  add(tr("Can't tell (U)"), "reviewAmbiguous", tr("Several classes are right, or nobody can tell"),
      [this] { reviewer_.mark(LabelAction::kAmbiguous); });
  add(tr("Skip (S)"), "reviewSkip", tr("Decide later"),
      [this] { reviewer_.mark(LabelAction::kSkip); });
  add(tr("Undo"), "reviewUndo", tr("Take back the last decision (Ctrl+Z)"),
      [this] { reviewer_.undo(); });
  buttons->addStretch(1);
  auto* const layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(image_, 1);
  layout->addWidget(suggestion_);
  layout->addLayout(buttons);
  connect(accept_, &QPushButton::clicked, &reviewer_, &Reviewer::accept);
  return content;
}

void ReviewPage::fillQueues() {
  queue_->clear();
  for (const QueueId id : allQueueKinds()) {
    const QueueKind& kind = describe(id);
    if (kind.needs.other_run || kind.needs.features) {
      continue;  // offered where these are chosen
    }
    queue_->addItem(QString::fromStdString(kind.name), QString::fromStdString(kind.key));
    queue_->setItemData(queue_->count() - 1, QString::fromStdString(kind.why), Qt::ToolTipRole);
  }
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
  if (reviewer_.onlyRows().empty() && only_selected_->isChecked()) {
    const QSignalBlocker blocker(only_selected_);
    only_selected_->setChecked(false);
    offerSelection();
  }
  queue_->setCurrentIndex(queue_->findData(QString::fromStdString(reviewer_.queueKey())));
  why_->setText(QString::fromStdString(reviewer_.queue().why));
  image_card_->setSubtitle(tr("labels in %1").arg(QFileInfo(reviewer_.file().place()).fileName()));
  showItem();
}

void ReviewPage::showItem() {
  if (!reviewer_.active()) {
    return;
  }
  progress_->showItem();
  classes_->showItem();
  const auto row = reviewer_.row();
  accept_->setEnabled(row && !reviewer_.hidesSuggestion());
  if (!row) {
    image_card_->setTitle(tr("Image"));
    image_->setImage({}, reviewer_.busy() ? tr("Sorting the images…")
                                          : tr("Nothing left in this list. Choose another one."));
    suggestion_->clear();
    return;
  }
  const AnalysisPtr& analysis = reviewer_.analysis();
  image_card_->setTitle(itemName(*analysis, {0, *row}));
  const QString name = className(*analysis, reviewer_.suggestion());
  const PresentLabel* const label = reviewer_.label();
  if (reviewer_.hidesSuggestion()) {
    suggestion_->setText(tr("What is it?"));
    accept_->setText(tr("Accept (Enter)"));
  } else {
    const double prob = analysis->in().run->confidence.data()[*row];
    const QString given = className(*analysis, reviewer_.givenLabel());
    const QString percent = shortText(100.0 * prob);
    suggestion_->setText(
        label != nullptr
            ? tr("Your decision: %1")
                  .arg(decisionText(reviewer_.file().classes(), label->action, label->class_id))
        : given.isEmpty()
            ? tr("The network says %1, %2 % sure").arg(name, percent)
            : tr("Labelled %1. The network says %2, %3 % sure").arg(given, name, percent));
    accept_->setText(tr("It is %1 (Enter)").arg(name));
  }
  loadPictures();
}

void ReviewPage::loadPictures() {
  const AnalysisPtr& analysis = reviewer_.analysis();
  // The item shown comes first; one that is not in the queue is followed by the queue's present
  // one.
  const qint64 shown = keyOf({0, *reviewer_.row()});
  QVector<qint64> wanted = {shown};
  const std::int64_t first = std::max<std::int64_t>(reviewer_.position(), 0);
  const std::int64_t end = std::min(first + 1 + kPrefetched, reviewer_.queue().length());
  for (std::int64_t at = first; at < end; ++at) {
    wanted << keyOf({0, reviewer_.queue().rows[static_cast<std::size_t>(at)]});
  }
  QVector<qint64> missing;
  QHash<qint64, QImage> kept;
  for (const qint64 key : wanted) {
    if (const auto found = pictures_.constFind(key); found != pictures_.constEnd()) {
      kept.insert(key, *found);
    } else if (!missing.contains(key)) {
      missing << key;
    }
  }
  pictures_ = std::move(kept);
  if (const auto found = pictures_.constFind(shown); found != pictures_.constEnd()) {
    image_->setImage(*found, tr("This image cannot be read"));
    image_->update();
  } else {
    image_->setImage({}, tr("Loading…"));
  }
  if (!missing.isEmpty()) {
    loader_.load(picturesOf(analysis), missing);
  }
}

void ReviewPage::takePicture(qint64 key, const QImage& image) {
  progress_->setPicture(key, image);
  const auto row = reviewer_.row();
  if (!row) {
    return;
  }
  pictures_.insert(key, image);
  if (key == keyOf({0, *row})) {
    image_->setImage(image, tr("This image cannot be read"));
  }
}

bool ReviewPage::busy() const {
  return reviewer_.busy() || loader_.pending() > 0;
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

bool ReviewPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == image_ && event->type() == QEvent::Paint && !image_->image().isNull()) {
    reviewer_.itemPainted();
  }
  return QWidget::eventFilter(watched, event);
}

void ReviewPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  setFocus();
}

void ReviewPage::keyPressEvent(QKeyEvent* event) {
  if (!reviewer_.active()) {
    QWidget::keyPressEvent(event);
    return;
  }
  const bool jumps = event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier);
  if (event->modifiers() != Qt::NoModifier && event->modifiers() != Qt::KeypadModifier && !jumps) {
    QWidget::keyPressEvent(event);
    return;
  }
  // A key that is held down must not decide about images that nobody has looked at.
  const bool may_decide = !event->isAutoRepeat() && !jumps;
  if (const auto class_id = jumps ? std::nullopt : classes_->classOfKey(event->text())) {
    if (may_decide) {
      reviewer_.choose(*class_id);
    }
    return;
  }
  if (const auto* const found = std::ranges::find(kActionKeys, event->key(), &ActionKey::key);
      found != std::end(kActionKeys)) {
    if (may_decide) {
      reviewer_.mark(found->action);
    }
    return;
  }
  switch (event->key()) {
    case Qt::Key_A:
    case Qt::Key_Left:
      jumps ? reviewer_.moveToUndecided(-1) : reviewer_.move(-1);
      return;
    case Qt::Key_D:
    case Qt::Key_Right:
      jumps ? reviewer_.moveToUndecided(1) : reviewer_.move(1);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (may_decide) {
        reviewer_.accept();
      }
      return;
    case Qt::Key_H:
      blind_->toggle();
      return;
    case Qt::Key_Z:
      image_->fit();
      return;
    case Qt::Key_Slash:
      classes_->startSearch();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace dubito
