// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/grid/review_grid.h"

#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/review/grid/review_grid_foot.h"
#include "app/review/grid/review_grid_head.h"
#include "app/review/grid/review_grid_texts.h"
#include "app/review/labels/class_keys.h"
#include "app/review/labels/decision_text.h"
#include "app/review/reviewer.h"
#include "app/words/words.h"
#include "widgets/card.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/theme.h"
#include "widgets/tile_grid.h"

namespace dubito {
namespace {

/// Nobody checks a page faster; a key pressed twice must not accept the next one.
constexpr qint64 kGlanceMilliseconds = 250;

struct Arrow {
  int key;
  int columns;
  int rows;
};
constexpr Arrow kArrows[] = {
    {Qt::Key_Left, -1, 0}, {Qt::Key_Right, 1, 0}, {Qt::Key_Up, 0, -1}, {Qt::Key_Down, 0, 1}};

}  // namespace

ReviewGrid::ReviewGrid(Reviewer& reviewer, QWidget* parent)
    : ReviewMode(parent), reviewer_(reviewer), pages_(reviewer) {
  card_ = new Card(tr("Many at once"), this);
  card_->setObjectName(QStringLiteral("reviewGridCard"));
  auto* const content = new QWidget(card_);
  head_ = new ReviewGridHead(pages_, reviewer_.settings(), content);
  foot_ = new ReviewGridFoot(reviewer_, content);
  grid_ = new TileGrid(content);
  grid_->setObjectName(QStringLiteral("reviewTiles"));
  grid_->setTileSize(head_->tileSize());
  auto* const inside = new QVBoxLayout(content);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(2 * kGrid);
  inside->addWidget(head_);
  inside->addWidget(grid_, 1);
  inside->addWidget(foot_);
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
    showTexts();
  });
  connect(&reviewer_.choices(), &ReviewChoices::changed, this, [this] {
    if (isVisible()) {
      pages_.showAgain();  // the suggestions of other images are hidden
    }
  });
  connect(head_, &ReviewGridHead::finished, this, &ReviewMode::finished);
  connect(head_, &ReviewGridHead::tileSizeChanged, this, [this](int side) {
    grid_->clearPictures();
    grid_->setTileSize(side);
    pages_.showAgain();
  });
  connect(foot_, &ReviewGridFoot::acceptRequested, this, &ReviewGrid::accept);
  connect(foot_, &ReviewGridFoot::classChosen, this, &ReviewGrid::chooseMarked);
  connect(foot_, &ReviewGridFoot::answerChosen, this, &ReviewGrid::markMarked);
  connect(foot_, &ReviewGridFoot::turnRequested, this, &ReviewGrid::turnPage);
  connect(foot_, &ReviewGridFoot::leftOutRequested, this, &ReviewGrid::reviewLeftOut);
  connect(foot_, &ReviewGridFoot::finished, this, &ReviewMode::finished);
  connect(&reviewer_.keys(), &ReviewKeys::changed, this, &ReviewGrid::showTexts);
  connect(&reviewer_.file(), &LabelFile::reverted, this, &ReviewGrid::showTexts);
  connect(&pages_, &ClassPages::pageChanged, this, &ReviewGrid::showPage);
  connect(&pages_, &ClassPages::labelsChanged, this, &ReviewGrid::refresh);
  connect(&pages_, &ClassPages::noticed, this, &ReviewMode::noticed);
  connect(&reviewer_.file(), &LabelFile::recorded, this, &ReviewGrid::takeRecorded);
  connect(&reviewer_.file(), &LabelFile::failed, this, [this] {
    saving_ = Saving::kNothing;
    showTexts();
  });
  showTexts();
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
  } else {
    showTexts();  // the buttons wait while something is saved
  }
}

void ReviewGrid::showPage() {
  if (timed_rows_ != pages_.rows()) {
    timed_rows_ = pages_.rows();
    shown_.invalidate();
    grid_->setTiles({});  // without the marks of the page before
  }
  if (reviewer_.active()) {
    if (pictured_ != reviewer_.analysis()) {
      pictured_ = reviewer_.analysis();
      grid_->clearPictures();
    }
    // The next page is there when this one is accepted.
    pictures_.load(reviewer_.analysis(),
                   static_cast<int>(2 * head_->tileSize() * devicePixelRatioF()), pages_.rows(),
                   pages_.nextRows());
  }
  refresh();
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
  head_->showCounts();
  showTexts();
}

Tile ReviewGrid::tileOf(std::int64_t row) const {
  const Analysis& analysis = *reviewer_.analysis();
  const Run& run = *analysis.in().run;
  Tile tile;
  tile.key = keyOf({0, row});
  // Who marked an image said that it is not of this class; accepting the page must not take it.
  tile.starts_marked = pages_.wasLeftOut(row);
  QStringList lines = {itemName(analysis, {0, row})};
  // Labels of another program may come without a score.
  if (const double confidence = run.confidence.data()[row]; !std::isnan(confidence)) {
    lines << tr("%1 % sure").arg(shortText(100.0 * confidence));
  }
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

void ReviewGrid::showTexts() {
  const bool paged = !pages_.rows().empty();
  const QString name = paged ? pages_.nameOf(pages_.shownClass()) : QString();
  card_->setTitle(paged ? tr("Are all of these “%1”?").arg(name) : tr("Many at once"));
  head_->setHint(!paged ? QString()
                 : grid_->seenTiles(true).empty()
                     ? tr("Click the images that are not “%1”; %2 accepts the others.")
                           .arg(name, reviewer_.keys().keysText(ReviewCommand::kAccept))
                     : tr("What are the marked images? Press %1")
                           .arg(keysOfClasses(pages_.labelOf(pages_.shownClass()))));
  grid_->setEmptyText(emptyPageText(pages_, reviewer_.busy()));
  showFoot();
}

void ReviewGrid::showFoot() {
  const bool paged = !pages_.rows().empty();
  const bool ready = pages_.ready() && saving_ == Saving::kNothing;
  const auto next = ready && !paged && !pages_.hidden() ? pages_.largestClass() : std::nullopt;
  const auto accepted = grid_->seenTiles(false).size();
  ReviewGridFoot::State state;
  state.text = pageText(pages_, *grid_, reviewer_);
  state.accept = accepted > 0 ? tr("Accept %1 of %2 as %3")
                                    .arg(accepted)
                                    .arg(pages_.rows().size())
                                    .arg(pages_.nameOf(pages_.shownClass()))
                 : paged ? tr("Next page")
                 : next  ? tr("Show %1").arg(pages_.nameOf(*next))
                         : tr("Accept");
  state.accepts = ready && (paged || next);
  state.marked = ready && !grid_->seenTiles(true).empty();
  state.shown_class = paged ? pages_.labelOf(pages_.shownClass()) : -1;
  state.left_out = pages_.ready() ? pages_.leftOut().size() : 0;
  foot_->setState(state);
}

QString ReviewGrid::keysOfClasses(std::int64_t shown_class) const {
  constexpr qsizetype kMaxListed = 12;
  const std::vector<LabelClass>& classes = reviewer_.file().classes();
  const auto keys = classKeys(classes, reviewer_.keys());
  QStringList texts;
  for (const LabelClass& entry : classes) {
    const auto key = keys.find(entry.id);
    const bool has_key = key != keys.end() && !key->second.isEmpty();
    if (has_key && !entry.merged_into && entry.id != shown_class && texts.size() < kMaxListed) {
      texts << tr("%1 %2").arg(key->second, QString::fromStdString(entry.name));
    }
  }
  return texts.join(QStringLiteral(", "));
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
  } else if (!pages_.rows().empty() && accepted.empty() && loadingTiles(*grid_) == 0) {
    turnPage(1);
  } else if (pages_.rows().empty() && next && !pages_.hidden()) {
    pages_.showClass(*next);
  }
}

std::vector<std::int64_t> ReviewGrid::takeMarked() {
  if (saving_ != Saving::kNothing || !reviewer_.active()) {
    return {};
  }
  std::vector<std::int64_t> rows = rowsOf(grid_->seenTiles(true));
  if (!rows.empty()) {
    saving_ = Saving::kMarked;
  }
  return rows;
}

void ReviewGrid::chooseMarked(std::int64_t class_id) {
  if (const auto rows = takeMarked(); !rows.empty()) {
    reviewer_.chooseAll(rows, class_id, spentEach());
    showTexts();
  }
}

void ReviewGrid::markMarked(LabelAction action) {
  if (const auto rows = takeMarked(); !rows.empty()) {
    reviewer_.markAll(rows, action, spentEach());
    showTexts();
  }
}

qint64 ReviewGrid::spentEach() const {
  return shown_.isValid() ? shown_.elapsed() / std::max<qint64>(1, std::ssize(pages_.rows())) : 0;
}

void ReviewGrid::turnPage(int direction) {
  if (saving_ == Saving::kNothing && pages_.ready()) {
    pages_.leaveOut(rowsOf(grid_->seenTiles(true)), rowsOf(grid_->seenTiles(false)));
    pages_.turn(direction);
  }
}

void ReviewGrid::reviewLeftOut() {
  rows_before_ = reviewer_.reviewQueue().onlyRows();
  reviewer_.reviewQueue().setOnlyRows(pages_.leftOut());
  Q_EMIT modeRequested(QStringLiteral("single"));
}

void ReviewGrid::comeBack() {
  reviewer_.reviewQueue().setOnlyRows(std::exchange(rows_before_, {}));
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
  // Tiles need the arrows, whatever they mean for single images.
  const auto arrow = std::ranges::find(kArrows, event.key(), &Arrow::key);
  if (arrow != std::end(kArrows)) {
    grid_->moveCursor(arrow->columns, arrow->rows);
    return true;
  }
  if (event.key() == Qt::Key_Space) {
    if (once) {
      grid_->toggleAtCursor();
    }
    return true;
  }
  if (const auto command = reviewer_.keys().commandOf(event)) {
    if (const auto answer = ReviewGridFoot::answerOf(*command)) {
      if (once) {
        markMarked(*answer);
      }
      return true;
    }
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
