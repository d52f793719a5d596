// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/results/review_results.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/review/results/review_results_values.h"
#include "core/metrics/agreement.h"
#include "tests/app/support/review_runs.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/change_list.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/number_text.h"

namespace dubito::test {

/// What the page says about a finished review.
class ReviewResultsTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void withoutDecisionsEveryPlotSaysWhatIsMissing() {
    start({.items = 200});
    showResults();
    QVERIFY(empty("reviewScoresCard").contains("Decide about some images"));
    QVERIFY(empty("reviewChangesCard").contains("No image with a given label is reviewed"));
    QVERIFY(empty("reviewFoundCard").contains("Wrong labels appear here"));
    QVERIFY(empty("reviewCourseCard").contains("after a few decisions"));
    QVERIFY(empty("reviewAgreementCard").contains("Two or more persons"));
    QVERIFY(empty("reviewVisibilityCard").contains("Hide the suggestion"));
  }

  void imagesWithoutLabelsAreNotCompared() {
    start({.items = 200, .labelled = false});
    decide("anna", {{0, 1}, {1, 1}});
    showResults();
    QVERIFY(empty("reviewScoresCard").contains("came without labels"));
  }

  void theMatrixShowsWhatWasChangedAndSelectsIt() {
    start({.items = 200});
    const Run& run = *session().activeAnalysis()->in().run;
    // The first ten of class ant become bees, the others of the first 60 stay.
    std::vector<std::pair<std::int64_t, std::int64_t>> decisions;
    std::vector<std::int64_t> ants;
    for (std::int64_t row = 0; row < 60; ++row) {
      const std::int64_t given = run.labels.data()[row];
      const bool changes = given == 0 && ants.size() < 10;
      if (changes) {
        ants.push_back(row);
      }
      decisions.emplace_back(row, changes ? 1 : given);
    }
    QCOMPARE(ants.size(), std::size_t{10});
    decide("anna", decisions);
    showResults();
    QCOMPARE(results().effect()->changed, 10);
    auto& matrix = part<ConfusionMatrix>("reviewChanges");
    QCOMPARE(matrix.value().class_names, QStringList({"ant", "bee", "cat"}));
    QCOMPARE(matrix.value().counts.data()[1], 10);  // given ant, reviewed bee
    QVERIFY(matrix.describe({0, 1}).startsWith("given ant, reviewed bee: 10 items"));
    QCOMPARE(part<Card>("reviewChangesCard").figure(), QStringLiteral("10 changed"));
    // Accuracy before: the predictions that are the given label.
    std::int64_t right = 0;
    for (std::int64_t row = 0; row < 60; ++row) {
      right += run.predictions.data()[row] == run.labels.data()[row] ? 1 : 0;
    }
    const auto& changes = part<ChangeList>("reviewScores").changes();
    QCOMPARE(changes[2].before, shareText(static_cast<double>(right) / 60.0));
    // A click on the cell selects these images on all pages.
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.centreOf({0, 1}).toPoint());
    QTRY_VERIFY(session().listing().query().picked.has_value());
    QTRY_COMPARE(session().listing().items()->size(), std::size_t{10});
    for (const ItemRef item : session().listing().items()->all()) {
      QVERIFY(std::ranges::find(ants, item.row) != ants.end());
    }
    // And one by one, to look at them.
    part<QPushButton>("reviewChangesShow").click();
    QTRY_COMPARE(reviewer().queue().ids, ants);
    QTRY_COMPARE(reviewer().position(), 0);
    QVERIFY(part<QLabel>("reviewWhy").text().startsWith("Images with the label ant"));
    QVERIFY(!part<QWidget>("reviewEnd").isVisible());
    part<QPushButton>("reviewBack").click();
    QVERIFY(matrix.isVisible());
    const QString line = part<Card>("reviewFoundCard").subtitle();
    QVERIFY2(line.startsWith("random order: ") && line.endsWith(" wrong, estimated"),
             qPrintable(line));
    // The found errors end with all ten, after sixty images.
    const auto& found = part<CurvePlot>("reviewFound").curves().curves;
    QCOMPARE(found[0].curve.x.back(), 60.0);
    QCOMPARE(found[0].curve.y.back(), 10.0);
    QCOMPARE(found.size(), std::size_t{2});  // compared with random order
    QCOMPARE(found[1].curve.y.front(), 0.0);
  }

  void whatIsSaidToHaveChangedIsTheSameEverywhere() {
    start({.items = 200});
    const Run& run = *session().activeAnalysis()->in().run;
    std::vector<Decision> decisions;
    for (std::int64_t row = 0; row < 20; ++row) {
      const std::int64_t given = run.labels.data()[row];
      decisions.push_back({.item = row,
                           .action = LabelAction::kCorrect,
                           .class_id = row < 4 ? (given + 1) % 3 : given});
    }
    decisions.push_back({.item = 20, .action = LabelAction::kAmbiguous});
    record("anna", std::move(decisions));
    std::vector<Decision> of_model;
    for (std::int64_t row = 100; row < 130; ++row) {
      of_model.push_back({.item = row,
                          .action = LabelAction::kAccept,
                          .class_id = run.predictions.data()[row],
                          .origin = LabelOrigin::kModel});
    }
    record("anna", std::move(of_model));
    showResults();
    auto& card = part<Card>("reviewChangesCard");
    QCOMPARE(card.figure(), QStringLiteral("5 changed"));
    QVERIFY2(card.subtitle().endsWith("1 of them can't tell"), qPrintable(card.subtitle()));
    QCOMPARE(part<Card>("reviewScoresCard").subtitle(),
             QStringLiteral("21 of 200 images reviewed, 30 labelled automatically"));
    window_->showPage(PageId::kImages);
    QTRY_COMPARE(part<QToolButton>("labelsReviewed").text(), "reviewed (5 changed)");
  }

  void imagesThatCameWithoutLabelsAreLabelledNotChanged() {
    start({.items = 60, .labelled = false});
    record("anna", {{.item = 0, .action = LabelAction::kCorrect, .class_id = 0},
                    {.item = 1, .action = LabelAction::kCorrect, .class_id = 1},
                    {.item = 2, .action = LabelAction::kAmbiguous}});
    window_->showPage(PageId::kImages);
    QTRY_COMPARE(part<QToolButton>("labelsReviewed").text(), "reviewed (2 labelled)");
    QVERIFY2(part<QLabel>("labelSource").text().endsWith(", 2 of 60 labelled"),
             qPrintable(part<QLabel>("labelSource").text()));
    QCOMPARE(part<QAbstractButton>("groupUnlabelled").text(), "no given label");
  }

  void severalPersonsAreCompared() {
    start({.items = 200});
    std::vector<std::pair<std::int64_t, std::int64_t>> first;
    std::vector<std::pair<std::int64_t, std::int64_t>> second;
    for (std::int64_t row = 0; row < 30; ++row) {
      first.emplace_back(row, row % 3);
      second.emplace_back(row, row < 24 ? row % 3 : (row + 1) % 3);
    }
    decide("anna", first);
    decide("ben", second);
    showResults();
    const Ratings& ratings = results().effect()->ratings;
    const CohenAgreement cohen = cohenAgreement(ratings.ratings[0], ratings.ratings[1]);
    QCOMPARE(cohen.observed, 0.8);
    const auto& values = part<KeyValueList>("reviewAgreement").values();
    QCOMPARE(values.size(), std::size_t{5});  // all, one pair, three classes
    QCOMPARE(values[1].name, QStringLiteral("anna and ben"));
    QVERIFY(values[1].value.startsWith(QString::number(*cohen.kappa, 'f', 2)));
    QVERIFY(values[2].name == "class ant");
    // Anna's, which Ben decided after her.
    const auto& persons = part<KeyValueList>("reviewPersons").values();
    QCOMPARE(persons.size(), std::size_t{8});
    QCOMPARE(persons[0].value, QStringLiteral("30 decided"));
    QCOMPARE(persons[2].value, shareText(0.8));
    QCOMPARE(persons[3].value, shareText(0.2));
    QCOMPARE(persons[3].unit, QStringLiteral("of 30"));
    QCOMPARE(persons[7].value, QStringLiteral("–"));  // nobody came after Ben
  }

  void theCourseByUncertaintySelectsTenths() {
    start({.items = 200});
    std::vector<std::pair<std::int64_t, std::int64_t>> decisions;
    for (std::int64_t row = 0; row < 200; ++row) {
      decisions.emplace_back(row, 0);
    }
    decide("anna", decisions, 1500);
    showResults();
    auto& card = part<Card>("reviewCourseCard");
    Q_EMIT card.choiceMade(1);
    const auto& curve = part<CurvePlot>("reviewCourse").curves().curves[0].curve;
    QCOMPARE(curve.x.size(), std::size_t{10});
    QCOMPARE(curve.y[3], 1.5);  // seconds
    Q_EMIT part<CurvePlot>("reviewCourse").pointSelected(0, 9);
    QTRY_COMPARE(session().listing().items()->size(), std::size_t{20});
    // The most uncertain tenth.
    const auto& entropy = session().activeAnalysis()->in().values(Measure::kEntropy);
    std::vector<double> sorted(entropy.values().begin(), entropy.values().end());
    std::ranges::sort(sorted);
    for (const ItemRef item : session().listing().items()->all()) {
      QVERIFY(entropy.data()[item.row] >= sorted[180]);
    }
  }

  void shownAndHiddenSuggestionsAreCompared() {
    start({.items = 200});
    const Run& run = *session().activeAnalysis()->in().run;
    std::vector<Decision> decisions;
    for (std::int64_t row = 0; row < 40; ++row) {
      // With the suggestion in view, it is always followed; hidden, in half of the cases.
      const bool shown = row < 20;
      const bool follows = shown || row % 2 == 0;
      Decision decision{.item = row, .action = LabelAction::kCorrect};
      decision.class_id = (run.predictions.data()[row] + (follows ? 0 : 1)) % 3;
      decision.prediction_shown = shown;
      for (std::int64_t k = 0; k < 3; ++k) {
        decision.probs.push_back(static_cast<float>(run.prob(row, k)));
      }
      decisions.push_back(std::move(decision));
    }
    record("anna", std::move(decisions));
    showResults();
    const auto& values = part<KeyValueList>("reviewVisibility").values();
    QCOMPARE(values.size(), std::size_t{2});
    QCOMPARE(values[0].value, shareText(1.0));
    QCOMPARE(values[1].value, shareText(0.5));
  }

  void acceptingWithoutLookingIsSaidWhereTheAccuracyStands() {
    start({.items = 200});
    const Run& run = *session().activeAnalysis()->in().run;
    const auto follow = [&run](std::int64_t row, std::int64_t spent_ms, bool shown) {
      Decision decision{.item = row,
                        .action = LabelAction::kAccept,
                        .class_id = run.predictions.data()[row],
                        .spent_ms = spent_ms,
                        .prediction_shown = shown};
      for (std::int64_t k = 0; k < 3; ++k) {
        decision.probs.push_back(static_cast<float>(run.prob(row, k)));
      }
      return decision;
    };
    std::vector<Decision> page;
    for (std::int64_t row = 0; row < 60; ++row) {
      page.push_back(follow(row, 50, true));  // many at once
    }
    record("anna", std::move(page));
    record("anna", {follow(60, 400, true)});   // too fast
    record("anna", {follow(61, 4000, true)});  // with care
    showResults();
    const QString text = part<QLabel>("reviewSuggested").text();
    QVERIFY2(text.startsWith("100.00 % of your 62 labels are the suggestion. 61 were "
                             "accepted many at once or in less than a second"),
             qPrintable(text));
    QVERIFY2(text.endsWith("Hide the suggestion (H) for some images to check."), qPrintable(text));
    // The very accuracy that the warning is about.
    QCOMPARE(part<ChangeList>("reviewScores").changes()[2].now, shareText(1.0));
    Decision other = follow(62, 4000, false);
    other.action = LabelAction::kCorrect;
    other.class_id = (*other.class_id + 1) % 3;
    record("anna", {other});
    record("anna", {follow(63, 4000, false)});
    QTRY_VERIFY2(part<QLabel>("reviewSuggested")
                     .text()
                     .endsWith("While it was hidden, 50.00 % of 2 decisions agreed with it; in "
                               "view, 100.00 %."),
                 qPrintable(part<QLabel>("reviewSuggested").text()));
    QVERIFY(part<QLabel>("reviewSuggested").isVisible());
  }

  void theSpeedIsThatOfTheImagesWhoseDecisionsStand() {
    start({.items = 200});
    reviewer().file().setAnnotator(QStringLiteral("anna"));
    const auto page = [](std::int64_t first) {
      std::vector<Decision> decisions;
      for (std::int64_t row = first; row < first + 60; ++row) {
        decisions.push_back({.item = row, .action = LabelAction::kCorrect, .class_id = 0});
      }
      return decisions;
    };
    reviewer().file().decide(page(0));
    QTest::qWait(50);  // the time of the second page, which is measured
    reviewer().file().decide(page(60));
    QTRY_VERIFY(!reviewer().busy());
    showResults();
    QCOMPARE(results().effect()->pace.images, 60);  // the time of the first page is unknown
    const QString before = part<Card>("reviewCourseCard").figure();
    QVERIFY2(before.endsWith(" a minute"), qPrintable(before));
    reviewer().undo();
    QTRY_COMPARE(results().effect()->pace.images, 0);
    QVERIFY(part<Card>("reviewCourseCard").figure().isEmpty());
    reviewer().redo();
    QTRY_COMPARE(results().effect()->pace.images, 60);
    QCOMPARE(part<Card>("reviewCourseCard").figure(), before);
  }

  void theWindowHasTheWordsOfAnAnnotator() {
    start({.items = 200});
    std::vector<std::pair<std::int64_t, std::int64_t>> decisions;
    for (std::int64_t row = 0; row < 40; ++row) {
      decisions.emplace_back(row, row % 3);
    }
    decide("anna", decisions, 1500);
    decide("ben", decisions, 1500);
    showResults();
    const QRegularExpression terms(
        QStringLiteral("\\bECE\\b|\\bacc\\.|kappa|calibrat|confident learning|Wilson"));
    for (const QLabel* const label : results().findChildren<QLabel*>()) {
      QVERIFY2(!label->text().contains(terms), qPrintable(label->text()));
    }
    const auto& changes = part<ChangeList>("reviewScores").changes();
    QCOMPARE(changes[0].name, QStringLiteral("answers right"));
    QVERIFY(changes[0].tooltip.startsWith("Accuracy: "));
    QVERIFY(changes[1].tooltip.contains("(ECE)"));
    QVERIFY(part<KeyValueList>("reviewAgreement").values()[0].tooltip.startsWith("Fleiss' kappa"));
  }

  void labelsThatAreTheSuggestionsHaveNoScoreBefore() {
    ReviewEffect effect;
    effect.compared_only.reviewed = {.items = 4, .accuracy = 0.75, .ece = std::nan("")};
    const std::vector<Change> changes = scoreChanges(effect, true);
    QCOMPARE(changes.size(), std::size_t{1});  // without scores, none of them is off
    QCOMPARE(changes[0].name, QStringLiteral("labels that were right"));
    QCOMPARE(changes[0].before, QStringLiteral("–"));
    QCOMPARE(changes[0].now, QStringLiteral("75.00 %"));
    effect.compared_only.reviewed.ece = 0.125;
    QCOMPARE(scoreChanges(effect, true).at(1).now, QStringLiteral("12.50 %"));
  }

 private:
  ReviewResults& results() { return *window_->findChild<ReviewResults*>(); }
  QString empty(const char* card) { return part<Card>(card).emptyText(); }
  void start(const ReviewRun& run) {
    session().addAnalysis(reviewRun(run));
    QTRY_VERIFY(session().listing().items() != nullptr);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy());
  }
  void record(const QString& who, std::vector<Decision> decisions) {
    reviewer().file().setAnnotator(who);
    reviewer().file().decide(std::move(decisions));
    QTRY_VERIFY(!reviewer().busy());
  }
  /// Pairs of item and class, as one step.
  void decide(const QString& who, const std::vector<std::pair<std::int64_t, std::int64_t>>& chosen,
              std::int64_t spent_ms = 0) {
    std::vector<Decision> decisions;
    for (const auto& [item, class_id] : chosen) {
      decisions.push_back({.item = item,
                           .action = LabelAction::kCorrect,
                           .class_id = class_id,
                           .spent_ms = spent_ms});
    }
    record(who, std::move(decisions));
  }
  void showResults() {
    page().showMode(QStringLiteral("results"));
    QTRY_VERIFY(results().effect() != nullptr && !results().busy());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewResultsTest)
#include "review_results_test.moc"
