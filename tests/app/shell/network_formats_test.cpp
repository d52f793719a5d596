// SPDX-License-Identifier: GPL-3.0-or-later
// Networks of every format go the whole way through the window: dropped with photographs, computed
// with an inserted dropout site and with a Laplace approximation, given a new head, and compared.
//
// DUBITO_SCREENSHOTS=FOLDER also saves pictures of the pages there. DUBITO_NETWORK=FILE with
// DUBITO_TEST and DUBITO_TRAINING, which specify datasets, takes a network of one's own along.
#include <QCheckBox>
#include <QColor>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QImage>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <algorithm>
#include <filesystem>

#include "app/session/preprocessing_edit.h"
#include "app/shell/page_stack.h"
#include "app/train/train_page.h"
#include "app/train/train_set_up.h"
#include "core/methods/method_options.h"
#include "tests/app/support/test_window.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

class NetworkFormatsTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  static constexpr int kOfAClass = 12;

  Workbench& workbench() { return window_->workbench(); }

  /// Photographs in a folder a class: stripes, wider from class to class, with noise.
  QString makePhotographs(const char* folder, int classes, int first) {
    for (int c = 0; c < classes; ++c) {
      const std::filesystem::path place = dir_->path() / folder / ("class " + std::to_string(c));
      std::filesystem::create_directories(place);
      for (int i = first; i < first + kOfAClass; ++i) {
        QImage image(10, 10, QImage::Format_Grayscale8);
        for (int y = 0; y < 10; ++y) {
          for (int x = 0; x < 10; ++x) {
            const int grey = (x / (c + 1)) % 2 * 200 + (x * 7 + y * 13 + i * 29) % 40;
            image.setPixelColor(x, y, QColor(grey, grey, grey));
          }
        }
        image.save(QString::fromStdString((place / (std::to_string(i) + ".png")).string()));
      }
    }
    return QString::fromStdString(dir_->file(folder));
  }

  void drop(const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) {
      urls << QUrl::fromLocalFile(path);
    }
    data.setUrls(urls);
    const QPoint where(600, 400);
    QDragEnterEvent enter(where, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &enter);
    QDropEvent dropped(where, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &dropped);
    QTRY_VERIFY_WITH_TIMEOUT(!workbench().jobs().busy(), kPatience);
  }

  void compute(const MethodOptions& method, const DatasetPtr& fit) {
    ComputeSettings settings;
    settings.method = method;
    settings.data.fit = fit;
    const std::size_t before = session().analyses().size();
    workbench().computer().compute(settings);
    QTRY_VERIFY2_WITH_TIMEOUT(session().analyses().size() == before + 1,
                              qPrintable(otherMessages().join('\n')), kPatience);
  }

  void shoot(const char* name) {
    const QString folder = qEnvironmentVariable("DUBITO_SCREENSHOTS");
    if (!folder.isEmpty()) {
      QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
      deliverEvents();
      window_->grab().save(folder + '/' + QString::fromLatin1(QTest::currentDataTag()) + '-' +
                           QString::fromLatin1(name) + ".png");
    }
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void goThroughTheWindow_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("classes");
    QTest::addRow("exported") << "tests/data/models/exported/plain.pt2" << 5;
    QTest::addRow("onnx") << "tests/data/onnx/cnn_dynamo.onnx" << 3;
    if (const QString own = qEnvironmentVariable("DUBITO_NETWORK"); !own.isEmpty()) {
      QTest::addRow("own") << own << 0;
    }
    QTest::addRow("torchscript") << "tests/data/models/scripted_functional.pt" << 0;
  }

  void goThroughTheWindow() {
    QFETCH(QString, file);
    QFETCH(int, classes);
    const std::filesystem::path source = sourceDir() / file.toStdString();  // or an absolute path
    const std::filesystem::path network = dir_->path() / source.filename();
    std::filesystem::copy_file(source, network);
    drop({QString::fromStdString(network.string())});
    QCOMPARE(session().models().size(), std::size_t{1});
    const ModelPtr model = session().activeModel();
    classes = classes == 0 ? static_cast<int>(model->audit().classes) : classes;
    QCOMPARE(model->audit().classes, classes);
    const bool is_own = QLatin1String(QTest::currentDataTag()) == QLatin1String("own");
    drop({is_own ? qEnvironmentVariable("DUBITO_TEST")
                 : makePhotographs("photographs", classes, 0)});
    QCOMPARE(session().datasets().size(), std::size_t{1});
    const std::string more = is_own ? qEnvironmentVariable("DUBITO_TRAINING").toStdString()
                                    : makePhotographs("more", classes, 100).toStdString();
    workbench().opener().open(
        {{more + (more.find('?') == std::string::npos ? "?" : "&") + "role=train",
          FileKind::kDataset, false, "training"}});
    QTRY_COMPARE_WITH_TIMEOUT(session().datasets().size(), std::size_t{2}, kPatience);
    const DatasetPtr training = session().datasets()[1].dataset;
    shoot("opened");

    compute(McDropoutOptions{.draws = 10, .insert = "always"}, nullptr);
    QVERIFY(session().activeAnalysis() != nullptr);
    const Run& drawn = *session().activeAnalysis()->in().run;
    QCOMPARE(drawn.ids.size(), session().datasets()[0].dataset->size());
    QVERIFY(drawn.mutual_information.has_value());
    QVERIFY(std::ranges::any_of(drawn.mutual_information->values(),
                                [](double nats) { return nats > 1e-6; }));
    shoot("mc-dropout");

    compute(LaplaceOptions{}, training);
    QVERIFY(session().activeAnalysis()->in().run->logit_var.has_value());
    shoot("laplace");

    window_->showPage(PageId::kTrain);
    TrainPage& page = window_->pages().train();
    page.setUp().setOptions({.layers = 2, .units = 8, .dropout = "fixed", .epochs = 3});
    page.setUp().setPath(QString::fromStdString(dir_->file("head.pt")));
    part<QPushButton>("trainStart").click();
    QTRY_VERIFY_WITH_TIMEOUT(!page.trainer().training(), kPatience);
    QVERIFY2(page.trainer().trained() != nullptr, qPrintable(otherMessages().join('\n')));
    QCOMPARE(session().models().size(), std::size_t{2});
    shoot("head");
    compute(McDropoutOptions{.draws = 10}, nullptr);
    QCOMPARE(session().activeAnalysis()->model, session().models().back().model);

    window_->showPage(PageId::kCompare);
    QTRY_COMPARE(session().analyses().size(), std::size_t{3});
    shoot("compare");
    for (const QString& message : otherMessages()) {
      QVERIFY2(!message.contains("failed"), qPrintable(message));
    }
  }

  void photographsOfSeveralSizesAreResizedIfOneAgrees_data() {
    QTest::addColumn<bool>("isolated");
    QTest::newRow("in the window") << false;
    QTest::newRow("in a separate process") << true;
  }
  void photographsOfSeveralSizesAreResizedIfOneAgrees() {
    QFETCH(bool, isolated);
    part<QCheckBox>("isolatedCheck").setChecked(isolated);
    const std::string network = dir_->file("any_size.pt");
    std::filesystem::copy_file(sourceDir() / "tests/data/models/any_size.pt", network);
    std::filesystem::create_directories(dir_->path() / "photographs");
    for (int i = 0; i < 4; ++i) {
      QImage image(300 + 20 * i, 260, QImage::Format_RGB888);
      image.fill(QColor(60 * i, 100, 30));
      QVERIFY(image.save(
          QString::fromStdString(dir_->file("photographs/" + std::to_string(i) + ".png"))));
    }
    drop({QString::fromStdString(network)});
    drop({QString::fromStdString(dir_->file("photographs"))});
    ComputeSettings settings;
    settings.method = MapOptions{};
    settings.isolated = isolated;
    workbench().computer().compute(settings);
    auto& offer = part<QToolButton>("errorOffer");
    QTRY_VERIFY2_WITH_TIMEOUT(offer.isVisible(), qPrintable(otherMessages().join('\n')), kPatience);
    QCOMPARE(offer.text(), QStringLiteral("Resize the images to 224 x 224 and compute"));
    QVERIFY(session().analyses().empty());
    // Until it is taken, they show that images are used as stored, whatever the audit has tried.
    QVERIFY2(part<QLabel>("preprocessingLine").text().contains("size as stored"),
             qPrintable(part<QLabel>("preprocessingLine").text()));
    QCOMPARE(PreprocessingEdit::of(*session().activeModel()).height, 0);
    shoot("sizes");
    offer.click();
    QTRY_VERIFY2_WITH_TIMEOUT(session().analyses().size() == 1,
                              qPrintable(otherMessages().join('\n')), kPatience);
    QVERIFY(!offer.isVisible());
    QVERIFY(otherMessages().filter("input_size").isEmpty());
    QCOMPARE(session().activeAnalysis()->in().run->itemCount(), 4);
    QCOMPARE(session().activeModel()->metadata().preprocessing.height, 224);
    QCOMPARE(session().activeModel()->metadata().preprocessing.resize, std::string("shorter-side"));
    // Compute and the editor show the size that is used.
    QVERIFY2(part<QLabel>("preprocessingLine").text().contains("224 x 224"),
             qPrintable(part<QLabel>("preprocessingLine").text()));
    QCOMPARE(PreprocessingEdit::of(*session().activeModel()).height, 224);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::NetworkFormatsTest)
#include "network_formats_test.moc"
