// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>

#include "core/data/items/dataset.h"
#include "core/data/sources/dataset_fingerprint.h"
#include "core/io/run_summary.h"
#include "core/labels/label_store.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"

namespace dubito::test {

/// In which store a review goes on.
class ReviewStoreTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void aReviewedDatasetGoesOnInTheStoreThatItsLabelsComeFrom() {
    const std::string place = dir_->file("shared.labels");
    makeStore(place);
    showRunOn("labels:" + place);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy());
    QCOMPARE(reviewer().file().place(), QString::fromStdString(place));
    QCOMPARE(reviewer().file().labels().size(), std::size_t{2});  // of ben
    QCOMPARE(reviewer().queue().length(), 18);
    reviewer().file().setAnnotator(QStringLiteral("anna"));
    reviewer().file().decide({{.item = 5, .action = LabelAction::kCorrect, .class_id = 1}});
    QTRY_VERIFY(!reviewer().busy());
    const auto store = LabelStore::open(place, StoreMode::kReadOnly);
    QVERIFY(store.has_value());
    QCOMPARE((*store)->labels()->size(), std::size_t{3});
    // Its dataset is still that of the images, so that it can be opened again.
    QCOMPARE((*store)->dataset()->value().spec, kImages);
    QVERIFY(!QDir(QString::fromStdString(dir_->file("labels"))).exists());
  }

  void aStoreThatIsGoneIsNotMadeAnew() {
    const std::string place = dir_->file("gone.labels");
    makeStore(place);
    showRunOn("labels:" + place);
    QVERIFY(QFile::remove(QString::fromStdString(place)));
    QSignalSpy failed(&page(), &ReviewPage::failed);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains("gone.labels"));
    QVERIFY(!reviewer().active());
    QVERIFY(!QFile::exists(QString::fromStdString(place)));
  }

  void otherDatasetsHaveAStoreOfTheirOwn() {
    showRunOn(kImages);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy());
    QVERIFY(reviewer().file().place().startsWith(QString::fromStdString(dir_->file("labels/"))));
    QVERIFY(reviewer().file().labels().empty());
  }

 private:
  const std::string kImages = "synthetic:glyphs?n=20&seed=1";

  /// Decisions of ben about the first two images.
  void makeStore(const std::string& place) {
    RunContext context;
    const auto images = openDataset(kImages, context);
    QVERIFY(images.has_value());
    const auto store = LabelStore::open(place, StoreMode::kOpenOrCreate);
    QVERIFY(store.has_value());
    QVERIFY((*store)
                ->belongTo({.name = "glyphs",
                            .spec = kImages,
                            .fingerprint = datasetFingerprint(kImages, context).value()},
                           (*images)->info().class_names)
                .has_value());
    for (std::int64_t item = 0; item < 2; ++item) {
      const Decision decision{
          .item = item, .action = LabelAction::kCorrect, .class_id = 2, .annotator = "ben"};
      QVERIFY((*store)->decide(std::span(&decision, 1)).has_value());
    }
  }
  /// A run that calls every image the first class.
  void showRunOn(const std::string& spec) {
    RunContext context;
    const auto opened = openDataset(spec, context);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
    const Dataset& dataset = **opened;
    const auto classes = static_cast<std::int64_t>(dataset.info().class_names.size());
    Run run;
    std::vector<float> probs;
    std::vector<std::int64_t> labels(dataset.labels().begin(), dataset.labels().end());
    std::vector<std::int64_t> ids(dataset.ids().begin(), dataset.ids().end());
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
      for (std::int64_t k = 0; k < classes; ++k) {
        probs.push_back(k == 0 ? 0.7F : 0.3F / static_cast<float>(classes - 1));
      }
    }
    run.probs = Array<float>::fromVector({dataset.size(), classes}, std::move(probs));
    run.labels = Array<std::int64_t>::fromVector(std::move(labels));
    run.ids = Array<std::int64_t>::fromVector(std::move(ids));
    fillFromProbs(run, context);
    run.meta.class_names = dataset.info().class_names;
    run.meta.dataset_name = dataset.info().name;
    auto analysis =
        analyse({makePart(dataset.info().name, std::make_shared<const Run>(std::move(run)), *opened,
                          context)},
                nullptr, std::nullopt, {}, context);
    QVERIFY(analysis.has_value());
    session().addAnalysis(*std::move(analysis));
    QTRY_VERIFY(session().listing().items() != nullptr);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewStoreTest)
#include "review_store_test.moc"
