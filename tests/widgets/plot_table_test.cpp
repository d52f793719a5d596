// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_table.h"

#include <cmath>

#include "tests/support/gui_test.h"
#include "widgets/latex_table.h"
#include "widgets/share_scale.h"

namespace dubito::test {

class PlotTableTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void doublesReadBackExactly() {
    for (const double value : {0.1, 1.0 / 3.0, 1e-300, 12345678.9, -0.0056, 2e22}) {
      QCOMPARE(exactText(value).toDouble(), value);
    }
    QCOMPARE(exactText(0.1), "0.1");
    QCOMPARE(exactText(std::nan("")), "");
  }

  void csvQuotesWhatNeedsIt() {
    const PlotTable table{{"name", "n", "share"},
                          {{"a,b", 3LL, 0.25}, {"say \"x\"", 0LL, std::nan("")}}};
    QCOMPARE(toCsv(table), "name,n,share\n\"a,b\",3,0.25\n\"say \"\"x\"\"\",0,\n");
  }

  void markdownAlignsNumbers() {
    const PlotTable table{{"name", "value"}, {{"a|b", 0.5}}};
    QCOMPARE(toMarkdown(table), "| name | value |\n| --- | ---: |\n| a\\|b | 0.5 |\n");
  }

  void shortTextKeepsSignificantDigits() {
    QCOMPARE(shortText(0.95638, 3), "0.956");
    QCOMPARE(shortText(0.0567123, 3), "0.0567");
    QCOMPARE(shortText(98.221, 4), "98.22");
    QCOMPARE(shortText(0.0, 3), "0");
    QCOMPARE(shortText(std::nan(""), 3), "–");
  }

  void rootScaleTicksOfTheFullRange() {
    QStringList texts;
    for (const auto& [place, text] : shareTicks(true, 1.0)) {
      const double share = text == "0" ? 0.0 : text.chopped(2).toDouble() / 100.0;
      QVERIFY(std::abs(place - std::sqrt(share)) < 1e-12);
      texts << text;
    }
    QCOMPARE(texts, QStringList({"0", "5 %", "20 %", "50 %", "100 %"}));
  }

  void ticksStayInsideAndFew() {
    for (const bool root : {false, true}) {
      for (const double top : {1.0, 0.43, 0.1, 0.052, 0.0031}) {
        const auto ticks = shareTicks(root, top);
        QVERIFY2(ticks.size() >= 3 && ticks.size() <= 7, qPrintable(QString::number(top)));
        for (std::size_t i = 1; i < ticks.size(); ++i) {
          QVERIFY(ticks[i].first > ticks[i - 1].first);
        }
        QVERIFY(ticks.back().first <= (root ? std::sqrt(top) : top) * (1.0 + 1e-9));
      }
    }
  }

  void latexShowsNumbersAsOnScreen() {
    PlotTable table;
    table.columns = {"run", QString::fromUtf8("accuracy ↑"), "AURC", "N"};
    table.rows = {{QString("a"), 0.98224, 1.0504e-5, 20000LL},
                  {QString("b"), 0.9712345, 0.000123456789, 5LL}};
    table.texts = {
        {"a", QString::fromUtf8("98.22 ± 0.04 %"), "1.05e-05", QString::fromUtf8("20\u202F000")},
        {"b", "97.12 %", "0.000123", "5"}};
    table.best = {{0, 1}, {0, 2}};
    QCOMPARE(toLatex(table),
             QString("\\begin{tabular}{lrrr}\n\\toprule\n"
                     "run & accuracy $\\uparrow$ & AURC & N \\\\\n\\midrule\n"
                     "a & \\textbf{98.22 $\\pm$ 0.04\\,\\%} & \\textbf{$1.05\\cdot10^{-5}$} & "
                     "20\\,000 \\\\\n"
                     "b & 97.12\\,\\% & 0.000123 & 5 \\\\\n\\bottomrule\n\\end{tabular}\n"));
    // Without texts, full precision is rounded and counts are grouped.
    table.texts.clear();
    const QString plain = toLatex(table);
    QVERIFY(plain.contains("0.9822") && !plain.contains("0.98224"));
    QVERIFY(plain.contains("20\\,000"));
    for (const QChar letter : plain) {
      QVERIFY(letter.unicode() < 128);
    }
  }

  void hiddenColumnsAndRowsAreLeftOut() {
    PlotTable table;
    table.columns = {"run", "accuracy", "N"};
    table.rows = {{QString("b"), 0.2, 9LL}, {QString("a"), 0.5, 7LL}};
    table.texts = {{"b", "20 %", "9"}, {"a", "50 %", "7"}};
    table.best = {{1, 2}};
    table.hidden_rows = {0};
    const PlotTable shown = shownPart(table, {"accuracy", "run"});
    QCOMPARE(shown.columns, QStringList({"run", "N"}));
    QCOMPARE(shown.rows.size(), 1U);
    QCOMPARE(shown.texts.front(), QStringList({"a", "7"}));
    QCOMPARE(shown.best.count({0, 1}), 1U);
    QVERIFY(toLatex(shown).contains("a & \\textbf{7} \\\\"));
  }

  void latexIsATabularWithBooktabs() {
    PlotTable table;
    table.columns = {"run", "50 % & more"};
    table.rows = {{QString("a_b"), 0.25}, {QString("c\\d~"), std::nan("")}};
    QCOMPARE(toLatex(table),
             QString("\\begin{tabular}{lr}\n\\toprule\nrun & 50\\,\\% \\& more \\\\\n\\midrule\n"
                     "a\\_b & 0.25 \\\\\nc\\textbackslash{}d\\~{} &  \\\\\n\\bottomrule\n"
                     "\\end{tabular}\n"));
  }
};

}  // namespace dubito::test

#include "plot_table_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::PlotTableTest)
