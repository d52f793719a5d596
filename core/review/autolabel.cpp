// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/autolabel.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "core/decisions/run_uncertainty.h"
#include "core/io/run_needs.h"
#include "core/metrics/measure.h"

namespace dubito {
namespace {

using LabelOfItem = std::unordered_map<std::int64_t, const PresentLabel*>;

LabelOfItem labelsByItem(std::span<const PresentLabel> labels) {
  LabelOfItem by_item;
  by_item.reserve(labels.size());
  for (const PresentLabel& label : labels) {
    by_item.emplace(label.item, &label);
  }
  return by_item;
}

const PresentLabel* labelOf(const LabelOfItem& labels, std::int64_t item) {
  const auto found = labels.find(item);
  return found == labels.end() ? nullptr : found->second;
}

Expected<Selection> thresholdFrom(const Run& calibration, const RunUncertainty& uncertainty,
                                  const AutolabelInputs& inputs, const AutolabelOptions& options,
                                  RunContext& context) {
  if (Status labelled = requireLabels(calibration, inputs.calibration_name); !labelled) {
    return failWith(labelled);
  }
  std::vector<double> values;
  std::vector<std::uint8_t> error;
  for (std::int64_t i = 0; i < calibration.itemCount(); ++i) {
    const std::int64_t label = calibration.labels.data()[i];
    const double value = uncertainty.values.data()[i];
    if (label >= 0 && !std::isnan(value)) {
      values.push_back(value);
      error.push_back(label != calibration.predictions.data()[i] ? 1 : 0);
    }
  }
  return selectThreshold(values, error, uncertainty.top, options.selection, context);
}

}  // namespace

std::vector<Field> AutolabelOptions::fields() {
  std::vector<Field> all = selection.fields();
  all.push_back({{.name = "measure",
                  .label = "Measure",
                  .help = "uncertainty measure; items with low values are labelled (confidence and "
                          "margin count as 1 minus their value)",
                  .choices = keysOf(allMeasures())},
                 &measure});
  return all;
}

Status AutolabelOptions::check() const {
  AutolabelOptions copy = *this;
  return checkFields(copy.fields());
}

Expected<Autolabel> autolabel(const Run& run, const Run& calibration, const AutolabelInputs& inputs,
                              const AutolabelOptions& options, RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (run.classCount() != calibration.classCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} classes, but {} has {}; use runs of the same model",
                            inputs.calibration_name, calibration.classCount(), inputs.name,
                            run.classCount()));
  }
  const Measure measure = measureOfKey(options.measure).value();
  const auto known = uncertaintyOf(calibration, inputs.calibration_name, measure, context);
  if (!known) {
    return failWith(known);
  }
  auto wanted = uncertaintyOf(run, inputs.name, measure, context);
  if (!wanted) {
    return failWith(wanted);
  }
  auto selection = thresholdFrom(calibration, *known, inputs, options, context);
  if (!selection) {
    return failWith(selection);
  }
  Autolabel result{.selection = *std::move(selection),
                   .uncertainty = std::move(wanted->values),
                   .items = run.itemCount()};
  const LabelOfItem labels = labelsByItem(inputs.labels);
  for (std::int64_t i = 0; i < result.items; ++i) {
    const PresentLabel* const label = labelOf(labels, run.ids.data()[i]);
    const bool may_label = label == nullptr || label->origin == LabelOrigin::kModel;
    if (may_label && result.selection.threshold &&
        result.uncertainty.data()[i] <= *result.selection.threshold) {
      result.rows.push_back(i);
    } else if (label == nullptr || !settles(label->action)) {
      ++result.queued;
    } else {
      ++(may_label ? result.labelled_before : result.decided);
    }
  }
  return result;
}

std::vector<Decision> autolabelDecisions(const Autolabel& autolabel, const Run& run,
                                         const AutolabelInputs& inputs,
                                         const std::string& annotator) {
  const LabelOfItem labels = labelsByItem(inputs.labels);
  std::vector<Decision> decisions;
  decisions.reserve(autolabel.rows.size());
  for (const std::int64_t row : autolabel.rows) {
    Decision decision{.item = run.ids.data()[row],
                      .action = LabelAction::kAccept,
                      .class_id = run.predictions.data()[row],
                      .origin = LabelOrigin::kModel,
                      .annotator = annotator,
                      .queue = kAutolabelQueue,
                      .run = inputs.name};
    if (const PresentLabel* const before = labelOf(labels, decision.item)) {
      decision.previous_class = before->class_id;
      decision.previous_origin = before->origin;
    } else if (const std::int64_t given = run.labels.data()[row]; given >= 0) {
      decision.previous_class = given;
      decision.previous_origin = LabelOrigin::kDataset;
    }
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

}  // namespace dubito
