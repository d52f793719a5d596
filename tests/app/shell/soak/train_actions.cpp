// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/train_page.h"

#include <QPushButton>
#include <array>

#include "app/shell/page_stack.h"
#include "app/train/train_set_up.h"
#include "tests/app/shell/soak/soak.h"

namespace dubito::test {

bool Soak::startTraining(std::uint64_t choice, std::int64_t epochs) {
  constexpr std::array kDropouts = {"none", "fixed", "concrete", "multi"};
  window_->showPage(PageId::kTrain);
  keepAtMost(3);
  TrainPage& page = window_->pages().train();
  page.setUp().setOptions({.layers = 1 + static_cast<std::int64_t>(choice / 4 % 3),
                           .units = 8,
                           .dropout = kDropouts[choice % kDropouts.size()],
                           .epochs = epochs,
                           .validation_share = choice % 5 == 0 ? 0.0 : 0.3,
                           .patience = epochs,
                           .feature_cache_mb = 0});
  page.setUp().setPath(
      QString::fromStdString(dir_.file("head" + std::to_string(choice % 5) + ".pt")));
  page.train();
  return page.trainer().training();
}

void Soak::addTrainActions() {
  actions_["train"] = [this](std::uint64_t choice) {
    startTraining(choice, 1 + static_cast<std::int64_t>(choice % 7));
  };
  // While it goes on: half of the trainings keep what there is.
  actions_["train-and-end"] = [this](std::uint64_t choice) {
    const std::uint64_t with_epochs = choice % 4 == 0 ? choice + 1 : choice;
    if (!startTraining(with_epochs, 3000)) {
      return;
    }
    HeadTrainer& trainer = window_->pages().train().trainer();
    while (trainer.training() && trainer.course().epochs.empty()) {
      QCoreApplication::processEvents();
    }
    part<QPushButton>(choice % 2 == 0 ? "trainStop" : "trainCancel").click();
  };
}

}  // namespace dubito::test
