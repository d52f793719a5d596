// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/page/page_list.h"

#include <array>

#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr std::array kPages{
    PageInfo{PageId::kOverview, "overview", QT_TRANSLATE_NOOP("dubito", "Overview")},
    PageInfo{PageId::kImages, "images", QT_TRANSLATE_NOOP("dubito", "Images")},
    PageInfo{PageId::kCompare, "compare", QT_TRANSLATE_NOOP("dubito", "Compare")},
    PageInfo{PageId::kTune, "tune", QT_TRANSLATE_NOOP("dubito", "Tune")},
    PageInfo{PageId::kShift, "shift", QT_TRANSLATE_NOOP("dubito", "Shift")},
    // The inspector would tell what the review may hide, and takes the room of the image.
    PageInfo{.id = PageId::kReview,
             .key = "review",
             .title = QT_TRANSLATE_NOOP("dubito", "Review"),
             .shows_run = false},
    PageInfo{.id = PageId::kTrain,
             .key = "train",
             .title = QT_TRANSLATE_NOOP("dubito", "Train"),
             .shows_run = false},
    PageInfo{.id = PageId::kStudy,
             .key = "study",
             .title = QT_TRANSLATE_NOOP("dubito", "Study"),
             .shows_run = false},
    // The laboratories have nothing to do with what is open.
    PageInfo{.id = PageId::kLabs,
             .key = "labs",
             .title = QT_TRANSLATE_NOOP("dubito", "Labs"),
             .shows_run = false,
             .uses_workspace = false}};

static_assert([] {
  for (std::size_t i = 0; i < kPages.size(); ++i) {
    if (kPages[i].id != static_cast<PageId>(i)) {
      return false;
    }
  }
  return kPages.size() == static_cast<std::size_t>(PageId::kLabs) + 1;
}());

}  // namespace

std::span<const PageInfo> allPages() {
  return kPages;
}

const PageInfo& describe(PageId id) {
  return kPages[static_cast<std::size_t>(id)];
}

QString titleOf(PageId id) {
  return tr(describe(id).title);
}

}  // namespace dubito
