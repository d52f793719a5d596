// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_grid.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/pages/review_classes.h"
#include "app/pages/review_progress.h"
#include "app/panels/words.h"
#include "app/review/class_keys.h"
#include "app/review/reviewer.h"
#include "core/data/items/sample_hash.h"
#include "widgets/card.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/tile_grid.h"

namespace dubito {
namespace {

constexpr int kSmallestTile = 40;
constexpr int kLargestTile = 320;
constexpr int kUsualTile = 88;
constexpr const char* kTileSizeKey = "review/tileSize";
/// Nobody checks a page faster; a key pressed twice must not accept the next one.
constexpr qint64 kGlanceMilliseconds = 250;

QPushButton* makeGridButton(const char* name, const QString& tip, QWidget* parent) {
  auto* const button = new QPushButton(parent);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

ReviewGrid::ReviewGrid(Reviewer& reviewer, QWidget* parent)
    : ReviewMode(parent), reviewer_(reviewer), pages_(reviewer) {
  card_ = new Card(tr("Many at once"), this);
  card_->setObjectName(QStringLiteral("reviewGridCard"));
  auto* const content = new QWidget(card_);
  auto* const head = makeHead();
  grid_ = new TileGrid(content);
  grid_->setObjectName(QStringLiteral("reviewTiles"));
  grid_->setTileSize(size_->value());
  auto* const inside = new QVBoxLayout(content);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(2 * kGrid);
  inside->addWidget(head);
  inside->addWidget(grid_, 1);
  inside->addWidget(makeFoot());
  card_->setContent(content);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(card_);
  connect(grid_, &TileGrid::marksChanged, this, &ReviewGrid::showTexts);
  connect(grid_, &TileGrid::seenChanged, this, [this] {
    if (!shown_.isValid()) {
      shown_.start();
    }
    showTexts();
  });
  connect(grid_, &TileGrid::capacityChanged, this,
          [this] { pages_.setCapacity(grid_->capacity()); });
  connect(&pictures_, &PagePictures::loaded, this, [this](qint64 key, const QImage& image) {
    grid_->setPicture(key, image);
    prepareHashes();
    showTexts();
  });
  connect(&reviewer_.choices(), &ReviewChoices::changed, this, [this] {
    if (isVisible()) {
      pages_.showAgain();  // the suggestions of other images are hidden
    }
  });
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewGrid::showKeys);
  connect(&pages_, &ClassPages::pageChanged, this, &ReviewGrid::showPage);
  connect(&pages_, &ClassPages::labelsChanged, this, &ReviewGrid::refresh);
  connect(&pages_, &ClassPages::noticed, this, &ReviewMode::noticed);
  connect(&reviewer_.file(), &LabelFile::recorded, this, &ReviewGrid::takeRecorded);
  connect(&reviewer_.file(), &LabelFile::failed, this, [this] {
    saving_ = Saving::kNothing;
    showTexts();
  });
  showKeys();
}

QWidget* ReviewGrid::makeHead() {
  auto* const head = new QWidget(this);
  classes_ = new QComboBox(head);
  classes_->setObjectName(QStringLiteral("reviewGridClass"));
  classes_->setAccessibleName(tr("Suggested class"));
  classes_->setToolTip(tr("Images for which the network suggests this class"));
  classes_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  classes_->setFocusPolicy(Qt::TabFocus);
  hint_ = new QLabel(head);
  hint_->setObjectName(QStringLiteral("reviewGridHint"));
  hint_->setFont(uiFont(TypeSize::kTitle));
  auto* const size_name = new QLabel(tr("Size"), head);
  size_name->setProperty("role", QStringLiteral("muted"));
  size_ = new QSlider(Qt::Horizontal, head);
  size_->setObjectName(QStringLiteral("reviewGridSize"));
  size_->setAccessibleName(tr("Size of the images"));
  size_->setRange(kSmallestTile, kLargestTile);
  size_->setValue(reviewer_.settings().value(QLatin1String(kTileSizeKey), kUsualTile).toInt());
  size_->setFixedWidth(30 * kGrid);
  size_->setFocusPolicy(Qt::TabFocus);
  auto* const layout = new QHBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(classes_);
  layout->addWidget(hint_, 1);
  layout->addWidget(size_name);
  layout->addWidget(size_);
  connect(classes_, &QComboBox::activated, this, [this] {
    pages_.showClass(classes_->currentIndex());
    Q_EMIT finished();
  });
  connect(size_, &QSlider::valueChanged, this, [this](int side) {
    reviewer_.settings().setValue(QLatin1String(kTileSizeKey), side);
    grid_->clearPictures();
    grid_->setTileSize(side);
    pages_.showAgain();
  });
  connect(size_, &QSlider::sliderReleased, this, &ReviewMode::finished);
  return head;
}

QWidget* ReviewGrid::makeFoot() {
  auto* const foot = new QWidget(this);
  auto* const layout = new QHBoxLayout(foot);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  const auto add = [&](const char* name, const QString& text, const QString& tip, auto action) {
    QPushButton* const button = makeGridButton(name, tip, foot);
    button->setText(text);
    connect(button, &QPushButton::clicked, this, [this, action] {
      action();
      Q_EMIT finished();
    });
    layout->addWidget(button);
    return button;
  };
  accept_ = add("reviewGridAccept", {}, tr("The images without a cross have this class"),
                [this] { accept(); });
  accept_->setProperty("role", QStringLiteral("primary"));
  marked_are_ =
      makeGridButton("reviewGridMarkedAre",
                     tr("Give the marked images another class; its key does the same"), foot);
  marked_are_->setText(tr("Marked are"));
  marked_are_->setMenu(new QMenu(marked_are_));
  connect(marked_are_->menu(), &QMenu::aboutToShow, this, &ReviewGrid::fillClassMenu);
  layout->addWidget(marked_are_);
  previous_ =
      add("reviewGridPrevious", {}, tr("Previous page; decides nothing"), [this] { turnPage(-1); });
  next_ = add("reviewGridNext", {}, tr("Next page; decides nothing"), [this] { turnPage(1); });
  add("reviewGridUndo", tr("Undo"), tr("Take back the last step"), [this] { reviewer_.undo(); });
  text_ = new QLabel(foot);
  text_->setObjectName(QStringLiteral("reviewGridText"));
  text_->setProperty("role", QStringLiteral("muted"));
  // The images must not change their size because the text is longer while they load.
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  layout->addWidget(text_, 1);
  left_out_ =
      add("reviewGridLeftOut", {}, tr("Decide the marked images of earlier pages one by one"),
          [this] { reviewLeftOut(); });
  return foot;
}

void ReviewGrid::showEvent(QShowEvent* event) {
  ReviewMode::showEvent(event);
  pages_.setActive(true);
}

void ReviewGrid::hideEvent(QHideEvent* event) {
  ReviewMode::hideEvent(event);
  pages_.setActive(false);
}

void ReviewGrid::showState() {
  pages_.update();
  refresh();
}

void ReviewGrid::showItem() {
  // Hears of decisions itself.
}

void ReviewGrid::takeRecorded() {
  if (std::exchange(saving_, Saving::kNothing) == Saving::kPage) {
    turnPage(1);
  }
}

void ReviewGrid::showPage() {
  if (timed_rows_ != pages_.rows()) {
    timed_rows_ = pages_.rows();
    shown_.invalidate();
    grid_->clearMarks();
  }
  if (reviewer_.active()) {
    if (pictured_ != reviewer_.hashes()) {
      pictured_ = reviewer_.hashes();
      pictures_.setSampleSeen([hashes = pictured_](ItemRef item, const Sample& sample) {
        hashes->put(item.row, sampleHash(sample));
      });
      grid_->clearPictures();
    }
    // The next page is there when this one is accepted.
    pictures_.load(reviewer_.analysis(), static_cast<int>(2 * size_->value() * devicePixelRatioF()),
                   pages_.rows(), pages_.nextRows());
  }
  refresh();
  prepareHashes();
}

void ReviewGrid::prepareHashes() {
  // After the pictures of the page: a hash reads the whole file.
  if (isVisible() && reviewer_.active() && loadingCount() == 0) {
    reviewer_.prepareHashes(pages_.rows());
  }
}

void ReviewGrid::refresh() {
  if (!reviewer_.active()) {
    return;
  }
  std::vector<Tile> tiles;
  for (const std::int64_t row : pages_.rows()) {
    tiles.push_back(tileOf(row));
  }
  grid_->setCaptioned(reviewer_.analysis()->in().labelled);
  grid_->setTiles(std::move(tiles));
  for (const std::int64_t row : pages_.rows()) {
    const qint64 key = keyOf({0, row});
    if (const auto found = pictures_.pictures().constFind(key);
        found != pictures_.pictures().constEnd()) {
      grid_->setPicture(key, *found);
    }
  }
  showCounts();
  showTexts();
}

Tile ReviewGrid::tileOf(std::int64_t row) const {
  const Analysis& analysis = *reviewer_.analysis();
  const Run& run = *analysis.in().run;
  Tile tile;
  tile.key = keyOf({0, row});
  QStringList lines = {itemName(analysis, {0, row}),
                       tr("%1 % sure").arg(shortText(100.0 * run.confidence.data()[row]))};
  if (const std::int64_t given = run.labels.data()[row]; given >= 0) {
    lines << tr("labelled %1").arg(pages_.nameOf(given));
    if (pages_.labelOf(given) != pages_.labelOf(pages_.shownClass())) {
      tile.caption = lines.back();
    }
  }
  tile.tooltip = lines.join(QLatin1Char('\n'));
  if (pages_.lists().isDecided(row)) {
    const PresentLabel* const label = reviewer_.file().labelOf(pages_.itemOf(row));
    tile.settled = label == nullptr
                       ? tr("decided")
                       : decisionText(reviewer_.file().classes(), label->action, label->class_id);
  } else if (pages_.isElsewhere(row)) {
    tile.settled = tr("with somebody else");
  }
  return tile;
}

void ReviewGrid::showCounts() {
  const QSignalBlocker blocker(classes_);
  const auto count = pages_.ready() ? static_cast<int>(pages_.lists().classCount()) : 0;
  while (classes_->count() > count) {
    classes_->removeItem(count);
  }
  for (int k = 0; k < count; ++k) {
    const QString text =
        tr("%1 (%2 left)").arg(pages_.nameOf(k), countText(pages_.lists().undecidedCount(k)));
    if (k == classes_->count()) {
      classes_->addItem(text);
    } else if (classes_->itemText(k) != text) {
      classes_->setItemText(k, text);
    }
  }
  classes_->setCurrentIndex(static_cast<int>(pages_.shownClass()));
}

QString ReviewGrid::emptyText() const {
  if (!pages_.ready() || reviewer_.busy()) {
    return tr("Sorting the images…");
  }
  if (pages_.hidden()) {
    return tr(
        "These pages show images that the network calls the same, so they would tell its "
        "suggestion. Show the suggestion again, or choose One by one.");
  }
  if (!pages_.largestClass()) {
    return tr("Nothing left in this list. Choose another one.");
  }
  const QString name = pages_.nameOf(pages_.shownClass());
  const std::int64_t left = pages_.lists().undecidedCount(pages_.shownClass());
  return left == 0 ? tr("All images that the network calls %1 are decided.").arg(name)
                   : tr("End of the images that the network calls %1. Not decided: %2")
                         .arg(name, countText(left));
}

QString ReviewGrid::pageText() const {
  if (pages_.rows().empty()) {
    return {};
  }
  int unreadable = 0;
  for (int index = 0; index < static_cast<int>(grid_->tiles().size()); ++index) {
    unreadable += grid_->isUnreadable(index) ? 1 : 0;
  }
  QStringList parts = {tr("%1 of %2 that are left")
                           .arg(countText(std::ssize(pages_.rows())),
                                countText(pages_.lists().undecidedCount(pages_.shownClass())))};
  if (const auto marked = grid_->seenTiles(true).size(); marked > 0) {
    parts << tr("%1 marked").arg(marked);
  }
  if (const int loading = loadingCount(); loading > 0) {
    parts << tr("%1 loading").arg(loading);
  }
  if (unreadable > 0) {
    parts << tr("%1 cannot be read").arg(unreadable);
  }
  return parts.join(QStringLiteral(" · "));
}

void ReviewGrid::showTexts() {
  const bool paged = !pages_.rows().empty();
  const QString name = paged ? pages_.nameOf(pages_.shownClass()) : QString();
  card_->setTitle(paged ? tr("Are all of these %1?").arg(name) : tr("Many at once"));
  hint_->setVisible(paged);
  hint_->setText(tr("Click the images that are not %1; %2 accepts the others.")
                     .arg(name, reviewer_.keys().keysText(ReviewCommand::kAccept)));
  grid_->setEmptyText(emptyText());
  text_->setText(pageText());
  text_->setToolTip(text_->text());
  showButtons();
}

void ReviewGrid::showKeys() {
  const ReviewKeys& keys = reviewer_.keys();
  previous_->setText(keys.withKey(tr("Previous"), ReviewCommand::kPrevious));
  next_->setText(keys.withKey(tr("Next"), ReviewCommand::kNext));
  showTexts();
}

void ReviewGrid::showButtons() {
  const bool paged = !pages_.rows().empty();
  const bool ready = pages_.ready() && saving_ == Saving::kNothing;
  const auto next = ready && !paged && !pages_.hidden() ? pages_.largestClass() : std::nullopt;
  const auto accepted = grid_->seenTiles(false).size();
  const QString text = accepted > 0 ? tr("Accept %1 of %2 as %3")
                                          .arg(accepted)
                                          .arg(pages_.rows().size())
                                          .arg(pages_.nameOf(pages_.shownClass()))
                       : paged ? tr("Next page")
                       : next  ? tr("Show %1").arg(pages_.nameOf(*next))
                               : tr("Accept");
  accept_->setText(reviewer_.keys().withKey(text, ReviewCommand::kAccept));
  accept_->setEnabled(ready && (paged || next));
  marked_are_->setEnabled(ready && !grid_->seenTiles(true).empty());
  const auto left = pages_.ready() ? pages_.leftOut().size() : 0;
  left_out_->setVisible(left > 0);
  left_out_->setText(tr("Decide %1 marked one by one").arg(left));
}

bool ReviewGrid::canAccept() const {
  return saving_ == Saving::kNothing && reviewer_.active() && shown_.isValid() &&
         shown_.elapsed() >= kGlanceMilliseconds && !grid_->seenTiles(false).empty();
}

void ReviewGrid::accept() {
  if (saving_ != Saving::kNothing || !reviewer_.active() || !pages_.ready()) {
    return;
  }
  const auto next = pages_.largestClass();
  const std::vector<std::int64_t> accepted = rowsOf(grid_->seenTiles(false));
  if (canAccept()) {
    saving_ = Saving::kPage;
    reviewer_.chooseAll(accepted, pages_.labelOf(pages_.shownClass()), spentEach());
    showTexts();
  } else if (!pages_.rows().empty() && accepted.empty() && loadingCount() == 0) {
    turnPage(1);
  } else if (pages_.rows().empty() && next && !pages_.hidden()) {
    pages_.showClass(*next);
  }
}

void ReviewGrid::chooseMarked(std::int64_t class_id) {
  const std::vector<std::int64_t> rows = rowsOf(grid_->seenTiles(true));
  if (!rows.empty() && saving_ == Saving::kNothing && reviewer_.active()) {
    saving_ = Saving::kMarked;
    reviewer_.chooseAll(rows, class_id, spentEach());
    showTexts();
  }
}

qint64 ReviewGrid::spentEach() const {
  return shown_.isValid() ? shown_.elapsed() / std::max<qint64>(1, std::ssize(pages_.rows())) : 0;
}

int ReviewGrid::loadingCount() const {
  int loading = 0;
  for (int index = 0; index < static_cast<int>(grid_->tiles().size()); ++index) {
    loading += grid_->isLoading(index) ? 1 : 0;
  }
  return loading;
}

void ReviewGrid::turnPage(int direction) {
  if (saving_ == Saving::kNothing && pages_.ready()) {
    pages_.leaveOut(rowsOf(grid_->seenTiles(true)));
    pages_.turn(direction);
  }
}

void ReviewGrid::reviewLeftOut() {
  reviewer_.setOnlyRows(pages_.leftOut());
  Q_EMIT modeRequested(QStringLiteral("single"));
}

void ReviewGrid::fillClassMenu() {
  QMenu& menu = *marked_are_->menu();
  menu.clear();
  const std::vector<LabelClass>& classes = reviewer_.file().classes();
  const auto keys = classKeys(classes, reviewer_.keys());
  for (const LabelClass& entry : classes) {
    if (entry.merged_into || entry.id == pages_.labelOf(pages_.shownClass())) {
      continue;
    }
    const QString name = QString::fromStdString(entry.name);
    const auto key = keys.find(entry.id);
    menu.addAction(
        key == keys.end() || key->second.isEmpty() ? name : tr("%1 (%2)").arg(name, key->second),
        this, [this, id = entry.id] {
          chooseMarked(id);
          Q_EMIT finished();
        });
  }
}

std::vector<std::int64_t> ReviewGrid::rowsOf(const std::vector<int>& tiles) const {
  std::vector<std::int64_t> rows;
  for (const int tile : tiles) {
    rows.push_back(pages_.rows()[static_cast<std::size_t>(tile)]);
  }
  return rows;
}

bool ReviewGrid::busy() const {
  return pictures_.busy() || pages_.busy() || saving_ != Saving::kNothing;
}

bool ReviewGrid::takeKey(const QKeyEvent& event) {
  // A key that is held down must not decide about pages that nobody has looked at.
  const bool once = !event.isAutoRepeat();
  switch (event.key()) {
    // Tiles need the arrows, whatever they mean for single images.
    case Qt::Key_Left:
      grid_->moveCursor(-1, 0);
      return true;
    case Qt::Key_Right:
      grid_->moveCursor(1, 0);
      return true;
    case Qt::Key_Up:
      grid_->moveCursor(0, -1);
      return true;
    case Qt::Key_Down:
      grid_->moveCursor(0, 1);
      return true;
    case Qt::Key_Space:
      if (once) {
        grid_->toggleAtCursor();
      }
      return true;
    default:
      break;
  }
  if (const auto command = reviewer_.keys().commandOf(event)) {
    switch (*command) {
      case ReviewCommand::kAccept:
        if (once) {
          accept();
        }
        return true;
      case ReviewCommand::kPrevious:
        turnPage(-1);
        return true;
      case ReviewCommand::kNext:
        turnPage(1);
        return true;
      default:
        return false;
    }
  }
  if (event.modifiers() != Qt::NoModifier && event.modifiers() != Qt::KeypadModifier) {
    return false;
  }
  const LabelClass* const chosen =
      classOfKey(reviewer_.file().classes(), reviewer_.keys(), event.text().toUpper());
  if (chosen != nullptr && once) {
    chooseMarked(chosen->id);
  }
  return chosen != nullptr;
}

}  // namespace dubito
