// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "app/review/queue/item_filter.h"
#include "app/review/review_page.h"
#include "app/shell/page_stack.h"
#include "app/shell/review_alone.h"
#include "core/data/pixels/image_file.h"
#include "core/review/formats/label_format.h"
#include "tests/app/shell/soak/soak.h"
#include "tests/app/support/labelled_images.h"

namespace dubito::test {

bool Soak::openLabels(std::uint64_t choice) {
  if (!canReadPhotographs()) {
    return false;
  }
  constexpr std::array kFormats = {"csv", "jsonl", "label-studio", "cvat", "coco", "fiftyone"};
  const char* const format = kFormats[choice % kFormats.size()];
  if (!labels_written_.contains(format)) {
    // Next to the runs: a study names its data by their path, and a replay must name the same.
    const std::string folder = files_.file(std::string("labels-of-") + format);
    if (!std::filesystem::exists(folder)) {
      writeImages(folder);
    }
    labels_written_[format] = writeLabels(folder, format);
  }
  keepAtMost(3);
  window_->workbench().opener().open({{labels_written_.at(format), FileKind::kUnknown, false, {}}});
  settle();
  return window_->pages().review().reviewer().active();
}

bool Soak::startLabels(std::uint64_t choice) {
  const Reviewer& reviewer = window_->pages().review().reviewer();
  window_->showPage(PageId::kReview);
  if ((!reviewer.active() || !reviewer.suggestsLabels()) && !openLabels(choice)) {
    return false;
  }
  window_->pages().review().showMode(QStringLiteral("single"));
  settle();
  return reviewer.active() && reviewer.row().has_value();
}

void Soak::addLabelActions() {
  const auto reviewer = [this]() -> Reviewer& { return window_->pages().review().reviewer(); };
  const auto shownItem = [reviewer] {
    Reviewer& review = reviewer();
    return review.analysis()->in().run->ids.data()[*review.row()];
  };
  actions_["labels-open"] = [this](std::uint64_t choice) { openLabels(choice); };
  actions_["labels-continue"] = [this, reviewer](std::uint64_t choice) {
    if (startLabels(choice)) {
      const QString place = reviewer().file().place();
      actions_.at("open-run")(choice);
      settle();
      keepAtMost(3);
      window_->workbench().opener().open({{place.toStdString(), FileKind::kUnknown, false, {}}});
    }
  };
  actions_["labels-decide"] = [this](std::uint64_t choice) {
    if (startLabels(choice)) {
      constexpr std::array kKeys = {Qt::Key_Space, Qt::Key_Return, Qt::Key_1, Qt::Key_2,
                                    Qt::Key_U,     Qt::Key_S,      Qt::Key_G, Qt::Key_N};
      pressInReview(kKeys[choice % kKeys.size()]);
    }
  };
  actions_["labels-filter"] = [this, reviewer](std::uint64_t choice) {
    if (startLabels(choice)) {
      constexpr std::array kStates = {ItemState::kUndecided, ItemState::kDecided,
                                      ItemState::kSkipped, ItemState::kAny};
      ItemFilter filter{.state = kStates[choice % kStates.size()]};
      if (choice / 4 % 2 == 0) {
        filter.name = QString::number(choice / 8 % 3);
      }
      if (choice / 24 % 2 == 0) {
        filter.decided_class = static_cast<std::int64_t>(choice / 48 % 3);
      }
      filter.percent = choice / 144 % 2 == 0 ? 100 : 1 + static_cast<int>(choice / 288 % 100);
      reviewer().reviewQueue().setFilter(reviewer().reviewQueue().filter() == filter ? ItemFilter()
                                                                                     : filter);
    }
  };
  actions_["labels-remark"] = [this, reviewer, shownItem](std::uint64_t choice) {
    if (startLabels(choice)) {
      const QString text = QStringLiteral("remark %1").arg(choice);
      if (choice % 2 == 0) {
        reviewer().file().remark(RemarkSubject::kItem, shownItem(), text);
      } else {
        const auto& classes = reviewer().file().classes();
        reviewer().file().remark(RemarkSubject::kClass, classes[choice / 2 % classes.size()].id,
                                 text);
      }
    }
  };
  actions_["labels-example"] = [this, reviewer, shownItem](std::uint64_t choice) {
    if (startLabels(choice)) {
      const auto& classes = reviewer().file().classes();
      const std::int64_t id = classes[choice % classes.size()].id;
      const std::vector<std::int64_t> examples = reviewer().file().examplesOf(id);
      const bool is_example = std::ranges::find(examples, shownItem()) != examples.end();
      reviewer().file().setExample(shownItem(), is_example ? std::nullopt : std::optional(id));
    }
  };
  actions_["labels-classes"] = [this, reviewer](std::uint64_t choice) {
    if (startLabels(choice)) {
      const auto& classes = reviewer().file().classes();
      if (classes.size() < 8) {
        reviewer().file().addClass(QStringLiteral("kind %1").arg(choice));
      } else {
        const std::int64_t into = classes[choice % 3].id;
        reviewer().file().mergeClass(classes.back().id, into);
      }
    }
  };
  actions_["labels-person"] = [reviewer](std::uint64_t choice) {
    const QString next = QStringLiteral("person %1").arg(choice % 4);
    reviewer().choices().setAnnotator(
        reviewer().choices().annotator() == next ? QStringLiteral("somebody") : next);
  };
  actions_["labels-export"] = [this, reviewer](std::uint64_t choice) {
    if (startLabels(choice)) {
      std::vector<const LabelFormat*> written;
      for (const LabelFormat* const format : allLabelFormats()) {
        if (format->write != nullptr) {
          written.push_back(format);
        }
      }
      const LabelFormat& format = *written[choice % written.size()];
      exports_ += 1;
      reviewer().exportTo(
          format,
          QString::fromStdString(dir_.file("export" + std::to_string(exports_) + format.ending)));
    }
  };
  actions_["labels-view"] = [this, reviewer](std::uint64_t choice) {
    if (startLabels(choice)) {
      constexpr std::array kKeys = {Qt::Key_R, Qt::Key_B, Qt::Key_F, Qt::Key_Z};
      const Qt::Key key = kKeys[choice % kKeys.size()];
      QTest::keyClick(&window_->pages().review(), key,
                      key == Qt::Key_R || key == Qt::Key_B ? Qt::ControlModifier : Qt::NoModifier);
      settle();
      reviewer().move(choice / 4 % 2 == 0 ? 1 : -1);
      settle();
      pressInReview(Qt::Key_Escape);
    }
  };
  actions_["labels-alone"] = [this](std::uint64_t choice) {
    if (startLabels(choice)) {
      window_->reviewAlone().show(true);
      settle();
      pressInReview(choice % 2 == 0 ? Qt::Key_Space : Qt::Key_D);
      settle();
      window_->reviewAlone().show(false);
    }
  };
}

}  // namespace dubito::test
