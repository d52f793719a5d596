// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QScreen>
#include <QSet>
#include <QTest>
#include <QTextBrowser>

#include "app/shell/command_palette.h"
#include "app/shell/glossary_dialog.h"
#include "app/words/glossary_entries.h"
#include "app/words/words.h"
#include "tests/app/support/test_window.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"
#include "widgets/help_topic.h"
#include "widgets/key_value_list.h"
#include "widgets/metric_table.h"

namespace dubito::test {

/// What is said of measures and metrics, and how the window leads there.
class GlossaryTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  GlossaryDialog& dialog() { return part<GlossaryDialog>("glossaryDialog"); }
  [[nodiscard]] QPoint screenPoint() const { return window_->screen()->geometry().center(); }
  /// Presses F1 while the mouse is over `widget`.
  void askAt(QWidget& widget) {
    if (auto* const open = window_->findChild<GlossaryDialog*>()) {
      open->close();  // it may lie over the widget
    }
    // The screen may be smaller than the window.
    const QPoint inside = screenPoint();
    window_->move(window_->pos() + inside - widget.mapToGlobal(widget.rect().center()));
    QCursor::setPos(inside);
    QTest::keyClick(window_.get(), Qt::Key_F1);
  }
  void filter(const char* text) {
    auto& line = part<QLineEdit>("glossaryFilter");
    line.clear();
    QTest::keyClicks(&line, text);
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
    QCursor::setPos(window_->mapToGlobal(QPoint(2, 2)));
  }
  void cleanup() { closeAll(); }

  void everyMeasureAndMetricIsExplained() {
    const std::vector<GlossaryEntry> entries = glossaryEntries();
    QCOMPARE(entries.size(), allMeasures().size() + allMetrics().size());
    QSet<QString> topics;
    for (const GlossaryEntry& entry : entries) {
      topics.insert(entry.topic);
      for (const QString& text : {entry.topic, entry.group, entry.name, entry.symbol, entry.meaning,
                                  entry.formula, entry.range, entry.direction, entry.source}) {
        QVERIFY2(!text.trimmed().isEmpty(), qPrintable(entry.topic));
      }
      const auto sentences = entry.meaning.count(QRegularExpression(QStringLiteral("\\.( |$)")));
      QVERIFY2(sentences >= 2 && sentences <= 4, qPrintable(entry.meaning));
    }
    QCOMPARE(static_cast<std::size_t>(topics.size()), entries.size());
    for (const Measure measure : allMeasures()) {
      QVERIFY(topics.contains(helpTopicOf(measure)));
      QCOMPARE(QString::fromUtf8(describe(measure).range).contains(QStringLiteral("nats")),
               measureUnit(measure) == QStringLiteral("nats"));
    }
  }

  void theFilterFindsByAnyWordAndShowsWhatIsCalledSo() {
    QTest::keyClick(window_.get(), Qt::Key_F1);
    QVERIFY(dialog().isVisible());
    QCOMPARE(static_cast<std::size_t>(dialog().listed().size()),
             allMeasures().size() + allMetrics().size());
    filter("bald");
    QCOMPARE(dialog().listed(), QStringList{"mutual_information"});
    QCOMPARE(dialog().topic(), "mutual_information");
    const QString text = part<QTextBrowser>("glossaryText").toPlainText();
    for (const char* const word :
         {"disagree", "MI = H[p̄]", "0 to H, nats", "higher: more uncertain", "eq. 4.3"}) {
      QVERIFY2(text.contains(QString::fromUtf8(word)), qPrintable(text));
    }
    // Several mention the ECE; one is called so.
    filter("ece");
    QVERIFY(dialog().listed().size() > 1);
    QCOMPARE(dialog().topic(), "ece");
    filter("no such thing");
    QVERIFY(dialog().listed().isEmpty());
    QVERIFY(dialog().topic().isEmpty());
    QVERIFY(part<QTextBrowser>("glossaryText").toPlainText().contains("No matching"));
    filter("");
    QCOMPARE(static_cast<std::size_t>(dialog().listed().size()),
             allMeasures().size() + allMetrics().size());
    // The arrows walk through the list while one types.
    filter("calibration error");
    const QStringList listed = dialog().listed();
    QCOMPARE(dialog().topic(), "ece");
    QTest::keyClick(&part<QLineEdit>("glossaryFilter"), Qt::Key_Down);
    QCOMPARE(dialog().topic(), listed[listed.indexOf("ece") + 1]);
  }

  void theTextCanBeCopied() {
    QTest::keyClick(window_.get(), Qt::Key_F1);
    auto& text = part<QTextBrowser>("glossaryText");
    text.selectAll();
    text.copy();
    QVERIFY(QApplication::clipboard()->text().contains("maxₖ p̄(k)"));
  }

  void f1OpensAtWhatTheMousePointsAt() {
    showSample();
    askAt(part<Card>("entropyHistogramCard"));
    QCOMPARE(dialog().topic(), "entropy");
    askAt(part<Card>("reliabilityPlotCard"));
    QCOMPARE(dialog().topic(), "ece");
    askAt(part<Card>("rocPlotCard"));
    QCOMPARE(dialog().topic(), "auroc");
    auto& card = part<Card>("precisionRecallPlotCard");
    askAt(card);
    QCOMPARE(dialog().topic(), "aupr");
    auto& choices = *card.findChild<QComboBox*>("cardChoices");
    choices.setCurrentIndex(1);
    Q_EMIT choices.activated(1);
    askAt(card);
    QCOMPARE(dialog().topic(), "aurc");
    // The lines of the inspector are one measure each.
    session().listing().setPrimary(ItemRef{0, 0});
    QStringList topics;
    for (const QLabel* const label : part<KeyValueList>("itemMeasures").findChildren<QLabel*>()) {
      if (label->text() == QString::fromUtf8(describe(Measure::kVariationRatio).symbol)) {
        topics << helpTopicOf(label);
      }
    }
    QCOMPARE(topics, QStringList{"variation_ratio"});
  }

  void f1OpensAtTheLineOfATable() {
    showSample();
    auto& table = part<MetricTable>("metricTable");
    for (int row = 0; row < table.model()->rowCount(); ++row) {
      if (table.model()->index(row, 0).data().toString() == QStringLiteral("AURC")) {
        table.setCurrentIndex(table.model()->index(row, 0));
      }
    }
    askAt(table);
    QCOMPARE(dialog().topic(), "aurc");
    window_->showPage(PageId::kCompare);
    auto& compare = part<CompareTable>("compareTable");
    int column = 0;
    while (compare.model()->headerData(column, Qt::Horizontal).toString() !=
           QStringLiteral("NLL")) {
      ++column;
    }
    compare.setCurrentIndex(compare.model()->index(0, column));
    QCOMPARE(helpTopicOf(&compare), "nll");
  }

  void f1OnAPageOpensAtTheMeasureThatSorts() {
    showSample();
    window_->showPage(PageId::kImages);
    ItemQuery query = session().listing().query();
    query.sort = Measure::kMargin;
    session().listing().setQuery(query);
    QTest::keyClick(window_.get(), Qt::Key_F1);
    QCOMPARE(dialog().topic(), "margin");
  }

  void theMenuAndThePaletteOfferIt() {
    const auto actions = part<QMenu>("helpMenu").actions();
    QVERIFY(actions.contains(&part<QAction>("commandGlossary")));
    const QList<Command> commands = commandsOf(*window_);
    QVERIFY(std::ranges::any_of(commands, [](const Command& command) {
      return command.text == QStringLiteral("Glossary");
    }));
    part<QAction>("commandGlossary").trigger();
    QVERIFY(dialog().isVisible());
    QVERIFY(!dialog().isModal());
    QTest::keyClick(&dialog(), Qt::Key_Escape);
    QVERIFY(!dialog().isVisible());
  }
};

}  // namespace dubito::test

#include "glossary_dialog_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::GlossaryTest)
