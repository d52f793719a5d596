// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "app/review/review_page.h"
#include "app/shell/page_stack.h"
#include "tests/app/shell/soak/soak.h"

namespace dubito::test {

bool Soak::startReview() {
  window_->showPage(PageId::kReview);
  Reviewer& reviewer = window_->pages().review().reviewer();
  if (!reviewer.obstacle().isEmpty()) {
    actions_.at("compute")(0);
    settle();
  }
  if (!reviewer.obstacle().isEmpty()) {
    return false;
  }
  if (!reviewer.active()) {
    reviewer.start();
  }
  settle();
  return reviewer.active();
}

void Soak::pressInReview(Qt::Key key) {
  QTest::keyClick(&window_->pages().review(), key);
}

void Soak::addReviewActions() {
  actions_["review-decide"] = [this](std::uint64_t choice) {
    if (startReview()) {
      window_->pages().review().showMode(QStringLiteral("single"));
      settle();
      constexpr std::array kKeys = {Qt::Key_Return, Qt::Key_1, Qt::Key_7, Qt::Key_N,
                                    Qt::Key_U,      Qt::Key_S, Qt::Key_G};
      pressInReview(kKeys[choice % kKeys.size()]);
    }
  };
  actions_["review-many"] = [this](std::uint64_t choice) {
    if (startReview()) {
      window_->pages().review().showMode(QStringLiteral("grid"));
      settle();
      for (std::uint64_t i = 0; i < choice % 3; ++i) {
        pressInReview(Qt::Key_Right);
        pressInReview(Qt::Key_Space);
      }
      pressInReview(choice / 3 % 2 == 0 ? Qt::Key_Return : Qt::Key_D);
    }
  };
  actions_["review-walk"] = [this](std::uint64_t choice) {
    if (startReview()) {
      for (std::uint64_t i = 0; i < 1 + choice / 2 % 5; ++i) {
        pressInReview(choice % 2 == 0 ? Qt::Key_D : Qt::Key_A);
      }
    }
  };
  actions_["review-undo"] = [this](std::uint64_t choice) {
    if (startReview()) {
      QTest::keyClick(
          window_.get(), Qt::Key_Z,
          choice % 3 == 0 ? Qt::ControlModifier | Qt::ShiftModifier : Qt::ControlModifier);
    }
  };
  actions_["review-queue"] = [this](std::uint64_t choice) {
    std::vector<std::string> keys;
    for (const QueueId id : allQueueKinds()) {
      const QueueNeeds& needs = describe(id).needs;
      if (!needs.draws && !needs.other_run && !needs.features) {
        keys.push_back(describe(id).key);
      }
    }
    if (startReview()) {
      window_->pages().review().reviewer().reviewQueue().choose(keys[choice % keys.size()]);
    }
  };
  actions_["review-mode"] = [this](std::uint64_t choice) {
    constexpr std::array kModes = {"single", "grid", "automatic", "learn", "results"};
    if (startReview()) {
      window_->pages().review().showMode(QLatin1String(kModes[choice % kModes.size()]));
    }
  };
  actions_["review-hide"] = [this](std::uint64_t) {
    if (startReview()) {
      pressInReview(Qt::Key_H);
    }
  };
}

}  // namespace dubito::test
