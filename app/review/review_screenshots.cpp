// SPDX-License-Identifier: GPL-3.0-or-later
// The way to the pictures of the page: a review of some images, in every mode.
#include <QPushButton>
#include <cstdint>
#include <optional>

#include "app/review/grid/review_grid.h"
#include "app/review/review_page.h"
#include "widgets/tile_grid.h"

namespace dubito {
namespace {

/// Before the picture of one image at a time.
constexpr int kReviewedImages = 6;

/// Decides about the image shown as its label says.
void chooseGiven(Reviewer& reviewer) {
  const std::optional<std::int64_t> row = reviewer.row();
  const std::int64_t label =
      row ? reviewer.analysis()->in().run->labels.data()[*row] : std::int64_t{-1};
  if (label >= 0) {
    reviewer.choose(label);
  }
}

/// Marks the images on the page of the mode with many images that are labelled otherwise.
void markOthers(QWidget& page, const Reviewer& reviewer) {
  if (!reviewer.active()) {
    return;
  }
  const ClassPages& shown = page.findChild<ReviewGrid*>()->pages();
  TileGrid& tiles = *page.findChild<TileGrid*>();
  const Run& run = *reviewer.analysis()->in().run;
  for (std::size_t i = 0; i < shown.rows().size(); ++i) {
    const std::int64_t label = run.labels.data()[shown.rows()[i]];
    tiles.setMarked(static_cast<int>(i), label >= 0 && label != shown.shownClass());
  }
}

/// Shows images like the one under review, where there are some.
void showSimilar(QWidget& page) {
  auto* const similar = page.findChild<QPushButton*>(QStringLiteral("reviewSimilarStart"));
  if (similar->isVisible()) {
    similar->click();
  }
}

}  // namespace

std::vector<ScreenshotStep> ReviewPage::screenshots() {
  const auto mode = [this](const char* key) {
    return [this, key] { showMode(QLatin1String(key)); };
  };
  std::vector<ScreenshotStep> steps;
  steps.push_back({.show = [this] {
    showMode(QStringLiteral("single"));
    if (!reviewer_.active()) {
      reviewer_.start();
    }
  }});
  for (int i = 0; i < kReviewedImages; ++i) {
    steps.push_back({.show = [this] { chooseGiven(reviewer_); }});
  }
  steps.push_back({.name = QStringLiteral("review"), .show = [this] { showSimilar(*this); }});
  steps.push_back({.show = mode("grid")});
  steps.push_back(
      {.name = QStringLiteral("review-many"), .show = [this] { markOthers(*this, reviewer_); }});
  for (const char* const key : {"automatic", "learn", "results"}) {
    steps.push_back(
        {.name = QStringLiteral("review-%1").arg(QLatin1String(key)), .show = mode(key)});
  }
  steps.push_back({.show = mode("single")});
  return steps;
}

}  // namespace dubito
