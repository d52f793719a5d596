// SPDX-License-Identifier: GPL-3.0-or-later
// Walks everything that is visible, on every page, light and dark; ctest runs it at single and at
// double resolution (QT_SCALE_FACTOR).
#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QStyleOptionComboBox>
#include <QTest>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "app/shell/main_window.h"
#include "app/shell/page_stack.h"
#include "app/study/study_editor.h"
#include "app/study/study_form.h"
#include "app/study/study_page.h"
#include "app/train/train_page.h"
#include "app/train/train_set_up.h"
#include "tests/app/support/study_tables.h"
#include "tests/app/support/test_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "tests/support/shared_data.h"
#include "widgets/card_rows.h"
#include "widgets/compare_table.h"
#include "widgets/histogram_plot.h"
#include "widgets/options_form.h"
#include "widgets/qcustomplot_wrapper.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

/// Relative luminance of WCAG 2.1, in [0, 1].
double luminance(QRgb color) {
  const auto linear = [](int channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) +
         0.0722 * linear(qBlue(color));
}

double contrast(QRgb a, QRgb b) {
  const double first = luminance(a);
  const double second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

/// Contrast of the text in a picture: between its commonest colour and the one that differs most.
double textContrast(const QImage& picture) {
  std::map<QRgb, int> counts;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      ++counts[picture.pixel(x, y) | 0xFF000000U];
    }
  }
  QRgb background = 0;
  int most = 0;
  for (const auto& [color, count] : counts) {
    if (count > most) {
      most = count;
      background = color;
    }
  }
  double best = 1.0;
  for (const auto& [color, count] : counts) {
    best = std::max(best, contrast(color, background));
  }
  return best;
}

QString nameOf(const QWidget& widget) {
  QString name;
  for (const QWidget* w = &widget; w != nullptr; w = w->parentWidget()) {
    if (!w->objectName().isEmpty()) {
      name = w->objectName() + (name.isEmpty() ? QString() : "/" + name);
    }
  }
  return name;
}

/// The texts of an axis whose ticks are drawn at the same place, as far as they are.
QStringList overlappingTicks(QCPAxis& axis) {
  QStringList found;
  if (!axis.visible() || !axis.tickLabels()) {
    return found;
  }
  QVector<double> ticks;
  QVector<QString> labels;
  axis.ticker()->generate(axis.range(), QLocale::c(), QLatin1Char('f'), 6, ticks, nullptr, &labels);
  const bool horizontal = QCPAxis::orientation(axis.axisType()) == Qt::Horizontal;
  const QFontMetrics metrics(axis.tickLabelFont());
  double end = -1e9;
  QString before;
  std::map<double, QString> in_order;
  for (qsizetype i = 0; i < ticks.size() && i < labels.size(); ++i) {
    if (axis.range().contains(ticks[i])) {
      in_order[axis.coordToPixel(ticks[i])] = labels[i];
    }
  }
  for (const auto& [pixel, label] : in_order) {
    const double half = horizontal ? metrics.horizontalAdvance(label) / 2.0
                                   : metrics.tightBoundingRect(label).height() / 2.0;
    if (!label.isEmpty() && pixel - half < end) {
      found << before + "|" + label;
    }
    if (!label.isEmpty()) {
      end = pixel + half;
      before = label;
    }
  }
  return found;
}

/// Parts of a form that lie on each other.
QStringList overlappingParts(const QWidget& parent) {
  QStringList found;
  std::vector<const QWidget*> parts;
  for (const QWidget* const child :
       parent.findChildren<const QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    const bool counts = qobject_cast<const QComboBox*>(child) != nullptr ||
                        qobject_cast<const QAbstractButton*>(child) != nullptr ||
                        qobject_cast<const QAbstractSlider*>(child) != nullptr ||
                        qobject_cast<const QLabel*>(child) != nullptr;
    if (counts && child->isVisible() && !child->size().isEmpty()) {
      parts.push_back(child);
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (parts[i]->geometry().intersects(parts[j]->geometry()) &&
          parts[i]->objectName() != QLatin1String("zoomMark")) {
        found << nameOf(*parts[i]) + " and " + nameOf(*parts[j]);
      }
    }
  }
  return found;
}

}  // namespace

class LookTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  QStringList faults_;

  void checkText(const QWidget& widget, const QString& text, int room) {
    const QFontMetrics metrics(widget.font());
    if (text.contains(QChar(0x2026)) && !text.endsWith(QChar(0x2026))) {
      return;
    }
    int widest = 0;
    for (const QString& line : text.split('\n')) {
      widest = std::max(widest, metrics.horizontalAdvance(line));
    }
    if (widest > room + 1) {
      faults_ << QString("%1: \"%2\" needs %3 pixels and has %4")
                     .arg(nameOf(widget), text)
                     .arg(widest)
                     .arg(room);
    }
  }
  void checkLabel(const QLabel& label) {
    if (label.text().isEmpty() || label.textFormat() == Qt::RichText) {
      return;
    }
    if (label.wordWrap()) {
      const int needed = label.heightForWidth(label.width());
      if (needed > label.height() + 1) {
        faults_ << QString("%1: \"%2\" needs %3 pixels of height and has %4")
                       .arg(nameOf(label), label.text())
                       .arg(needed)
                       .arg(label.height());
      }
    } else {
      checkText(label, label.text(), label.contentsRect().width());
    }
    if (label.text().endsWith(QChar(0x2026)) && !label.text().startsWith("Computing")) {
      faults_ << nameOf(label) + ": \"" + label.text() + "\" is elided";
    }
  }
  void checkContrast(QWidget& widget) {
    // A sliver at the edge of a scroll area shows no letters.
    const int line = std::min(widget.height(), QFontMetrics(widget.font()).height());
    if (widget.visibleRegion().boundingRect().height() < line) {
      return;
    }
    const QRect area(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size());
    const double ratio = textContrast(widget.window()->grab(area).toImage());
    if (ratio < 4.5) {
      faults_ << QString("%1: contrast %2").arg(nameOf(widget)).arg(ratio, 0, 'f', 2);
    }
  }
  void checkBox(const QComboBox& box) {
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.editable = box.isEditable();
    const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                    QStyle::SC_ComboBoxEditField, &box);
    checkText(box, box.currentText(), field.width());
  }
  void checkScrolling(const QAbstractScrollArea& area) {
    // Runs have more metrics than any window has room for columns.
    const bool has_many_columns = qobject_cast<const CompareTable*>(&area) != nullptr;
    if (!has_many_columns && area.horizontalScrollBar()->maximum() > 0) {
      faults_ << QString("%1: scrolls sideways by %2 pixels; %3")
                     .arg(nameOf(area))
                     .arg(area.horizontalScrollBar()->maximum())
                     .arg(widestIn(*area.viewport()));
    }
  }
  /// The single widgets that need the most width.
  static QString widestIn(const QWidget& parent) {
    QList<QWidget*> leaves = parent.findChildren<QWidget*>();
    leaves.removeIf([](const QWidget* leaf) {
      return !leaf->isVisible() || leaf->layout() != nullptr || leaf->objectName().isEmpty();
    });
    std::ranges::sort(leaves, std::greater(), [](const QWidget* leaf) {
      return std::max(leaf->minimumSizeHint().width(), leaf->minimumWidth());
    });
    QStringList names;
    for (const QWidget* const leaf : leaves.mid(0, 4)) {
      names << QString("%1 needs %2")
                   .arg(leaf->objectName())
                   .arg(std::max(leaf->minimumSizeHint().width(), leaf->minimumWidth()));
    }
    return names.join(", ");
  }
  /// Shows the page Train with a head that has learned a rate for each unit.
  void trainHead() {
    const std::string base = (sourceDir() / "datasets/samples/mnist-2000").string();
    window_->workbench().opener().open(
        {{(sourceDir() / "tests/data/models/scripted.pt").string(), FileKind::kModel, false, {}},
         {"idx:" + base + "-images-idx3-ubyte.gz," + base + "-labels-idx1-ubyte.gz?items=0:200",
          FileKind::kDataset, false, "MNIST digits"}});
    QTRY_COMPARE_WITH_TIMEOUT(window_->session().datasets().size(), std::size_t{1}, kPatience);
    window_->showPage(PageId::kTrain);
    TrainPage& page = window_->pages().train();
    page.setUp().setOptions({.layers = 3,
                             .units = 8,
                             .dropout = "multi",
                             .epochs = 3,
                             .validation_share = 0.2,
                             .feature_cache_mb = 0});
    page.setUp().setPath(QString::fromStdString(dir_->file("a-head-with-a-long-file-name.pt")));
    page.train();
    QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
    QVERIFY(page.trainer().trained() != nullptr);
  }
  /// Shows the page Study with results of many rows, and then with the form.
  void walkStudies() {
    writeStudyTables(dir_->file("study"), 12);
    StudyPage& page = window_->pages().study();
    page.openFolder(QString::fromStdString(dir_->file("study")));
    QTRY_VERIFY_WITH_TIMEOUT(page.view().study() != nullptr, kPatience);
    window_->showPage(PageId::kStudy);
    QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
    for (int kind = 0; kind < 4; ++kind) {
      Q_EMIT window_->findChild<Card*>("studyTableCard")->choiceMade(kind);
      walk(QString("the results of a study, table %1").arg(kind));
    }
    page.startNew(QStringLiteral("sample"));
    for (int section = 0; section < 6; ++section) {
      page.editor().form().showSection(static_cast<StudyForm::Section>(section));
      walk(QString("the form of a study, section %1").arg(section));
    }
  }
  void walk(const QString& where) {
    deliverEvents();
    QTRY_VERIFY_WITH_TIMEOUT(window_->settled(), kPatience);
    // A text that has just changed has not got its room yet.
    deliverEvents();
    for (QWidget* const widget : window_->findChildren<QWidget*>()) {
      if (!widget->isVisible() || widget->visibleRegion().isEmpty()) {
        continue;
      }
      if (const auto* const area = qobject_cast<QAbstractScrollArea*>(widget)) {
        checkScrolling(*area);
      }
      for (const QString& pair : overlappingParts(*widget)) {
        faults_ << "overlap: " + pair;
      }
      if (const auto* const label = qobject_cast<QLabel*>(widget)) {
        checkLabel(*label);
        if (!label->text().isEmpty() && label->isEnabled()) {
          checkContrast(*widget);
        }
      } else if (const auto* const button = qobject_cast<QPushButton*>(widget)) {
        if (!button->text().isEmpty()) {
          checkText(*button, button->text(), button->width() - 2 * kGrid);
          if (button->isEnabled()) {
            checkContrast(*widget);
          }
        }
      } else if (const auto* const box = qobject_cast<QComboBox*>(widget)) {
        if (!box->currentText().isEmpty()) {
          checkBox(*box);
          if (box->isEnabled()) {
            checkContrast(*widget);
          }
        }
      } else if (auto* const plot = qobject_cast<QCustomPlot*>(widget)) {
        plot->replot(QCustomPlot::rpImmediateRefresh);
        for (QCPAxisRect* const rect : plot->axisRects()) {
          for (QCPAxis* const axis : rect->axes()) {
            const bool horizontal = QCPAxis::orientation(axis->axisType()) == Qt::Horizontal;
            if (QFontMetrics(axis->labelFont()).horizontalAdvance(axis->label()) >
                    (horizontal ? plot->width() : plot->height()) ||
                axis->label().endsWith(QChar(0x2026))) {
              faults_ << nameOf(*widget) + ": the title of an axis is cut: " + axis->label();
            }
            for (const QString& pair : overlappingTicks(*axis)) {
              faults_ << nameOf(*widget) + ": ticks overlap: " + pair +
                             QString(" (%1 pixels for %2 to %3)")
                                 .arg(horizontal ? rect->width() : rect->height())
                                 .arg(axis->range().lower)
                                 .arg(axis->range().upper);
            }
          }
        }
      }
    }
    if (!faults_.isEmpty()) {
      faults_.removeDuplicates();
      QFAIL(qPrintable(where + ":\n  " + faults_.join("\n  ")));
    }
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    faults_.clear();
  }
  void cleanup() {
    closeAll();
    applyTheme(*qApp, Theme::light());
  }

  void everyPageIsReadable_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    for (const bool dark : {false, true}) {
      for (const QSize& size :
           {QSize(960, 540), QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)}) {
        QTest::addRow("%s %dx%d", dark ? "dark" : "light", size.width(), size.height())
            << dark << size;
      }
    }
  }
  void everyPageIsReadable() {
    QFETCH(const bool, dark);
    QFETCH(const QSize, size);
    applyTheme(*qApp, dark ? Theme::darkTheme() : Theme::light());
    window_ = std::make_unique<MainWindow>(*settings_);
    window_->resize(size);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    walk("empty window");
    window_->session().addAnalysis(sampleAnalysisWithoutDraws());
    window_->session().addAnalysis(sampleAnalysis());
    QTRY_VERIFY(window_->session().listing().items() != nullptr);
    const int pages = static_cast<int>(window_->findChildren<CardRows*>().size());
    QVERIFY(pages >= 5);
    for (int page = 0; page < pages; ++page) {
      window_->showPage(static_cast<PageId>(page));
      QTRY_VERIFY(window_->settled());
      walk(QString("page %1").arg(page));
    }
    auto* const views = window_->findChild<QComboBox*>("itemView");
    QVERIFY(views != nullptr && views->count() >= 4);
    for (int view = 0; view < views->count(); ++view) {
      views->setCurrentIndex(view);
      walk("inspector: " + views->itemText(view));
    }
    window_->showPage(PageId::kOverview);
    Q_EMIT window_->findChild<HistogramPlot*>("entropyHistogram")->rangeSelected({0.2, 0.8});
    QTRY_VERIFY(window_->session().listing().selectionOverview() != nullptr);
    walk("a selection");
    window_->setComputeOpen(true);
    walk("compute panel");
    window_->setComputeOpen(false);
    trainHead();
    for (const bool advanced : {false, true}) {
      window_->findChild<OptionsForm*>("trainForm")->setAdvancedShown(advanced);
      walk("a trained head");
    }
    walkStudies();
  }
};

}  // namespace dubito::test

#include "look_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::LookTest)
