// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/images_page.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <algorithm>
#include <memory>
#include <numeric>

#include "app/explore/images/item_table.h"
#include "app/explore/images/item_table_model.h"
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

  /// The sample as predictions from a file: no dataset is open.
  static AnalysisPtr analysisWithoutImages() {
    auto analysis = std::make_shared<Analysis>(*sampleAnalysis());
    for (AnalysisPart& part : analysis->parts) {
      part.dataset = nullptr;
      part.dataset_index = {};
    }
    return analysis;
  }
  static int columnOf(const ItemTable& table, const QString& heading) {
    for (int column = 0; column < table.model()->columnCount(); ++column) {
      if (table.model()->headerData(column, Qt::Horizontal).toString() == heading) {
        return column;
      }
    }
    return -1;
  }
  static QString cell(const ItemTable& table, int row, const QString& heading) {
    return table.model()->index(row, columnOf(table, heading)).data().toString();
  }
  static void clickHeading(const ItemTable& table, const QString& heading) {
    const QHeaderView& header = *table.horizontalHeader();
    const int column = columnOf(table, heading);
    table.horizontalScrollBar()->setValue(header.sectionPosition(column));
    const int x = header.sectionViewportPosition(column) + header.sectionSize(column) / 2;
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {x, header.height() / 2});
  }

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
    const ItemList& items = session().listing().items();
    QTRY_COMPARE((*items)[items->size() - 1].row % 24, 23);
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

  void itemsWithoutImagesAreRowsOfATable() {
    window_->showPage(PageId::kImages);
    session().addAnalysis(analysisWithoutImages());
    QTRY_VERIFY(session().listing().items() != nullptr);
    ItemTable& table = part<ItemTable>("imagesTable");
    QVERIFY(table.isVisible());
    QVERIFY(!part<QWidget>("imagesGallery").isVisible());
    QVERIFY(!part<QWidget>("thumbnailSize").isVisible());
    QVERIFY(!part<QWidget>("imagesAsTable").isVisible());
    ItemQuery query = session().listing().query();
    query.group = GroupFilter::kAll;
    session().listing().setQuery(query);
    QTRY_COMPARE(table.model()->rowCount(), 80);

    const AnalysisPtr analysis = session().activeAnalysis();
    const ItemRefs& items = *session().listing().items();
    for (int row = 0; row < 80; ++row) {
      const ItemRef item = items[static_cast<std::size_t>(row)];
      const Run& run = *analysis->partOf(item).run;
      QCOMPARE(cell(table, row, "item"), QString("#%1").arg(run.ids.data()[item.row]));
      QCOMPARE(cell(table, row, "dataset"), QString(item.part == 0 ? "insects" : "noise"));
      QCOMPARE(cell(table, row, "true"),
               item.part == 0 ? QString::fromStdString(run.className(run.labels.data()[item.row]))
                              : QString("OOD"));
      QCOMPARE(cell(table, row, "predicted"),
               QString::fromStdString(run.className(run.predictions.data()[item.row])));
      QCOMPARE(cell(table, row, "entropy"), QString::number(run.entropy->data()[item.row], 'f', 3));
      QCOMPARE(cell(table, row, "loss") == QString::fromUtf8("–"), item.part == 1);
    }
  }

  void aHeadingSortsTheListAndTheSelectedRowIsInspected() {
    window_->showPage(PageId::kImages);
    session().addAnalysis(analysisWithoutImages());
    QTRY_VERIFY(session().listing().items() != nullptr);
    ItemTable& table = part<ItemTable>("imagesTable");
    const auto& sort = part<QComboBox>("sortChooser");
    const ItemListing& listing = session().listing();
    const AnalysisPtr analysis = session().activeAnalysis();
    const auto isSorted = [&](bool descending) {
      return listing.items() &&
             std::ranges::is_sorted(listing.items()->all(), [&](ItemRef a, ItemRef b) {
               return descending ? analysis->lossOf(a) > analysis->lossOf(b)
                                 : analysis->lossOf(a) < analysis->lossOf(b);
             });
    };
    clickHeading(table, "loss");
    QCOMPARE(sort.currentText(), QString("loss"));
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), columnOf(table, "loss"));
    QCOMPARE(table.horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
    QTRY_VERIFY(isSorted(true));
    clickHeading(table, "loss");
    QCOMPARE(table.horizontalHeader()->sortIndicatorOrder(), Qt::AscendingOrder);
    QTRY_VERIFY(isSorted(false));
    QVERIFY(part<Card>("imagesCard").subtitle().contains("by loss, lowest first"));
    // The dataset is no order.
    clickHeading(table, "dataset");
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), columnOf(table, "loss"));
    clickHeading(table, "confidence");
    QVERIFY(!listing.query().descending);
    QCOMPARE(listing.query().sort, Measure::kConfidence);

    QTRY_VERIFY(listing.items() != nullptr && table.model()->rowCount() > 2);
    table.setCurrentIndex(table.model()->index(2, 0));
    QCOMPARE(listing.primary(), std::optional((*listing.items())[2]));
    session().moveShownItem(-1);
    QCOMPARE(table.currentIndex().row(), 1);
    // Letters belong to the window.
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_D);
    QCOMPARE(table.currentIndex().row(), 2);
  }

  void imagesCanBeShownAsATableAndSortedByItemNumber() {
    window_->showPage(PageId::kImages);
    showSample();
    auto& button = part<QPushButton>("imagesAsTable");
    QVERIFY(button.isVisible());
    QVERIFY(!part<ItemTable>("imagesTable").isVisible());
    auto& sort = part<QComboBox>("sortChooser");
    sort.setCurrentIndex(sort.findText("item number"));
    part<QPushButton>("sortDirection").setChecked(false);
    part<QComboBox>("groupChooser").setCurrentIndex(0);
    const auto& gallery = part<ImageGallery>("imagesGallery");
    QTRY_COMPARE(gallery.count(), 80);
    QVERIFY(std::ranges::is_sorted(session().listing().items()->all()));
    QCOMPARE(gallery.item(4).measure, gallery.item(4).name);
    button.click();
    ItemTable& table = part<ItemTable>("imagesTable");
    QVERIFY(table.isVisible());
    QCOMPARE(table.model()->rowCount(), 80);
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), columnOf(table, "item"));
    button.click();
    QVERIFY(gallery.isVisible());
    // A hidden table drops the run, and shows it again when it is needed.
    part<QComboBox>("groupChooser").setCurrentIndex(3);
    QTRY_COMPARE(gallery.count(), 20);
    QCOMPARE(table.model()->rowCount(), 0);
    button.click();
    QCOMPARE(table.model()->rowCount(), 20);
  }

  void theTableIsExportedWithExactNumbers() {
    window_->showPage(PageId::kImages);
    session().addAnalysis(analysisWithoutImages());
    QTRY_VERIFY(session().listing().items() != nullptr);
    const ItemTable& table = part<ItemTable>("imagesTable");
    const PlotTable exported = table.table();
    QCOMPARE(exported.rows.size(), session().listing().items()->size());
    const auto column = exported.columns.indexOf(QString("mutual_information"));
    QVERIFY(column >= 0);
    const ItemRef first = session().listing().items()->front();
    QCOMPARE(exported.rows[0][static_cast<std::size_t>(column)].toDouble(),
             session()
                 .activeAnalysis()
                 ->partOf(first)
                 .values(Measure::kMutualInformation)
                 .data()[first.row]);
  }

  void aMillionItemsAreRowsOfTheTable() {
    constexpr int kItems = 1'000'000;
    Run run;
    run.ids = Array<std::int64_t>::zeros({kItems});
    std::iota(run.ids.mutableValues().begin(), run.ids.mutableValues().end(), 1);
    run.labels = Array<std::int64_t>::zeros({kItems});
    run.predictions = Array<std::int64_t>::zeros({kItems});
    run.confidence = Array<double>::zeros({kItems});
    run.confidence.mutableData()[kItems - 1] = 0.25;
    run.meta.class_names = {"ant"};
    auto analysis = std::make_shared<Analysis>();
    analysis->parts.push_back(
        makePart("many", std::make_shared<const Run>(std::move(run)), nullptr, RunContext()));
    ItemQuery query;
    query.group = GroupFilter::kAll;
    query.sort_column = ItemColumn::kItem;
    auto items = std::make_shared<const ItemRefs>(findItems(*analysis, query));
    ItemTableModel model;
    QVERIFY(model.setItems(analysis, items));
    QCOMPARE(model.rowCount(), kItems);
    QCOMPARE(model.index(0, 0).data().toString(), QString("#1000000"));
    QCOMPARE(model.index(kItems - 1, 0).data().toString(), QString("#1"));
    QCOMPARE(model.exportValue(0, 3).toDouble(), 0.25);
    QVERIFY(!model.setItems(analysis, nullptr));
    QCOMPARE(model.rowCount(), 0);
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
