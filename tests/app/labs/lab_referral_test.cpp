// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/referral/lab_referral.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>
#include <ctime>

#include "tests/app/support/lab_window.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/gui_test.h"
#include "tests/support/sanitized.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/number_box.h"
#include "widgets/value_slider.h"

namespace dubito::test {

/// The laboratory "Referral" in the real window.
class LabReferralTest : public QObject, private LabWindow<LabReferral> {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLaboratory(Laboratory::kReferral); }
  void cleanup() { closeAll(); }

  void withoutARunItOffersTheDemo() {
    QVERIFY(part<QWidget>("labOpenDemo").isVisible());
    QVERIFY(part<QLabel>("labMissing").text().startsWith("No run is open"));
    QCOMPARE(part<Card>("referralCostsCard").emptyText(), "No run is open");
    part<QPushButton>("labOpenDemo").click();
    QTRY_VERIFY_WITH_TIMEOUT(lab().picture() && !lab().busy(), 3 * kPatience);
    QVERIFY(!part<QWidget>("labDemoOffer").isVisible());
    QCOMPARE(lab().picture()->ranking->items, 1300);
    QVERIFY(part<Card>("referralCostsCard").emptyText().isEmpty());
  }

  void showsTheNumbersOfTheCore() {
    showRun();
    RunContext context;
    ReferralOptions options;
    const auto ranking = rankReferral(*session().activeAnalysis()->in().run, options, context);
    const auto costs = costsOfReferral(*ranking, options);
    QVERIFY(costs);
    const CompareTableValue& table = part<CompareTable>("referralTable").value();
    QCOMPARE(table.rows.size(), costs->measures.size() + 2);
    const CurvePlotValue& curves = part<CurvePlot>("referralCosts").curves();
    QCOMPARE(curves.curves.size(), costs->measures.size());
    for (std::size_t i = 0; i < costs->measures.size(); ++i) {
      const ReferralRule& rule = costs->measures[i].optimum;
      QCOMPARE(table.rows[i].cells[1].value, rule.share);
      QCOMPARE(table.rows[i].cells[2].value, static_cast<double>(rule.errors));
      QCOMPARE(table.rows[i].cells[3].value, rule.cost);
      QCOMPARE(curves.curves[i].mark->y(), rule.cost);
      QCOMPARE(curves.curves[i].curve.summary, rule.cost);
    }
    // No errors are left after most referrals, and then there is no curve.
    const std::vector<Curve>& roc = ranking->measures[0].roc;
    const auto empty = std::ranges::count_if(roc, [](const Curve& one) { return one.x.empty(); });
    QVERIFY(empty > 0);
    QCOMPARE(part<CurvePlot>("referralRoc").curves().curves.size(),
             roc.size() - static_cast<std::size_t>(empty));
    QVERIFY(part<Card>("referralRocCard").subtitle().contains("no errors, or nothing else, from"));
  }

  void aSliderChangesTheCosts() {
    showRun();
    const double before = lab().picture()->costs.all;
    const auto ranking = lab().picture()->ranking;
    Q_EMIT part<ValueSlider>("referralLook").moved(3.0);
    settle();
    QCOMPARE(lab().picture()->costs.all, 3.0 * before);
    QCOMPARE(lab().picture()->ranking, ranking);  // nothing was sorted again
    Q_EMIT part<ValueSlider>("referralLook").moved(500.0);
    settle();
    QVERIFY2(part<QLabel>("referralSentence").text().contains("referring nothing is cheapest"),
             qPrintable(part<QLabel>("referralSentence").text()));
    QVERIFY(part<QLabel>("referralRatio").text().contains("no item is worth a look"));
  }

  void tenThousandItemsFollowTheSliderWithinAFrame() {
    showRun(randomRun(10'000, 10, 2.0, 4, true, true));
    ValueSlider& slider = part<ValueSlider>("referralError");
    constexpr int kMoves = 20;
    // Of all threads, so that other programs do not count.
    const std::clock_t begin = std::clock();
    for (int move = 0; move < kMoves; ++move) {
      const auto before = lab().picture();
      Q_EMIT slider.moved(5.0 + move);
      QTRY_VERIFY_WITH_TIMEOUT(lab().picture() != before && !lab().busy(), kPatience);
      part<CurvePlot>("referralCosts").repaint();
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kMoves;
    qInfo("%.1f ms of computing per move", 1000.0 * seconds);
    if (!kSanitized) {
      QVERIFY(seconds < 0.05);
    }
  }

  void aRowIsShownInTheRoc() {
    showRun();
    QVERIFY(part<CompareTable>("referralTable").value().rows.size() > 3);
    Q_EMIT part<CompareTable>("referralTable").rowChosen(1);
    const QString name =
        QString::fromUtf8(describe(lab().picture()->costs.measures[1].measure).name);
    QTRY_COMPARE(part<Card>("referralRocCard").title(), "ROC after referral by " + name);
    QVERIFY(part<QLabel>("referralSentence").text().contains(name));
    Q_EMIT part<Card>("referralCostsCard").choiceMade(1);
    const CurvePlotValue& curves = part<CurvePlot>("referralCosts").curves();
    QVERIFY(curves.x_is_share);
    // The bound is drawn as well.
    QCOMPARE(curves.curves.size(), lab().picture()->costs.measures.size() + 1);
    QCOMPARE(curves.curves.back().curve.y[0], lab().picture()->costs.oracle);
  }

  void anotherRunIsRankedAnew() {
    showRun();
    const auto first = lab().picture()->ranking;
    showRun(randomRun(200, 2, 2.0, 3, true, true), 2);
    QVERIFY(lab().picture()->ranking != first);
    QCOMPARE(lab().picture()->ranking->items, 200);
    // Two classes have costs of their own.
    QVERIFY(part<QWidget>("false_positive_cost").isVisible());
    typeNumber("false_positive_cost", "2");
    QVERIFY(part<QLabel>("referralNotes").text().contains("give both or neither"));
    typeNumber("false_negative_cost", "20");
    settle();
    QVERIFY(part<QLabel>("referralNotes").text().isEmpty());
    QVERIFY(!part<QWidget>("referralError").isEnabled());
    QComboBox& runs = part<QComboBox>("referralRun");
    QCOMPARE(runs.count(), 2);
    runs.setCurrentIndex(0);
    Q_EMIT runs.activated(0);
    QTRY_VERIFY_WITH_TIMEOUT(lab().picture() && lab().picture()->ranking->items == 60, kPatience);
    QVERIFY(part<QWidget>("referralError").isEnabled());
  }

  void whatCannotBeComputedIsSaid() {
    showRun(randomRun(50, 3, 2.0, 3, false, false));
    QVERIFY(part<QLabel>("referralNotes").text().contains("no labelled items"));
    QCOMPARE(part<Card>("referralTableCard").emptyText(), "No result");
    showRun();
    QVERIFY(part<QLabel>("referralNotes").text().isEmpty());
    type("measures", "nonsense");
    QVERIFY(!part<QLabel>("referralNotes").text().isEmpty());
    QVERIFY(!part<QLabel>("referralNotes").text().contains("--"));
    type("measures", "entropy");
    settle();
    QCOMPARE(lab().picture()->costs.measures.size(), std::size_t{1});
  }

 private:
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!lab().busy(), kPatience); }
  void showRun() {
    session().addAnalysis(sampleAnalysis());
    QTRY_VERIFY_WITH_TIMEOUT(lab().picture() && !lab().busy(), kPatience);
  }
  void showRun(dubito::Run run) {
    RunContext context;
    std::vector<AnalysisPart> parts;
    parts.push_back(
        makePart("random", std::make_shared<const dubito::Run>(std::move(run)), nullptr, context));
    auto analysis = analyse(std::move(parts), nullptr, std::nullopt, EvaluationOptions{}, context);
    QVERIFY(analysis);
    session().addAnalysis(*analysis);
    settle();
  }
  void showRun(dubito::Run run, std::int64_t classes) {
    QCOMPARE(run.classCount(), classes);
    showRun(std::move(run));
  }
  /// Unticks "auto" and types a number.
  void typeNumber(const char* field, const QString& text) {
    part<QCheckBox>((std::string(field) + "Auto").c_str()).click();
    auto& box = part<NumberBox>(field);
    auto* const editor = box.findChild<QLineEdit*>();
    editor->setText(text);
    Q_EMIT editor->textEdited(text);
    Q_EMIT box.edited();
  }
  void type(const char* field, const QString& text) {
    auto& editor = part<QLineEdit>(field);
    editor.setText(text);
    Q_EMIT editor.textEdited(text);
    Q_EMIT editor.editingFinished();
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabReferralTest)
#include "lab_referral_test.moc"
