// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_headline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/study/study_tables.h"

namespace dubito {
namespace {

/// Targets with the highest and the lowest value, and these values.
struct Extremes {
  std::size_t highest = 0;
  std::size_t lowest = 0;
  std::vector<std::optional<double>> values;  ///< per target

  [[nodiscard]] double high() const { return *values[highest]; }
  [[nodiscard]] double low() const { return *values[lowest]; }
};

/// nullopt without any value.
template <class ValueOf>
std::optional<Extremes> extremes(const StudyFolder& study, const ValueOf& value_of) {
  Extremes found;
  bool any = false;
  for (std::size_t target = 0; target < study.targets.size(); ++target) {
    const std::optional<double> value = value_of(target);
    found.values.push_back(value);
    if (!value) {
      continue;
    }
    if (!any || *value > found.high()) {
      found.highest = target;
    }
    if (!any || *value < found.low()) {
      found.lowest = target;
    }
    any = true;
  }
  return any ? std::optional(found) : std::nullopt;
}

std::optional<std::string> accuracySentence(const StudyFolder& study) {
  const std::optional<std::size_t> row = study.baselineRow();
  const std::size_t column = studyColumnIndex("accuracy");
  const auto found = extremes(study, [&](std::size_t target) -> std::optional<double> {
    const StudyCell* const cell = row ? study.cellAt(*row, target) : nullptr;
    return cell == nullptr || cell->columns[column].n == 0
               ? std::nullopt
               : std::optional(cell->columns[column].mean);
  });
  if (!found) {
    return std::nullopt;
  }
  std::string text = fmt::format("{} is right in {:.1f} % of {}", study.baseline,
                                 100.0 * found->high(), study.targets[found->highest].name);
  if (found->highest != found->lowest) {
    text += fmt::format(" and in {:.1f} % of {}", 100.0 * found->low(),
                        study.targets[found->lowest].name);
  }
  return text + ".";
}

/// Rules whose mean keeps the guarantee on every target where they label anything.
std::vector<std::string> keptRules(const StudyFolder& study, double guaranteed) {
  std::vector<std::string> rules;
  for (int number = 0; number < kLabellingRules; ++number) {
    const auto rule = static_cast<LabellingRule>(number);
    const auto found = extremes(study, [&](std::size_t target) -> std::optional<double> {
      const MeanLabelling mean = meanLabelling(study, target, rule, guaranteed);
      return mean.rows > 0 ? std::optional(mean.kept) : std::nullopt;
    });
    if (found && found->low() >= guaranteed) {
      rules.emplace_back(keyOf(rule));
    }
  }
  return rules;
}

bool labelsAnything(const StudyFolder& study, double guaranteed) {
  return std::ranges::any_of(study.results.cells, [&](const StudyCell& cell) {
    return std::ranges::any_of(cell.labelling, [&](const StudyLabelling& one) {
      return one.guaranteed == guaranteed && one.kept.n > 0;
    });
  });
}

std::optional<std::string> guaranteeSentence(const StudyFolder& study, double guaranteed) {
  const auto found = extremes(study, [&](std::size_t target) -> std::optional<double> {
    const MeanLabelling mean = meanLabelling(study, target, LabellingRule::kSource, guaranteed);
    return mean.rows > 0 ? std::optional(mean.kept) : std::nullopt;
  });
  if (!labelsAnything(study, guaranteed)) {
    return fmt::format(
        "{:g} % right labels guaranteed: no rule labels anything; more calibration items or a "
        "lower "
        "guarantee may change that.",
        100.0 * guaranteed);
  }
  const std::vector<std::string> rules = keptRules(study, guaranteed);
  std::string text = fmt::format("{:g} % right labels guaranteed: ", 100.0 * guaranteed);
  if (found) {
    const auto worst = meanLabelling(study, found->lowest, LabellingRule::kSource, guaranteed);
    text += fmt::format(
        "a threshold chosen on the source labels {:.1f} % of {}, and {:.1f} % of these labels are "
        "right",
        100.0 * worst.share, study.targets[found->lowest].name, 100.0 * found->low());
    if (found->highest != found->lowest) {
      text += fmt::format("; on {} {:.1f} % are right", study.targets[found->highest].name,
                          100.0 * found->high());
    }
    text +=
        worst.rows == 1
            ? " (one row of the table). "
            : fmt::format(" (means over {} rows of the table that label anything). ", worst.rows);
  } else {
    text += "with a threshold chosen on the source, nothing is labelled. ";
  }
  return text + (rules.empty() ? "No rule keeps the guarantee on every target."
                               : fmt::format("On every target, the guarantee is kept by: {}.",
                                             fmt::join(rules, ", ")));
}

}  // namespace

bool isBroken(const StudyLabelling& labelling) {
  return labelling.kept.n > 0 && labelling.kept.mean < labelling.guaranteed;
}

MeanLabelling meanLabelling(const StudyFolder& study, std::size_t target, LabellingRule rule,
                            double guaranteed) {
  std::vector<double> shares;
  std::vector<double> kept;
  for (const StudyCell* const cell : cellsOf(study.results, target)) {
    for (const StudyLabelling& one : cell->labelling) {
      if (one.rule != rule || one.guaranteed != guaranteed) {
        continue;
      }
      if (one.kept.n > 0) {
        shares.push_back(one.share.mean);
        kept.push_back(one.kept.mean);
      }
    }
  }
  return {.rows = std::ssize(kept),
          .share = seedStatistics(shares).mean,
          .kept = seedStatistics(kept).mean};
}

std::vector<std::string> studyHeadline(const StudyFolder& study) {
  std::vector<std::string> sentences;
  if (auto sentence = accuracySentence(study)) {
    sentences.push_back(*std::move(sentence));
  }
  if (study.labelling) {
    for (const double guaranteed : study.labelling->guarantees) {
      if (auto sentence = guaranteeSentence(study, guaranteed)) {
        sentences.push_back(*std::move(sentence));
      }
    }
  }
  return sentences;
}

}  // namespace dubito
