// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/images_page.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

#include "app/pictures/thumbnail_loader.h"
#include "tests/app/support/test_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/confusion_matrix.h"
#include "widgets/image_gallery.h"
#include "widgets/key_value_list.h"
#include "widgets/number_box.h"

namespace dubito::test {

/// What the Images page lists, and what its choosers and the confusion matrix make of it.
class ImagesPageTest : public QObject, private TestWindow {
  Q_OBJECT

 private Q_SLOTS:
  void everyMeasureHasALineOfTheTooltip() {
    showSample();
    const auto& gallery = part<ImageGallery>("imagesGallery");
    ItemQuery query;
    query.group = GroupFilter::kOod;
    session().listing().setQuery(query);
    QTRY_COMPARE(gallery.count(), 20);
    const GalleryItem item = gallery.item(0);
    QVERIFY(item.ood && !item.wrong);
    const QStringList lines = item.tooltip.split('\n');
    const AnalysisPart& ood = session().activeAnalysis()->parts[1];
    const auto measures =
        std::ranges::count_if(allMeasures(), [&ood](Measure measure) { return ood.has(measure); });
    QCOMPARE(lines.size(), 1 + measures);
    QVERIFY2(lines[1].startsWith("confidence "), qPrintable(item.tooltip));
  }

  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void beforeTheFirstRunItShowsTheChosenDataset() {
    window_->showPage(PageId::kImages);
    const ImageGallery& gallery = part<ImageGallery>("imagesGallery");
    Card& card = part<Card>("imagesCard");
    QVERIFY(card.emptyText().contains("Open images"));
    RunContext context;
    const auto glyphs = [&context](int items) {
      return openDataset("synthetic:glyphs?characters=10&n=" + std::to_string(items), context)
          .value();
    };
    session().addDataset("glyphs", glyphs(12), false);
    QCOMPARE(gallery.count(), 12);
    QVERIFY(card.emptyText().isEmpty());
    QVERIFY(card.subtitle().startsWith("12 items of"));
    QTRY_VERIFY(gallery.hasThumbnail(0));
    const GalleryItem first = gallery.item(0);
    QVERIFY(first.label_predicted.isEmpty());
    const DatasetPtr dataset = session().activeDataset();
    QCOMPARE(first.label_true.toStdString(),
             dataset->info().class_names[static_cast<std::size_t>(dataset->labels()[0])]);
    QVERIFY(!part<QComboBox>("sortChooser").isVisible());
    // Another one, and none, take its place.
    session().addDataset("more glyphs", glyphs(7), false);
    QCOMPARE(gallery.count(), 7);
    session().removeDataset(1);
    session().removeDataset(0);
    QCOMPARE(gallery.count(), 0);
    QVERIFY(card.emptyText().contains("Open images"));
    QVERIFY(card.subtitle().isEmpty());
    session().addDataset("stranger glyphs", glyphs(5), true);
    QVERIFY(card.emptyText().contains("No evaluation images"));
    session().removeDataset(0);
    // A run takes over, and leaves it again.
    session().addDataset("glyphs", glyphs(12), false);
    showSample();
    QTRY_COMPARE(gallery.count(), static_cast<qint64>(session().listing().items()->size()));
    QVERIFY(part<QComboBox>("sortChooser").isVisible());
    session().removeAnalysis(0);
    QCOMPARE(gallery.count(), 12);
    QTRY_VERIFY(gallery.hasThumbnail(0));
  }

  void aCellOfTheConfusionMatrixListsItsItems() {
    showSample();
    ConfusionMatrix& matrix = part<ConfusionMatrix>("confusionMatrix");
    const AnalysisPtr analysis = session().activeAnalysis();
    std::int64_t items = 0;
    for (const std::int64_t count : matrix.value().counts.values()) {
      items += count;
    }
    QCOMPARE(items, 60);
    const std::int64_t count = analysis->confusion.row(1)[1];
    QVERIFY(count > 0);
    Q_EMIT matrix.cellChosen(1, 1);
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), count);
    QCOMPARE(matrix.selected(), (std::optional<ConfusionCell>({1, 1})));
    QVERIFY(part<Card>("imagesCard").subtitle().contains("confusion matrix"));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), analysis->overview.misclassified);
    Q_EMIT matrix.cellChosen(1, 1);
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), count);
    Q_EMIT matrix.cleared();
    QTRY_COMPARE(part<ImageGallery>("imagesGallery").count(), analysis->overview.misclassified);
    QVERIFY(!matrix.selected());
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QVERIFY(part<Card>("confusionCard").emptyText().isEmpty());
  }

  void attributesAreOfferedForSortingAndFiltering() {
    showSample();
    QVERIFY(!part<QWidget>("attributeBar").isVisibleTo(&part<QWidget>("imagesPage")));
    session().addAnalysis(sampleAnalysisWithAttributes());
    QTRY_VERIFY(session().listing().items() != nullptr);
    QVERIFY(part<QWidget>("attributeBar").isVisibleTo(&part<QWidget>("imagesPage")));
    QComboBox& group = part<QComboBox>("groupChooser");
    group.setCurrentIndex(0);
    ImageGallery& gallery = part<ImageGallery>("imagesGallery");
    QTRY_COMPARE(gallery.count(), 80);

    QComboBox& name = part<QComboBox>("attributeChooser");
    QComboBox& value = part<QComboBox>("attributeValueChooser");
    QCOMPARE(name.count(), 3);
    name.setCurrentIndex(name.findText("camera"));
    QCOMPARE(gallery.count(), 80);
    QCOMPARE(value.count(), 4);  // any value, north, south, none
    value.setCurrentIndex(value.findText("north"));
    QTRY_COMPARE(gallery.count(), 20);
    QVERIFY(part<Card>("imagesCard").subtitle().contains("camera: north"));

    name.setCurrentIndex(name.findText("hour"));
    QTRY_COMPARE(gallery.count(), 80);
    NumberBox& low = part<NumberBox>("attributeLow");
    QVERIFY(low.isVisibleTo(&part<QWidget>("imagesPage")));
    QTest::keyClicks(low.findChild<QLineEdit*>(), "20");
    QTRY_COMPARE(gallery.count(), 28);  // 20 to 23, and the OOD items at 30
    QTest::keyClicks(part<NumberBox>("attributeHigh").findChild<QLineEdit*>(), "23");
    QTRY_COMPARE(gallery.count(), 8);
    QVERIFY(part<Card>("imagesCard").subtitle().contains(QString::fromUtf8("hour 20–23")));

    QComboBox& sort = part<QComboBox>("sortChooser");
    sort.setCurrentIndex(sort.findText("hour"));
    part<QPushButton>("sortDirection").setChecked(false);
    QTRY_COMPARE(session().listing().items()->front().row % 24, 20);
    QTRY_COMPARE(session().listing().items()->back().row % 24, 23);
    QVERIFY(part<Card>("imagesCard").subtitle().contains("by hour, lowest first"));
    session().listing().setPrimary(session().listing().items()->front());
    const std::vector<KeyValue>& lines = part<KeyValueList>("itemMeasures").values();
    QCOMPARE(lines.back().name, QString("hour"));
    QCOMPARE(lines.back().value, QString("20"));

    // Another analysis without the attributes goes back to its own default.
    session().addAnalysis(sampleAnalysis());
    QVERIFY(!session().listing().query().attribute);
    QVERIFY(!session().listing().query().sort_attribute);
  }

  void thumbnailsArriveForTheVisibleItems() {
    showSample();
    const qint64 key = keyOf(session().listing().items()->front());
    QTRY_VERIFY(part<ImageGallery>("overviewGallery").hasThumbnail(key));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ImagesPageTest)
#include "images_page_test.moc"
