// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <array>

#include "app/shell/page_stack.h"
#include "app/study/study_editor.h"
#include "app/study/study_form.h"
#include "app/study/study_page.h"
#include "tests/app/shell/soak/soak.h"
#include "tests/app/support/study_tables.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"

namespace dubito::test {

void Soak::addStudyActions() {
  actions_["study-open"] = [this](std::uint64_t choice) {
    const std::string folder = dir_.file("study" + std::to_string(choice % 3));
    writeStudyTables(folder, 1 + static_cast<int>(choice % 3) * 5);
    open(folder);
  };
  actions_["study-results"] = [this](std::uint64_t choice) {
    if (!window_->pages().study().view().study()) {
      return;
    }
    window_->showPage(PageId::kStudy);
    part<QPushButton>("studyShowResults").click();
    for (const char* const name : {"studyTarget", "studyShift", "studySeed"}) {
      auto& list = part<QComboBox>(name);
      list.setCurrentIndex(static_cast<int>(choice % static_cast<std::uint64_t>(list.count())));
    }
    Q_EMIT part<Card>("studyTableCard").choiceMade(static_cast<int>(choice % 4));
    Q_EMIT part<Card>("studyCurvesCard").choiceMade(static_cast<int>(choice % 11));
    Q_EMIT part<Card>("studyGuaranteesCard").choiceMade(static_cast<int>(choice % 4));
    auto& table = part<CompareTable>("studyTable");
    table.selectRow(static_cast<int>(choice % table.value().rows.size()));
  };
  actions_["study-write"] = [this](std::uint64_t choice) {
    constexpr std::array kKinds{"sample", "open", "empty"};
    window_->showPage(PageId::kStudy);
    window_->pages().study().startNew(QLatin1String(kKinds[choice % kKinds.size()]));
  };
  actions_["study-edit"] = [this](std::uint64_t choice) {
    window_->showPage(PageId::kStudy);
    part<QPushButton>("studyShowEditor").click();
    window_->pages().study().editor().form().showSection(
        static_cast<StudyForm::Section>(choice % 6));
    constexpr std::array kLists{"studyTargets", "studyOod", "studyNetworks", "studyMethods"};
    constexpr std::array kButtons{"Add", "Copy", "Remove"};
    const QString list = QLatin1String(kLists[choice % kLists.size()]);
    auto& rows = part<QListWidget>(qPrintable(list + "List"));
    if (rows.count() > 0) {
      rows.setCurrentRow(static_cast<int>(choice % static_cast<std::uint64_t>(rows.count())));
    }
    if (rows.count() < 9) {
      part<QPushButton>(qPrintable(list + QLatin1String(kButtons[choice / 4 % 3]))).click();
    } else {
      window_->pages().study().startNew(QStringLiteral("empty"));
    }
  };
  actions_["study-text"] = [this](std::uint64_t choice) {
    auto& text = part<QPlainTextEdit>("studyJson");
    const QString now = text.toPlainText();
    text.setPlainText(choice % 3 == 0
                          ? now.left(static_cast<qsizetype>(choice) % (now.size() + 1))
                          : QString(now).replace("map", choice % 3 == 1 ? "mop" : "temperature"));
  };
}

}  // namespace dubito::test
