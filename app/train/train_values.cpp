// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/train_values.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <limits>
#include <utility>

#include "app/words/glossary_entries.h"
#include "core/review/formats/file_names.h"
#include "widgets/number_text.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr double kNoSummary = std::numeric_limits<double>::quiet_NaN();

/// Positions of the epochs that are drawn, of `count`.
std::vector<std::size_t> drawnEpochs(std::size_t count) {
  const std::size_t step = count / kDrawnEpochs + 1;
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < count; i += step) {
    drawn.push_back(i);
  }
  if (!drawn.empty() && drawn.back() + 1 < count) {
    drawn.push_back(count - 1);
  }
  return drawn;
}

/// One number of each epoch that is drawn.
template <class Epoch, class Value>
StyledCurve courseCurve(const QString& name, const std::vector<Epoch>& epochs, const Value& value) {
  StyledCurve styled;
  styled.curve.name = name.toStdString();
  styled.curve.summary = kNoSummary;
  for (const std::size_t i : drawnEpochs(epochs.size())) {
    styled.curve.x.push_back(static_cast<double>(i + 1));
    styled.curve.y.push_back(value(epochs[i]));
  }
  return styled;
}

CurvePlotValue overEpochs() {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.x_label = tr("epoch");
  return value;
}

CurvePlotValue ratesOverEpochs() {
  CurvePlotValue value = overEpochs();
  value.y_label = tr("drop rate");
  return value;
}

const HeadEpoch* keptEpoch(const HeadCourse& course) {
  return course.best_epoch > 0 ? &course.epochs[static_cast<std::size_t>(course.best_epoch - 1)]
                               : nullptr;
}

QString secondsText(double seconds) {
  return QString::number(seconds, 'f', seconds < 10.0 ? 2 : 1);
}

void addAccuracy(const QString& which, const HeadQuality& quality, std::vector<KeyValue>& values) {
  values.push_back(
      {tr("accuracy, %1").arg(which),
       shareText(quality.accuracy),
       {},
       tr("Share of right predictions, without dropout: %1").arg(exactText(quality.accuracy)),
       helpTopicOf(Metric::kAccuracy)});
}

void addQuality(const QString& which, const HeadQuality& quality, std::vector<KeyValue>& values) {
  values.push_back({tr("loss, %1").arg(which), scoreText(quality.loss), tr("nats"),
                    tr("Mean cross entropy without dropout: %1").arg(exactText(quality.loss))});
  addAccuracy(which, quality, values);
}

void addEce(const QString& name, const std::optional<ReliabilityDiagram>& diagram,
            std::vector<KeyValue>& values) {
  if (diagram) {
    values.push_back(
        {name,
         shareText(diagram->ece),
         {},
         tr("Expected calibration error, %1: %2")
             .arg(QString::fromStdString(diagram->convention), exactText(diagram->ece)),
         helpTopicOf(Metric::kEce)});
  }
}

}  // namespace

CurvePlotValue headLossCurves(const HeadCourse& course) {
  CurvePlotValue value = overEpochs();
  value.y_is_share = false;
  value.y_label = tr("loss (nats)");
  value.curves.push_back(courseCurve(tr("training"), course.epochs,
                                     [](const HeadEpoch& epoch) { return epoch.train_loss; }));
  if (!course.epochs.empty() && course.epochs.front().validation) {
    value.curves.push_back(courseCurve(tr("validation"), course.epochs, [](const HeadEpoch& epoch) {
      return epoch.validation->loss;
    }));
    value.curves.front().dash = 1;
    value.curves.back().run = 0;
  }
  if (const HeadEpoch* const kept = keptEpoch(course)) {
    value.curves.back().mark =
        QPointF(static_cast<double>(kept->epoch),
                kept->validation ? kept->validation->loss : kept->train_loss);
  }
  return value;
}

CurvePlotValue meanRateCurves(const DropRateCourse& course) {
  CurvePlotValue value = ratesOverEpochs();
  if (course.empty()) {
    return value;
  }
  for (std::size_t layer = 0; layer < course.front().size(); ++layer) {
    value.curves.push_back(courseCurve(
        QString::fromStdString(course.front()[layer].layer), course,
        [layer](const std::vector<LayerDropRates>& epoch) { return epoch[layer].mean; }));
    value.curves.back().run = static_cast<int>(layer);
    value.curves.back().dash = static_cast<int>(layer % 4);
  }
  return value;
}

CurvePlotValue unitRateCurves(const DropRateCourse& course, std::size_t layer) {
  CurvePlotValue value = ratesOverEpochs();
  if (course.empty() || layer >= course.front().size()) {
    return value;
  }
  for (std::size_t unit = 0; unit < course.front()[layer].units.size(); ++unit) {
    value.curves.push_back(courseCurve(tr("traced unit %1").arg(unit + 1), course,
                                       [layer, unit](const std::vector<LayerDropRates>& epoch) {
                                         return epoch[layer].units[unit];
                                       }));
    value.curves.back().role = StyledCurve::Role::kBackground;
    value.curves.back().is_thin = true;
  }
  value.curves.push_back(
      courseCurve(tr("mean of all units"), course,
                  [layer](const std::vector<LayerDropRates>& epoch) { return epoch[layer].mean; }));
  return value;
}

std::vector<std::size_t> layersWithUnitRates(const DropRateCourse& course) {
  std::vector<std::size_t> layers;
  if (!course.empty()) {
    for (std::size_t layer = 0; layer < course.front().size(); ++layer) {
      if (!course.front()[layer].units.empty()) {
        layers.push_back(layer);
      }
    }
  }
  return layers;
}

std::vector<KeyValue> headNumbers(const HeadCourse& course, const TrainedHead* trained) {
  std::vector<KeyValue> values;
  if (!course.epochs.empty()) {
    const HeadEpoch& newest = course.epochs.back();
    values.push_back({tr("epoch"), countText(newest.epoch), {}, tr("The newest epoch")});
    values.push_back({tr("loss, training"), scoreText(newest.train_loss), tr("nats"),
                      tr("Mean cross entropy over the newest epoch, with dropout: %1")
                          .arg(exactText(newest.train_loss))});
    if (newest.validation) {
      addQuality(tr("validation"), *newest.validation, values);
    }
    addEce(tr("ECE, validation"), course.newest, values);
    values.push_back({tr("kept epoch"),
                      course.best_epoch > 0 ? countText(course.best_epoch) : tr("none yet"),
                      {},
                      newest.validation ? tr("The one with the lowest validation loss")
                                        : tr("The newest one: no items are held out")});
    if (const HeadEpoch* const kept = keptEpoch(course);
        kept != nullptr && kept->validation && kept->epoch != newest.epoch) {
      addQuality(tr("kept epoch"), *kept->validation, values);
      addEce(tr("ECE, kept epoch"), course.kept, values);
    }
  }
  if (trained == nullptr) {
    return values;
  }
  const HeadReport& report = trained->report;
  if (report.epochs.empty()) {
    if (report.validation) {
      addQuality(tr("validation"), *report.validation, values);
    }
    values.push_back({tr("L2 penalty"), scoreText(report.l2), {}, exactText(report.l2)});
    values.push_back({tr("iterations"), countText(report.iterations), {}, {}});
  }
  if (report.epochs.empty()) {
    addQuality(tr("training"), report.train, values);
  } else {
    addAccuracy(tr("training"), report.train, values);
  }
  values.push_back({tr("features"),
                    countText(report.features),
                    {},
                    tr("Inputs of the head: outputs of the backbone's last layer but one")});
  values.push_back({tr("time, features"), secondsText(report.feature_seconds), tr("s"),
                    tr("%1 of the items had kept features").arg(countText(report.from_cache))});
  values.push_back({tr("time, training"), secondsText(report.training_seconds), tr("s"), {}});
  return values;
}

QString headSummary(const TrainedHead& trained) {
  const HeadReport& report = trained.report;
  QStringList parts;
  if (report.epochs.empty()) {
    parts << (report.converged ? tr("The best weights were found in %1 iterations.")
                               : tr("Stopped after %1 iterations."))
                 .arg(countText(report.iterations));
  } else {
    parts << (report.validation ? tr("Kept epoch %1 of %2, which has the lowest validation loss.")
                                : tr("Kept epoch %1 of %2."))
                 .arg(countText(report.best_epoch), countText(std::ssize(report.epochs)));
  }
  parts << (report.validation_items > 0
                ? tr("Trained on %1, %2 were held out, in %3 s.")
                      .arg(countedText(report.items, tr("%1 item"), tr("%1 items")),
                           countText(report.validation_items))
                : tr("Trained on %1 in %2 s.")
                      .arg(countedText(report.items, tr("%1 item"), tr("%1 items"))))
               .arg(secondsText(trained.seconds));
  if (report.unlabelled > 0) {
    parts << countedText(report.unlabelled, tr("%1 item without a label was left out."),
                         tr("%1 items without a label were left out."));
  }
  if (report.unreadable > 0) {
    parts << countedText(report.unreadable, tr("%1 item could not be read."),
                         tr("%1 items could not be read."));
  }
  if (!report.added_classes.empty()) {
    parts << countedText(std::ssize(report.added_classes), tr("%1 class is new."),
                         tr("%1 classes are new."));
  }
  parts << tr("Saved and opened: %1")
               .arg(QFileInfo(QString::fromStdString(trained.request.path)).fileName());
  return parts.join(QLatin1Char(' '));
}

QString freshFile(const QString& path) {
  const QFileInfo file(path);
  const QString begin = file.path() + QLatin1Char('/') + file.completeBaseName();
  const QString ending = file.suffix().isEmpty() ? QString() : QLatin1Char('.') + file.suffix();
  QString fresh = path;
  for (int number = 2; QFileInfo::exists(fresh); ++number) {
    fresh = QStringLiteral("%1-%2%3").arg(begin).arg(number).arg(ending);
  }
  return fresh;
}

QString freshHeadFile(const QString& folder, const std::string& backbone,
                      const std::string& dataset) {
  QString name = QString::fromStdString(fileNameOf(backbone + "-" + dataset + "-head"));
  name.replace(QLatin1Char(' '), QLatin1Char('-'));
  return freshFile(QDir(folder).filePath(name + QStringLiteral(".pt")));
}

}  // namespace dubito
