// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>
#include <QTextDocument>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "app/labs/labs_page.h"
#include "app/shell/about_text.h"
#include "app/shell/glossary_dialog.h"
#include "app/shell/help_pages.h"
#include "app/shell/key_list.h"
#include "app/shell/page_stack.h"
#include "app/shell/text_window.h"
#include "app/words/plain_keys.h"
#include "app/workspace/workspace_row.h"
#include "core/base/device_text.h"
#include "tests/app/support/test_window.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

/// The Help menu: the keys, and what the program is made of.
class HelpTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  QString meaningOf(const QString& keys) {
    for (const KeyLine& line : keysOf(*window_)) {
      if (line.keys == keys) {
        return line.meaning;
      }
    }
    return {};
  }
  TextWindow& open(const char* command, const char* name) {
    part<QAction>(command).trigger();
    auto& text = part<TextWindow>(name);
    if (!text.isVisible() || text.isModal()) {
      qFatal("%s is hidden or modal", name);
    }
    return text;
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void theMenuOffersGlossaryKeysTourAndAbout() {
    QStringList texts;
    for (const QAction* const action : part<QMenu>("helpMenu").actions()) {
      if (!action->isSeparator()) {
        texts << action->text();
      }
    }
    QCOMPARE(texts,
             (QStringList{"Help on what is shown", "Glossary", "Laboratories", "Keyboard shortcuts",
                          "Review labels from another program", "Take the tour", "About Dubito"}));
    QCOMPARE(part<QPushButton>("helpButton").menu(), &part<QMenu>("helpMenu"));
  }

  void theKeysAreThoseOfTheActions() {
    for (const QAction* const action : window_->actions()) {
      if (!action->shortcut().isEmpty()) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        QString text = action->text();
        QCOMPARE(meaningOf(keys), text.remove(QChar(0x2026)));
      }
    }
    QCOMPARE(meaningOf("F1"), "Help on what is shown");
    QCOMPARE(meaningOf("A, Left"), "Previous image");
    QVERIFY(meaningOf("Ctrl+J").isEmpty());
    QAction added(QStringLiteral("Jump"), window_.get());
    added.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_J));
    QCOMPARE(meaningOf("Ctrl+J"), "Jump");
    // Commands that every row of a list has stand once.
    QVERIFY(meaningOf("F2").isEmpty());
    showSample();
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QCOMPARE(meaningOf("F2"), "Rename");
    const auto lines = keysOf(*window_);
    QCOMPARE(std::ranges::count(lines, QStringLiteral("Rename"), &KeyLine::meaning), 1);
    const QString text = open("commandKeys", "keysWindow").plainText();
    QVERIFY2(text.contains("Ctrl+K\tCommand palette\n"), qPrintable(text));
    QVERIFY2(text.contains("Ctrl+J\tJump\n"), qPrintable(text));
    QVERIFY2(text.contains("drag in a histogram\tselect a range\n"), qPrintable(text));
  }

  void thePageOnLabelsIsTheOneOfTheUserGuide() {
    const QString text = open("commandHelpLabels", "labelsHelp").plainText();
    QVERIFY2(text.contains("A program has labelled your images, and you want to check its labels."),
             qPrintable(text));
    QVERIFY(text.contains("Space\tthe label that the image came with is right"));
    QVERIFY2(!text.contains("screenshots") && !text.contains(".md"), qPrintable(text));
  }

  void everyLaboratoryHasAPage() {
    for (const LaboratoryInfo& laboratory : laboratories()) {
      QTextDocument page;
      page.setHtml(laboratoryHelpHtml(laboratory));
      const QString text = page.toPlainText();
      QVERIFY2(text.startsWith(QString::fromUtf8(laboratory.name)), laboratory.key);
      QVERIFY2(text.size() > 500 && !text.contains("screenshots"), laboratory.key);
      // Only this one.
      QVERIFY2(!text.contains("\nRecording\n"), laboratory.key);
    }
    QVERIFY(laboratoryHelpHtml({.name = "Alchemy"}).isEmpty());
  }

  void f1OpensThePageOfTheLaboratoryShown() {
    LabsPage& labs = window_->pages().labs();
    labs.showLaboratory(Laboratory::kUci);
    window_->showPage(PageId::kLabs);
    QCursor::setPos(window_->mapToGlobal(QPoint(2, 2)));
    QTest::keyClick(window_.get(), Qt::Key_F1);
    auto& page = part<TextWindow>("laboratoriesHelp");
    QVERIFY(page.isVisible());
    QVERIFY(page.plainText().startsWith("UCI table"));
    labs.showLaboratory(Laboratory::kSimplex);
    QTest::keyClick(window_.get(), Qt::Key_F1);
    QVERIFY(page.plainText().startsWith("The simplex"));
    // The glossary stays in reach, and the other pages have it.
    QVERIFY(window_->findChild<GlossaryDialog*>() == nullptr);
    part<QAction>("commandGlossary").trigger();
    QVERIFY(part<GlossaryDialog>("glossaryDialog").isVisible());
    page.close();
    window_->showPage(PageId::kOverview);
    QTest::keyClick(window_.get(), Qt::Key_F1);
    QVERIFY(!page.isVisible());
    // Elsewhere the menu opens all of them.
    part<QAction>("commandHelpLabs").trigger();
    QVERIFY(page.plainText().contains("The simplex") && page.plainText().contains("UCI table"));
  }

  void plainKeysDoWhatTheListSays() {
    showSample();
    session().listing().setPrimary(session().listing().items()->front());
    QTest::keyClick(window_.get(), Qt::Key_D);
    QCOMPARE(session().listing().primary(), std::optional((*session().listing().items())[1]));
    QTest::keyClick(window_.get(), Qt::Key_Left);
    QCOMPARE(session().listing().primary(), std::optional(session().listing().items()->front()));
    session().listing().selectRange(Measure::kEntropy, {0.1, 0.5});
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!session().listing().query().range);
    // Those of a row are its own.
    QTest::keyClick(&part<WorkspaceRow>("run0"), Qt::Key_F2);
    QVERIFY(part<WorkspaceRow>("run0").renaming());
    QTest::keyClick(&part<WorkspaceRow>("run0"), Qt::Key_Delete);
    QTRY_VERIFY(session().analyses().empty());
  }

  void aDisabledActionLeavesItsPlainKeyAlone() {
    QWidget widget;
    QAction action(QStringLiteral("one"));
    int times = 0;
    connect(&action, &QAction::triggered, &widget, [&times] { ++times; });
    setPlainKeys(action, {Qt::Key_X});
    widget.addAction(&action);
    const QKeyEvent key(QEvent::KeyPress, Qt::Key_X, Qt::NoModifier);
    QVERIFY(triggerByPlainKey(widget, key));
    action.setEnabled(false);
    QVERIFY(!triggerByPlainKey(widget, key));
    QVERIFY(!triggerByPlainKey(widget, QKeyEvent(QEvent::KeyPress, Qt::Key_Y, Qt::NoModifier)));
    QCOMPARE(times, 1);
  }

  void aboutNamesVersionLicencesAndDevices() {
    TextWindow& about = open("commandAbout", "aboutWindow");
    const QString text = about.plainText();
    QVERIFY2(text.startsWith("Dubito " DUBITO_VERSION "\n"), qPrintable(text));
    QVERIFY(text.contains("GPL-3.0-or-later"));
    QVERIFY(text.contains("KMNIST"));
    for (const DeviceLine& line : deviceLines(queryDevices())) {
      QVERIFY2(text.contains(QString::fromStdString(line.name + "\t" + line.text)),
               qPrintable(text));
    }
    for (const LinkedLibrary& library : linkedLibraries()) {
      QVERIFY2(!library.licence.isEmpty(), qPrintable(library.name));
      QVERIFY2(text.contains(library.name + u'\t' + library.version + u'\t' + library.licence),
               qPrintable(text));
    }
    QVERIFY(text.contains(QStringLiteral("Qt\t%1\tLGPL").arg(QString::fromLatin1(qVersion()))));
    part<QPushButton>("aboutWindowCopy").click();
    QCOMPARE(QApplication::clipboard()->text(), text);
    part<QPushButton>("aboutWindowClose").click();
    QVERIFY(!about.isVisible());
  }

  void everyPackageThatTheBuildLooksForIsNamed() {
    QStringList packages;
    for (const LinkedLibrary& library : linkedLibraries()) {
      packages << library.package;
      const bool may_lack = library.package == QStringLiteral("MPI");
      QVERIFY2(may_lack || !library.version.isEmpty(), qPrintable(library.name));
    }
    // Not part of the program, or not in every build.
    const QStringList others = {"Threads", "GTest", "hwy", "MPI", "PostgreSQL", "PkgConfig"};
    const std::regex pattern(R"(find_package\(([\w-]+))");
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(sourceDir() / "core/cmake")) {
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (std::regex_search(line, match, pattern)) {
          const QString package = QString::fromStdString(match[1]);
          QVERIFY2(packages.contains(package) || others.contains(package), qPrintable(package));
          ++found;
        }
      }
    }
    QVERIFY(found >= 10);
  }
};

}  // namespace dubito::test

#include "help_menu_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::HelpTest)
