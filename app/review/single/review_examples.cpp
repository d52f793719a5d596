// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_examples.h"

#include <vector>

#include "app/review/reviewer.h"
#include "app/words/words.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxExamples = 6;

}  // namespace

ReviewExamples::ReviewExamples(Reviewer& reviewer, QWidget* parent)
    : ReviewPictureRow(reviewer, QStringLiteral("reviewExamples"), 18 * kGrid, parent),
      reviewer_(reviewer) {
  setAccessibleName(tr("examples of the class"));
  hide();
}

void ReviewExamples::showClass(std::int64_t class_id) {
  std::vector<GalleryItem> items;
  const LabelClass* const entry = findClass(reviewer_.file().classes(), class_id);
  for (const std::int64_t id :
       entry == nullptr ? std::vector<std::int64_t>() : reviewer_.file().examplesOf(class_id)) {
    const auto row = reviewer_.rowOf(id);
    if (row && items.size() < kMaxExamples) {
      GalleryItem item;
      item.key = keyOf({0, *row});
      item.tooltip = tr("An example of %1").arg(QString::fromStdString(entry->name));
      items.push_back(item);
    }
  }
  setVisible(!items.empty());
  setItems(std::move(items));
}

}  // namespace dubito
