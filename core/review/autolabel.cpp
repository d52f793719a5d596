// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/autolabel.h"
#include "core/io/join_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "core/base/counted.h"
#include "core/decisions/run_uncertainty.h"
#include "core/io/run_needs.h"
#include "core/metrics/measure.h"
#include "core/metrics/thin_curve.h"

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

/// Positions, the most certain item first.
std::vector<std::size_t> byUncertainty(const CalibrationItems& items) {
  std::vector<std::size_t> order(items.uncertainty.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&items](std::size_t i) { return items.uncertainty[i]; });
  return order;
}

AutolabelBasis::State stateOf(const PresentLabel* label) {
  using State = AutolabelBasis::State;
  if (label == nullptr) {
    return State::kFree;
  }
  if (label->origin == LabelOrigin::kModel) {
    return settles(label->action) ? State::kLabelledByModel : State::kFree;
  }
  return settles(label->action) ? State::kDecided : State::kLeft;
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

Expected<CalibrationItems> calibrationItems(const Run& calibration, const std::string& name,
                                            Measure measure, const RunContext& context) {
  const auto uncertainty = uncertaintyOf(calibration, name, measure, context);
  if (!uncertainty) {
    return failWith(uncertainty);
  }
  if (Status labelled = requireLabels(calibration, name); !labelled) {
    return failWith(labelled);
  }
  CalibrationItems items{.top = uncertainty->top};
  for (std::int64_t i = 0; i < calibration.itemCount(); ++i) {
    const std::int64_t label = calibration.labels.data()[i];
    const double value = uncertainty->values.data()[i];
    if (label >= 0 && !std::isnan(value)) {
      items.uncertainty.push_back(value);
      items.error.push_back(label != calibration.predictions.data()[i] ? 1 : 0);
    }
  }
  return items;
}

Expected<AutolabelBasis> autolabelBasis(const Run& run, CalibrationItems calibration,
                                        const AutolabelInputs& inputs, Measure measure,
                                        const RunContext& context) {
  auto wanted = uncertaintyOf(run, inputs.name, measure, context);
  if (!wanted) {
    return failWith(wanted);
  }
  AutolabelBasis basis{.calibration = std::move(calibration),
                       .uncertainty = std::move(wanted->values)};
  const LabelOfItem labels = labelsByItem(inputs.labels);
  basis.states.reserve(static_cast<std::size_t>(run.itemCount()));
  for (const std::int64_t item : run.ids.values()) {
    basis.states.push_back(stateOf(labelOf(labels, item)));
  }
  return basis;
}

Curve accuracyByShare(const CalibrationItems& items, std::size_t max_points) {
  const std::vector<std::size_t> order = byUncertainty(items);
  Curve curve;
  std::int64_t errors = 0;
  const auto count = static_cast<double>(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    errors += items.error[order[i]] != 0 ? 1 : 0;
    // Items with equal uncertainty are selected together.
    if (i + 1 == order.size() || items.uncertainty[order[i]] != items.uncertainty[order[i + 1]]) {
      const auto selected = static_cast<double>(i + 1);
      curve.x.push_back(selected / count);
      curve.y.push_back(1.0 - static_cast<double>(errors) / selected);
    }
  }
  return thinCurve(curve, max_points);
}

std::vector<std::uint8_t> errorsByUncertainty(const CalibrationItems& items) {
  std::vector<std::uint8_t> errors;
  errors.reserve(items.error.size());
  for (const std::size_t i : byUncertainty(items)) {
    errors.push_back(items.error[i]);
  }
  return errors;
}

Expected<Autolabel> autolabel(const AutolabelBasis& basis, const SelectionOptions& selection,
                              RunContext& context) {
  auto chosen = selectThreshold(basis.calibration.uncertainty, basis.calibration.error,
                                basis.calibration.top, selection, context);
  if (!chosen) {
    return failWith(chosen);
  }
  Autolabel result = withThreshold(basis, *std::move(chosen));
  if (result.selection.threshold) {
    return result;
  }
  const auto others = alternativeRules(basis, selection, context);
  if (!others) {
    return failWith(others);
  }
  result.advice = alternativesText(*others, selection);
  return result;
}

Expected<std::vector<AlternativeRule>> alternativeRules(const AutolabelBasis& basis,
                                                        const SelectionOptions& selection,
                                                        RunContext& context) {
  std::vector<AlternativeRule> others;
  for (const char* const rule : kGuaranteedRules) {
    SelectionOptions other = selection;
    other.rule = rule;
    if (other.rule == selection.rule) {
      continue;
    }
    auto chosen = selectThreshold(basis.calibration.uncertainty, basis.calibration.error,
                                  basis.calibration.top, other, context);
    if (!chosen) {
      return failWith(chosen);
    }
    const std::int64_t count = withThreshold(basis, *std::move(chosen)).labelled();
    if (count > 0) {
      others.push_back({rule, count});
    }
  }
  std::ranges::stable_sort(others, std::greater(), &AlternativeRule::labelled);
  return others;
}

std::string alternativesText(const std::vector<AlternativeRule>& rules,
                             const SelectionOptions& selection) {
  if (rules.empty()) {
    return {};
  }
  std::vector<std::string> texts;
  for (const AlternativeRule& one : rules) {
    texts.push_back(fmt::format("{} would label {}", one.rule, counted(one.labelled, "item")));
  }
  return fmt::format(
      "{} labels none of these items; with the same guarantee, {}. Each rule keeps its "
      "guarantee by itself: whoever tries {} rules on the same calibration items and keeps the "
      "best "
      "one may miss it with probability {:g}",
      selection.rule, fmt::join(texts, ", "), rules.size() + 1,
      std::min(1.0, static_cast<double>(rules.size() + 1) * selection.delta));
}

Autolabel withThreshold(const AutolabelBasis& basis, Selection selection) {
  using State = AutolabelBasis::State;
  Autolabel result{.selection = std::move(selection),
                   .uncertainty = basis.uncertainty,
                   .items = static_cast<std::int64_t>(basis.states.size())};
  for (std::int64_t i = 0; i < result.items; ++i) {
    const State state = basis.states[static_cast<std::size_t>(i)];
    const bool may_label = state == State::kFree || state == State::kLabelledByModel;
    if (may_label && result.selection.threshold &&
        result.uncertainty.data()[i] <= *result.selection.threshold) {
      result.rows.push_back(i);
    } else if (state == State::kFree || state == State::kLeft) {
      ++result.queued;
    } else {
      ++(may_label ? result.labelled_before : result.decided);
    }
  }
  return result;
}

Expected<Autolabel> autolabel(const Run& run, const Run& calibration, const AutolabelInputs& inputs,
                              const AutolabelOptions& options, RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (Status same = sameClasses({run, inputs.name}, {calibration, inputs.calibration_name});
      !same) {
    return failWith(same);
  }
  const Measure measure = measureOfKey(options.measure).value();
  auto known = calibrationItems(calibration, inputs.calibration_name, measure, context);
  if (!known) {
    return failWith(known);
  }
  const auto basis = autolabelBasis(run, *std::move(known), inputs, measure, context);
  return basis ? autolabel(*basis, options.selection, context) : failWith(basis);
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
    setPreviousLabel(labelOf(labels, decision.item), run.labels.data()[row], decision);
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

}  // namespace dubito
