// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/labs/sampler/lab_sampler.h"
#include "app/labs/stories/lab_stories.h"
#include "app/labs/stories/story_bar.h"
#include "app/shell/file_drop.h"
#include "app/shell/key_list.h"
#include "tests/app/support/lab_window.h"

namespace dubito::test {

/// Stories on the page Labs, in the real window.
class LabStoriesTest : public QObject, private LabWindow<LabSampler> {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openLaboratory(Laboratory::kSampler);
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  }
  void cleanup() { closeAll(); }

  void everyShippedStoryCanBeShown() {
    for (const ShippedStory& shipped : shippedStories()) {
      auto story = storyOf(shipped);
      QVERIFY2(story, shipped.key);
      QCOMPARE(QString::fromStdString(story->title), QString::fromUtf8(shipped.title));
      QVERIFY2(story->steps.size() >= 6 && story->steps.size() <= 8, shipped.key);
      const std::vector<StoryStep> steps = story->steps;
      page().tellStory(*std::move(story), shipped.key);
      for (const StoryStep& step : steps) {
        const QString name = QString::fromStdString(step.title);
        QVERIFY2(part<ErrorBanner>("errorBanner").messages().isEmpty(), qPrintable(name));
        // About a minute of speech.
        const qsizetype words = QString::fromStdString(step.text).split(u' ').size();
        QVERIFY2(words >= 40 && words <= 85, qPrintable(name));
        QCOMPARE(part<QLabel>("storyText").text(), QString::fromStdString(step.text));
        const nlohmann::json shown = page().shownLaboratory().setUp();
        for (const auto& [option, value] : step.preset.set_up.at("options").items()) {
          QVERIFY2(shown.at("options").at(option) == value,
                   qPrintable(name + u' ' + QString::fromStdString(option)));
        }
        button(part<StoryBar>("storyBar"), "storyNext").click();
      }
      QVERIFY(!button(part<StoryBar>("storyBar"), "storyNext").isEnabled());
    }
  }

  void theMenuTellsTheStories() {
    auto& stories = part<QMenu>("labStories");
    QCOMPARE(stories.actions().first()->text(), "Dropout and its critics");
    QVERIFY(!bar().isVisible());
    stories.actions().at(1)->trigger();
    QVERIFY(bar().isVisible());
    QCOMPARE(part<QLabel>("storyTitle").text(),
             "Why HMC fails, and how one sees it · A chain that works");
    QCOMPARE(part<QLabel>("storyCount").text(), "step 1 of 8");
    QVERIFY(!part<QLabel>("labsExplanation").isVisible());
    button(bar(), "storyEnd").click();
    QVERIFY(!bar().isVisible());
    QVERIFY(part<QLabel>("labsExplanation").isVisible());
  }

  void keysOfAPresenterMoveThroughAStory() {
    page().tellStory(threeSteps(), "own");
    QVERIFY(!button(bar(), "storyBack").isEnabled());
    QCOMPARE(stepSizeShown(), 0.1);
    QTest::keyClick(window_.get(), Qt::Key_PageDown);
    QCOMPARE(part<QLabel>("storyCount").text(), "step 2 of 3");
    QCOMPARE(stepSizeShown(), 0.2);
    QTest::keyClick(window_.get(), Qt::Key_PageDown);
    // There is no fourth step.
    QTest::keyClick(window_.get(), Qt::Key_PageDown);
    QCOMPARE(stepSizeShown(), 0.3);
    QTest::keyClick(window_.get(), Qt::Key_PageUp);
    QCOMPARE(stepSizeShown(), 0.2);
    QVERIFY(std::ranges::any_of(keysOf(*window_), [](const KeyLine& line) {
      return line.meaning == "Next step of the story" && line.keys == "PgDown";
    }));
  }

  void aStepIsShownAgainAsItWas() {
    page().tellStory(threeSteps(), "own");
    // What a step does not name is that of a new laboratory, whatever was chosen before.
    nlohmann::json changed = lab().setUp();
    changed["options"]["step_size"] = 5.0;
    changed["options"]["chains"] = 2;
    QVERIFY(lab().applySetUp(changed));
    button(bar(), "storyAgain").click();
    QCOMPARE(stepSizeShown(), 0.1);
    QCOMPARE(lab().setUp().at("options").at("chains").get<int>(), 4);
    QCOMPARE(bar().step(), std::size_t{0});
  }

  void aStoryContinuesWhereItWasLeft() {
    const QString path = savedStory();
    page().openFile(path);
    button(bar(), "storyNext").click();
    openWindow();
    page().showLaboratory(Laboratory::kSampler);
    window_->showPage(PageId::kLabs);
    page().openFile(path);
    QCOMPARE(part<QLabel>("storyCount").text(), "step 2 of 3");
    QCOMPARE(stepSizeShown(), 0.2);
    // One that was told to its end begins anew.
    button(bar(), "storyNext").click();
    button(bar(), "storyEnd").click();
    page().openFile(path);
    QCOMPARE(part<QLabel>("storyCount").text(), "step 1 of 3");
  }

  void aDroppedFileIsShown() {
    window_->showPage(PageId::kOverview);
    window_->fileDrop().open({savedStory()}, false);
    QCOMPARE(window_->page(), PageId::kLabs);
    QCOMPARE(part<QLabel>("storyCount").text(), "step 1 of 3");
    nlohmann::json set_up = lab().setUp();
    set_up["seed"] = 17;
    const std::string preset = dir_->file("preset.json");
    QVERIFY(saveLabPreset(preset, {Laboratory::kSampler, set_up}));
    window_->showPage(PageId::kOverview);
    window_->fileDrop().open({QString::fromStdString(preset)}, false);
    QCOMPARE(window_->page(), PageId::kLabs);
    // Exactly what was saved, in place of the story.
    QCOMPARE(lab().setUp().dump(), set_up.dump());
    QVERIFY(!bar().isVisible());
  }

  void whatIsShownBecomesAStep() {
    nlohmann::json set_up = lab().setUp();
    set_up["options"]["density"] = "funnel";
    QVERIFY(lab().applySetUp(set_up));
    part<QAction>("labCopyStep").trigger();
    const nlohmann::json step =
        nlohmann::json::parse(QGuiApplication::clipboard()->text().toStdString());
    const nlohmann::json story = {{"format", "dubito-story"},
                                  {"schema_version", 1},
                                  {"title", "Own"},
                                  {"steps", nlohmann::json::array({step})}};
    const auto read = parseLabStory(story.dump(), "own.json");
    QVERIFY(read);
    QCOMPARE(read->steps[0].preset.laboratory, Laboratory::kSampler);
    set_up["options"]["density"] = "banana";
    QVERIFY(lab().applySetUp(set_up));
    page().tellStory(*read, "own");
    QCOMPARE(lab().setUp().at("options").at("density").get<std::string>(), "funnel");
  }

  void aDamagedStoryIsReported() {
    const std::string path = dir_->file("story.json");
    writeBytes(path,
               R"({"format": "dubito-story", "schema_version": 1, "title": "A", "steps": []})");
    page().openFile(QString::fromStdString(path));
    QVERIFY(part<QLabel>("errorText").text().contains("no steps"));
    QVERIFY(!bar().isVisible());
    part<ErrorBanner>("errorBanner").dismiss();
    // A step that the laboratory cannot show names the story and its number.
    LabStory story = threeSteps();
    story.steps[1].preset.set_up["options"]["step_size"] = -1.0;
    page().tellStory(story, "own");
    button(bar(), "storyNext").click();
    QVERIFY(part<QLabel>("errorText").text().contains("Steps, step 2"));
    QCOMPARE(stepSizeShown(), 0.1);
  }

 private:
  LabsPage& page() { return window_->pages().labs(); }
  StoryBar& bar() { return page().storyBar(); }
  static QPushButton& button(const QObject& of, const char* name) {
    return partOf<QPushButton>(of, name);
  }
  double stepSizeShown() { return lab().setUp().at("options").at("step_size").get<double>(); }
  static LabStory threeSteps() {
    LabStory story{"Steps", {}};
    for (const double step_size : {0.1, 0.2, 0.3}) {
      story.steps.push_back(
          {"A size", "See it.", {Laboratory::kSampler, {{"options", {{"step_size", step_size}}}}}});
    }
    return story;
  }
  QString savedStory() {
    const std::string path = dir_->file("steps.json");
    if (!saveLabStory(path, threeSteps())) {
      qFatal("the story was not written");
    }
    return QString::fromStdString(path);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabStoriesTest)
#include "lab_stories_test.moc"
