// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_regression_data.h"

#include "app/labs/lab_values.h"
#include "core/labs/data/regression_files.h"
#include "core/labs/data/regression_sets.h"
#include "widgets/options_form.h"

namespace dubito {

LabRegressionData::LabRegressionData(WorkerThread& worker, RegressionLabOptions& options,
                                     QWidget* parent)
    : LabPoints(
          worker,
          {QStringLiteral("lab"), tr("Click in a plot to add a point; drag a point to move it"),
           tr("two columns of numbers with a line of names above them")},
          parent),
      options_(options) {
  for (const RegressionSetInfo& set : regressionSets()) {
    addSet(labText(set.name), QLatin1String(set.key), labText(set.explanation));
  }
  addSet(tr("CO2 at Mauna Loa"), QLatin1String(kCo2Key));
  form_ = new OptionsForm(this);
  form_->setObjectName(QStringLiteral("labOptions"));
  form_->setFields(options_.fields());
  addPart(form_, /*below=*/true);
  connect(form_, &OptionsForm::edited, this, [this](const QString& name) {
    if (!form_->check()) {
      return;
    }
    if (name == QStringLiteral("points")) {
      open(seed());
    } else {
      Q_EMIT optionsChanged();
    }
  });
}

void LabRegressionData::reloadOptions() {
  form_->reload();
}

void LabRegressionData::startReading(const std::string& specification, std::uint64_t seed,
                                     bool is_pasted) {
  read<RegressionData>(
      is_pasted,
      [specification, points = options_.points, seed](RunContext& context) {
        return openRegressionData(specification, points, seed, context);
      },
      [this](const RegressionData& points) { Q_EMIT opened(points); });
}

}  // namespace dubito
