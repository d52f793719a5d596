// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/logit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/compensated_sum.h"
#include "core/io/run_needs.h"
#include "core/measures/measures.h"
#include "core/metrics/labelled_rows.h"
#include "core/metrics/reliability_diagram.h"

namespace dubito {
namespace {

constexpr std::int64_t kTabledAtATime = 1024;

template <class T, class Function>
LogitTable tableOf(const Array<T>& rows, std::span<const std::int64_t> labels,
                   const Function& logit) {
  const std::vector<std::int64_t> items = labelledRows(rows, labels);
  LogitTable table;
  table.logits = Array<double>::zeros({static_cast<std::int64_t>(items.size()), rows.extent(1)});
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::span<const T> from = rows.row(items[i]);
    std::ranges::transform(from, table.logits.mutableRow(static_cast<std::int64_t>(i)).begin(),
                           logit);
    table.labels.push_back(labels[static_cast<std::size_t>(items[i])]);
  }
  return table;
}

template <class T>
bool isClamped(T prob) {
  return prob < std::numeric_limits<T>::min();
}

/// Whose loss is infinite whatever is fitted.
void leaveOutMaskedLabels(LogitTable& table, const std::string& name) {
  std::vector<double> kept;
  std::vector<std::int64_t> labels;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const std::span<const double> row = table.logits.row(static_cast<std::int64_t>(i));
    if (std::isfinite(row[static_cast<std::size_t>(table.labels[i])])) {
      kept.insert(kept.end(), row.begin(), row.end());
      labels.push_back(table.labels[i]);
    }
  }
  const std::size_t masked = table.labels.size() - labels.size();
  if (masked == 0) {
    return;
  }
  table.notes.push_back(fmt::format(
      "{} items of {} have a label whose class is masked (its logit is minus infinity) and were "
      "left out",
      masked, name));
  table.logits = Array<double>::fromVector(
      {static_cast<std::int64_t>(labels.size()), table.logits.extent(1)}, std::move(kept));
  table.labels = std::move(labels);
}

}  // namespace

double clampedLog(float prob) {
  return std::log(double{std::max(prob, std::numeric_limits<float>::min())});
}
double clampedLog(double prob) {
  return std::log(std::max(prob, std::numeric_limits<double>::min()));
}

std::string clampNote(const Run& run) {
  return std::visit(
      [](const auto& probs) {
        using T = std::remove_cvref_t<decltype(*probs.data())>;
        std::int64_t items = 0;
        for (std::int64_t i = 0; i < probs.extent(0); ++i) {
          items += std::ranges::any_of(probs.row(i), isClamped<T>) ? 1 : 0;
        }
        return items == 0 ? std::string()
                          : fmt::format(
                                "probabilities of {} of {} items are below {:.3g}, the smallest "
                                "number of their type, and are treated as that number",
                                items, probs.extent(0), double{std::numeric_limits<T>::min()});
      },
      *run.probs);
}

LogitTable labelledLogits(const Array<float>& logits, std::span<const std::int64_t> labels) {
  return tableOf(logits, labels, [](float z) { return double{z}; });
}

LogitTable labelledLogits(const Array<double>& logits, std::span<const std::int64_t> labels) {
  return tableOf(logits, labels, [](double z) { return z; });
}

Expected<LogitTable> logitsOfRun(const Run& run, const std::string& name) {
  if (Status usable = requireProbabilities(run, name); !usable) {
    return failWith(usable);
  }
  if (Status labelled = requireLabels(run, name); !labelled) {
    return failWith(labelled);
  }
  LogitTable table;
  if (run.logits) {
    table =
        std::visit([&](const auto& logits) { return labelledLogits(logits, run.labels.values()); },
                   *run.logits);
  } else {
    std::visit(
        [&](const auto& probs) {
          table = tableOf(probs, run.labels.values(), [](auto prob) { return clampedLog(prob); });
        },
        *run.probs);
    table.notes.push_back(fmt::format(
        "{} holds no logits; the logarithms of its probabilities are used instead", name));
    if (const std::string note = clampNote(run); !note.empty()) {
      table.notes.push_back(fmt::format("{}: {}", name, note));
    }
  }
  const bool sound = std::ranges::none_of(table.logits.values(), [](double logit) {
    return std::isnan(logit) || logit == std::numeric_limits<double>::infinity();
  });
  if (!sound) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: a logit is NaN or infinite; recompute the run", name));
  }
  if (const auto unlabelled = run.itemCount() - static_cast<std::int64_t>(table.labels.size());
      unlabelled > 0) {
    table.notes.push_back(
        fmt::format("{} items of {} have no label and were left out", unlabelled, name));
  }
  leaveOutMaskedLabels(table, name);
  return table;
}

CalibrationScores scoresOfItems(std::span<const double> losses, std::span<const double> confidences,
                                std::span<const std::uint8_t> correct) {
  CompensatedSum sum;
  for (const double loss : losses) {
    sum.add(loss);
  }
  return {sum.value() / static_cast<double>(losses.size()),
          equalWidthReliability(confidences, correct, kCalibrationBins).ece};
}

CalibrationScores calibrationScores(const LogitTable& table, std::span<const double> scale,
                                    std::span<const double> shift, const RunContext& context) {
  const std::int64_t items = table.logits.extent(0);
  std::vector<double> loss(static_cast<std::size_t>(items));
  std::vector<double> confidence(static_cast<std::size_t>(items));
  std::vector<std::uint8_t> correct(static_cast<std::size_t>(items));
  context.parallelFor(items, kTabledAtATime, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> row(scale.size());
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> logits = table.logits.row(i);
      for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] = scale[k] * logits[k] + shift[k];
      }
      const auto item = static_cast<std::size_t>(i);
      const std::vector<double> log_probs = logSoftmax(std::span<const double>(row));
      const std::int64_t predicted = argmax(std::span<const double>(log_probs));
      loss[item] = -log_probs[static_cast<std::size_t>(table.labels[item])];
      confidence[item] = std::exp(log_probs[static_cast<std::size_t>(predicted)]);
      correct[item] = predicted == table.labels[item] ? 1 : 0;
    }
  });
  return scoresOfItems(loss, confidence, correct);
}

}  // namespace dubito
