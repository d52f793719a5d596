// SPDX-License-Identifier: GPL-3.0-or-later
// DUBITO_SCREENSHOTS=FOLDER with DUBITO_LABELS=FILE[;FOLDER] saves pictures of the review of one's
// own labels there, light and dark, in windows of several sizes.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTabBar>
#include <filesystem>

#include "app/shell/file_drop.h"
#include "app/shell/review_alone.h"
#include "app/workspace/workspace_row.h"
#include "tests/app/support/labelled_images.h"
#include "tests/app/support/labels_window.h"
#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// What an annotator of labels of another program sees and does: no network is open.
class ReviewLabelsViewTest : public QObject, private LabelsWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLabelsPage(); }
  void cleanup() { closeAll(); }

  void anUnknownNameAsksBeforeItBecomesAClass() {
    open(writeLabels("csv"));
    auto& search = part<QLineEdit>("reviewSearch");
    QTest::keyClick(&page(), Qt::Key_Slash);
    QTRY_VERIFY(search.hasFocus());
    QTest::keyClicks(&search, QStringLiteral("lynx"));
    QTest::keyClick(&search, Qt::Key_Return);
    QVERIFY(part<QLabel>("reviewNewClass").isVisible());
    QCOMPARE(part<QLabel>("reviewNewClass").text(),
             QStringLiteral("There is no class “lynx”. Enter adds it, Esc goes back."));
    QVERIFY(reviewSettles());
    QCOMPARE(int(reviewer().file().classes().size()), 3);
    QTest::keyClicks(&search, QStringLiteral("x"));
    QVERIFY(!part<QLabel>("reviewNewClass").isVisible());  // another name is another question
    QTest::keyClick(&search, Qt::Key_Backspace);
    QTest::keyClick(&search, Qt::Key_Return);
    QTest::keyClick(&search, Qt::Key_Return);
    QTRY_COMPARE(int(reviewer().file().classes().size()), 4);
    QCOMPARE(reviewer().decidedInRun(), 0);
  }

  void aClassKeyNeverGoesToAList_data() {
    QTest::addColumn<QString>("widget");
    for (const char* const name : {"reviewQueue", "reviewHidden", "reviewClassOrder", "reviewModes",
                                   "reviewUndo", "reviewKeys"}) {
      QTest::newRow(name) << QString::fromLatin1(name);
    }
  }
  void aClassKeyNeverGoesToAList() {
    QFETCH(QString, widget);
    open(writeLabels("csv"));
    auto& focused = part<QWidget>(qPrintable(widget));
    focused.setFocus();
    const std::string queue = reviewer().reviewQueue().key();
    const int mode = part<QTabBar>("reviewModes").currentIndex();
    QTest::keyClick(&focused, Qt::Key_2);
    QTRY_COMPARE(decided(fileName(0)), QStringLiteral("dog"));
    QCOMPARE(reviewer().reviewQueue().key(), queue);
    QCOMPARE(part<QTabBar>("reviewModes").currentIndex(), mode);
    QVERIFY(page().hasFocus());
  }

  void inAListOfDecidedImagesTheNextOneFollows() {
    open(writeLabels("csv"));
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 3; ++i) {
      QTRY_VERIFY(reviewer().takesDecisions());
      ids.push_back(reviewer().itemAt(reviewer().position()));
      QTest::keyClick(&page(), Qt::Key_Return);
      QTRY_COMPARE(reviewer().decidedInRun(), i + 1);
    }
    reviewer().reviewQueue().setItems(
        {.key = "changed", .name = "changed", .why = "These.", .ids = ids});
    QTRY_VERIFY(reviewer().takesDecisions() && reviewer().position() == 0);
    for (int i = 0; i < 3; ++i) {
      QTRY_VERIFY(reviewer().takesDecisions());
      QCOMPARE(reviewer().itemAt(reviewer().position()), ids[static_cast<std::size_t>(i)]);
      QTest::keyClick(&page(), Qt::Key_3);  // owl
      const std::int64_t item = ids[static_cast<std::size_t>(i)];
      QTRY_VERIFY(reviewer().file().labelOf(item)->class_id == 2);
      QTRY_VERIFY(!reviewer().busy());
    }
  }

  void aFilterShowsSomeImagesAlsoDecidedOnes() {
    open(writeLabels("csv"));
    QTest::keyClick(&page(), Qt::Key_2);  // the first, a cat, is a dog
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    QTRY_VERIFY(reviewer().takesDecisions());
    QTest::keyClick(&page(), Qt::Key_S);
    QTRY_COMPARE(shownImage(), fileName(2));
    auto& button = part<QPushButton>("reviewFilter");
    const auto choose = [&](const char* name, const QString& given, const QString& state) {
      QTest::mouseClick(&button, Qt::LeftButton);
      part<QLineEdit>("reviewFilterName").setText(QLatin1String(name));
      auto& classes = part<QComboBox>("reviewFilterGiven");
      classes.setCurrentIndex(std::max(0, classes.findText(given)));
      auto& states = part<QComboBox>("reviewFilterState");
      states.setCurrentIndex(states.findText(state));
      part<QPushButton>("reviewFilterShow").click();
      QTRY_VERIFY(!reviewer().busy());
    };
    choose("", "", "decided");
    QCOMPARE(reviewer().queue().length(), 1);
    QCOMPARE(shownImage(), fileName(0));
    QCOMPARE(button.text(), QStringLiteral("Filter: decided"));
    choose("", "", "skipped");
    QCOMPARE(shownImage(), fileName(1));
    choose("IMG_10", "owl", "undecided");
    QCOMPARE(reviewer().queue().length(), 3);  // 102, 105, 108
    QVERIFY2(part<QLabel>("reviewProgressText").text().contains("1 of 12 in all"),
             qPrintable(part<QLabel>("reviewProgressText").text()));
    choose("nothing", "", "any");
    QCOMPARE(reviewer().queue().length(), 0);
    QCOMPARE(part<QLabel>("reviewWhy").text(), QStringLiteral("No image fits the filter."));
    QTest::mouseClick(&button, Qt::LeftButton);
    part<QPushButton>("reviewFilterClear").click();
    QTRY_VERIFY(!reviewer().busy() && reviewer().queue().length() == kImages - 1);
    QCOMPARE(button.text(), QStringLiteral("Filter…"));
  }

  void theImageIsTurnedAndBrightenedOnTheScreenOnly() {
    open(writeLabels("csv"));
    auto& image = part<ZoomView>("reviewImage");
    const QSize upright = image.image().size();
    QVERIFY(upright.width() > upright.height());
    QTest::keyClick(&page(), Qt::Key_R, Qt::ControlModifier);
    QCOMPARE(image.image().size(), upright.transposed());
    QTest::keyClick(&page(), Qt::Key_B, Qt::ControlModifier);
    auto& form = part<QWidget>("reviewLight");
    QVERIFY(form.isVisible());
    const int before = image.image().pixelColor(3, 3).green();
    part<QSlider>("reviewBrightness").setValue(20);
    QCOMPARE(image.image().pixelColor(3, 3).green(), before + 51);
    form.close();
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(shownImage(), fileName(1));
    QTRY_VERIFY(reviewer().takesDecisions());
    QCOMPARE(image.image().size(), upright);  // the next one is upright
  }

  void fShowsTheImageAlone() {
    open(writeLabels("csv"));
    const auto& image = part<ZoomView>("reviewImage");
    for (const QSize& size : {QSize(1280, 800), QSize(1024, 700), QSize(960, 540)}) {
      window_->resize(size);
      QCoreApplication::processEvents();  // lays out anew
      QTRY_VERIFY(reviewer().takesDecisions());
      const int before = image.height();
      QTest::keyClick(&page(), Qt::Key_F);
      QTRY_VERIFY2(image.height() > before + 60, qPrintable(QString::number(image.height())));
      QVERIFY(part<QLabel>("reviewSuggestion").isVisible());
      QTest::keyClick(&page(), Qt::Key_Escape);
      QTRY_COMPARE(image.height(), before);
    }
  }

  void whileSuggestionsAreHiddenNothingTellsTheGivenClass() {
    std::filesystem::create_directories(dir_->file("sorted/cat"));
    std::filesystem::copy_file(dir_->file("images/" + fileName(0)),
                               dir_->file("sorted/cat/one.png"));
    open(dir_->file("sorted"), FileKind::kLabels);
    reviewer().choices().setHiddenShare(1.0);
    QTRY_VERIFY(reviewer().takesDecisions());
    for (const QWidget* const widget : page().findChildren<QWidget*>()) {
      const bool is_list = widget->objectName() == "reviewClasses";
      const auto* const label = qobject_cast<const QLabel*>(widget);
      const auto* const button = qobject_cast<const QPushButton*>(widget);
      if (!widget->isVisible() || is_list) {
        continue;
      }
      for (const QString& text : {label != nullptr ? label->text() : QString(),
                                  button != nullptr ? button->text() : QString(), widget->toolTip(),
                                  widget->accessibleName()}) {
        QVERIFY2(!text.contains("cat"), qPrintable(widget->objectName() + ": " + text));
      }
    }
  }

  void theReviewAloneHidesTheRestAndGivesTheImageItsRoom() {
    const int before = [this] {
      open(writeLabels("csv"));
      return part<ZoomView>("reviewImage").width() * part<ZoomView>("reviewImage").height();
    }();
    window_->reviewAlone().action()->trigger();
    for (const char* const name :
         {"pageTabs", "computeButton", "exportButton", "openButton", "workspacePanel"}) {
      QVERIFY2(!part<QWidget>(name).isVisible(), name);
    }
    QVERIFY(part<QPushButton>("openLabelsButton").isVisible());
    QVERIFY(part<QTabBar>("reviewModes").isVisible());
    QVERIFY(part<QPushButton>("reviewKeys").isVisible());
    QTRY_VERIFY(reviewer().takesDecisions());
    const auto& image = part<ZoomView>("reviewImage");
    QTRY_VERIFY2(image.width() * image.height() > before * 5 / 4,
                 qPrintable(QStringLiteral("%1 x %2").arg(image.width()).arg(image.height())));
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().decidedInRun(), 1);
    // Other pages cannot be reached by their keys.
    QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
    QVERIFY(window_->page() == PageId::kReview);
    // The choice is kept, and the way back leads to everything.
    openWindow();
    QVERIFY(window_->reviewAlone().isOn());
    QVERIFY(window_->page() == PageId::kReview);
    QTRY_VERIFY(part<WorkspaceRow>("reviewRecent0").isVisible());
    window_->reviewAlone().action()->trigger();
    QVERIFY(part<QTabBar>("pageTabs").isVisible());
    QVERIFY(part<QPushButton>("openButton").isVisible());
    QVERIFY(!part<QPushButton>("openLabelsButton").isVisible());
  }

  void picturesOfOnesOwnLabels() {
    const QString folder = qEnvironmentVariable("DUBITO_SCREENSHOTS");
    const QStringList labels =
        qEnvironmentVariable("DUBITO_LABELS").split(u';', Qt::SkipEmptyParts);
    if (folder.isEmpty() || labels.isEmpty()) {
      QSKIP("only with DUBITO_SCREENSHOTS and DUBITO_LABELS");
    }
    const auto shoot = [&](const QString& name) {
      QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
      deliverEvents();
      window_->grab().save(folder + u'/' + name + ".png");
    };
    window_->reviewAlone().show(true);
    shoot("start");
    window_->fileDrop().open(labels, false);
    waitForAnImage();
    for (int i = 0; i < 6; ++i) {
      waitForAnImage();
      QTest::keyClick(&page(), i % 3 == 2 ? Qt::Key_S : Qt::Key_Return);
      QTRY_VERIFY(!reviewer().busy());
    }
    const QSize sizes[] = {{1280, 800}, {1024, 700}, {1920, 1080}, {960, 540}};
    for (const bool dark : {false, true}) {
      applyTheme(*qobject_cast<QApplication*>(qApp), dark ? Theme::darkTheme() : Theme::light());
      for (const QSize& size : sizes) {
        window_->resize(size);
        shoot(QStringLiteral("%1-%2").arg(dark ? "dark" : "light").arg(size.width()));
      }
    }
    applyTheme(*qobject_cast<QApplication*>(qApp), Theme::light());
    window_->resize(1280, 800);
    const std::int64_t shown_class = reviewer().suggestion();
    reviewer().file().remark(RemarkSubject::kClass, shown_class,
                             QStringLiteral("Wings, beak; no aeroplanes with faces."));
    QTest::mouseClick(&part<QPushButton>("reviewEditClasses"), Qt::LeftButton);
    deliverEvents();
    QWidget& sheet = *part<QWidget>("reviewSheet").window();
    sheet.grab().save(folder + QStringLiteral("/classes.png"));
    sheet.close();
    for (std::int64_t row = 0; row < std::min<std::int64_t>(5, reviewer().queue().length());
         ++row) {
      reviewer().file().setExample(reviewer().itemAt(row), shown_class);
      QTRY_VERIFY(!reviewer().busy());
    }
    for (const bool dark : {false, true}) {
      applyTheme(*qobject_cast<QApplication*>(qApp), dark ? Theme::darkTheme() : Theme::light());
      const QString theme = dark ? QStringLiteral("-dark") : QString();
      shoot("guideline" + theme);
      auto& filter = part<QPushButton>("reviewFilter");
      QTest::mouseClick(&filter, Qt::LeftButton);
      deliverEvents();
      QWidget& form = *part<QLineEdit>("reviewFilterName").window();
      form.grab().save(folder + "/filter" + theme + ".png");
      form.close();
      for (const char* const mode : {"grid", "automatic", "learn", "results"}) {
        page().showMode(QLatin1String(mode));
        shoot(QLatin1String(mode) + theme);
      }
      page().showMode(QStringLiteral("single"));
    }
    applyTheme(*qobject_cast<QApplication*>(qApp), Theme::light());
    window_->reviewAlone().show(false);
    shoot("whole-window");
    openReviewPage();
    window_->reviewAlone().show(true);
    shoot("continue");
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewLabelsViewTest)
#include "review_labels_view_test.moc"
