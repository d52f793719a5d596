// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/dirichlet_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/collect_parts.h"
#include "core/measures/beta_distribution.h"
#include "core/measures/dirichlet.h"
#include "core/measures/laplace_bridge.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kReportedAtATime = 1024;

/// Sums over some items.
struct Part {
  DirichletReport counts;
  double share_of_classes = 0.0;  ///< sums of checkProposition1
  std::int64_t predicted_classes = 0;
};

void addTo(Part& all, const Part& part) {
  const auto add = [](std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from) {
    std::ranges::transform(to, from, to.begin(), std::plus<>());
  };
  add(all.counts.set_sizes, part.counts.set_sizes);
  add(all.counts.label_ranks, part.counts.label_ranks);
  all.counts.labelled += part.counts.labelled;
  all.counts.covered += part.counts.covered;
  for (std::size_t k = 0; k < part.counts.by_prediction.size(); ++k) {
    all.counts.by_prediction[k].items += part.counts.by_prediction[k].items;
    all.counts.by_prediction[k].mean_variance += part.counts.by_prediction[k].mean_variance;
  }
  all.share_of_classes += part.share_of_classes;
  all.predicted_classes += part.predicted_classes;
}

/// Classes before the class `label` in the order of descending alpha.
std::size_t rankOf(std::int64_t label, std::span<const double> alpha) {
  const double own = alpha[static_cast<std::size_t>(label)];
  std::size_t rank = 0;
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    rank += alpha[k] > own || (alpha[k] == own && static_cast<std::int64_t>(k) < label) ? 1 : 0;
  }
  return rank;
}

void addProposition1(const Run& run, std::int64_t i, Part& part) {
  const std::span<const float> mean = run.logit_mean->row(i);
  const std::span<const float> variance = run.logit_var->row(i);
  const CovarianceSums sums = sumsOfDiagonal(std::vector<double>(variance.begin(), variance.end()));
  const std::vector<double> log_alpha =
      bridgeLogAlpha(std::vector<double>(mean.begin(), mean.end()), sums, BridgeVariant::kRaw);
  const Proposition1 found = checkProposition1(alphaFromLog(log_alpha));
  part.share_of_classes += found.share_of_classes;
  part.predicted_classes += found.by_predicted_class ? 1 : 0;
}

void addItem(const Run& run, const RunDirichlets& dirichlets, const TopKRule& rule, std::int64_t i,
             Part& part) {
  const std::vector<double> alpha = dirichlets.alpha(i);
  const ItemDirichlet item = describeItem(alpha, rule);
  ++part.counts.set_sizes[item.set.size()];
  ClassVariance& of_class = part.counts.by_prediction[static_cast<std::size_t>(item.prediction)];
  ++of_class.items;
  of_class.mean_variance += item.mean_variance;
  const std::int64_t label = run.labels.data()[i];
  if (label >= 0 && label < run.classCount()) {
    ++part.counts.labelled;
    ++part.counts.label_ranks[rankOf(label, alpha)];
    part.counts.covered += std::ranges::count(item.set, label);
  }
  if (run.logit_mean) {
    addProposition1(run, i, part);
  }
}

}  // namespace

std::vector<Field> DirichletOptions::fields() {
  return {
      {{.name = "source",
        .label = "Source",
        .help = "where the Dirichlets come from: run (the method's own), moments (matched to its "
                "draws), or auto (the first available)",
        .choices = RunDirichlets::sources()},
       &source},
      {{.name = "threshold",
        .label = "Threshold",
        .help = "tail probability T: each interval leaves out T/2 of its marginal on each side",
        .min = 1e-6,
        .max = 1.0 - 1e-6},
       &threshold},
      {{.name = "max_classes",
        .label = "Maximum classes",
        .help = "maximum number of classes in a set",
        .min = 1,
        .max = 1e6},
       &max_classes},
  };
}

Status DirichletOptions::check() const {
  DirichletOptions copy = *this;
  return checkFields(copy.fields());
}

ItemDirichlet describeItem(std::span<const double> alpha, const TopKRule& rule) {
  const DirichletSummary summary = summariseDirichlet(alpha);
  ItemDirichlet item;
  item.prediction = argmax(alpha);
  const auto predicted = static_cast<std::size_t>(item.prediction);
  item.precision = summary.precision;
  item.probability = summary.mean[predicted];
  const auto quantile = [&](double p) {
    return betaQuantile(alpha[predicted], summary.rest[predicted], p).x();
  };
  item.lower = quantile(0.5 * rule.threshold);
  item.upper = quantile(1.0 - 0.5 * rule.threshold);
  item.mean_variance = std::accumulate(summary.variance.begin(), summary.variance.end(), 0.0) /
                       static_cast<double>(summary.variance.size());
  item.set = topK(alpha, rule);
  return item;
}

double DirichletReport::meanSetSize() const {
  double sum = 0.0;
  for (std::size_t size = 0; size < set_sizes.size(); ++size) {
    sum += static_cast<double>(size) * static_cast<double>(set_sizes[size]);
  }
  return sum / static_cast<double>(items);
}

double DirichletReport::accuracyOfSets() const {
  return labelled == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : static_cast<double>(covered) / static_cast<double>(labelled);
}

double DirichletReport::topAccuracy(double k) const {
  if (labelled == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double found = 0.0;
  for (std::size_t rank = 0; rank < label_ranks.size(); ++rank) {
    const double share = std::clamp(k - static_cast<double>(rank), 0.0, 1.0);
    found += share * static_cast<double>(label_ranks[rank]);
  }
  return found / static_cast<double>(labelled);
}

Expected<DirichletReport> reportDirichlets(const Run& run, const std::string& name,
                                           const DirichletOptions& options, RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  const auto dirichlets = RunDirichlets::of(run, name, options.source);
  if (!dirichlets) {
    return failWith(dirichlets);
  }
  const TopKRule rule = options.rule();
  const auto classes = static_cast<std::size_t>(run.classCount());
  Part all;
  all.counts.set_sizes.assign(
      static_cast<std::size_t>(std::min(rule.max_classes, run.classCount())) + 1, 0);
  all.counts.label_ranks.assign(classes, 0);
  all.counts.by_prediction.assign(classes, {});
  const std::int64_t items = run.itemCount();
  // Rounds keep the parts few, whatever the number of items.
  constexpr std::int64_t kItemsARound = 64 * kReportedAtATime;
  const Part empty = all;
  for (std::int64_t first = 0; first < items; first += kItemsARound) {
    if (context.step("reading Dirichlets", first, items) == Step::kCancel) {
      return cancelled();
    }
    const auto parts = collectParts(std::min(kItemsARound, items - first), kReportedAtATime, empty,
                                    context, [&](std::int64_t begin, std::int64_t end, Part& part) {
                                      for (std::int64_t i = first + begin;
                                           i < first + end && !context.cancelRequested(); ++i) {
                                        addItem(run, *dirichlets, rule, i, part);
                                      }
                                    });
    for (const Part& part : parts) {
      addTo(all, part);
    }
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  DirichletReport report = std::move(all.counts);
  report.source = dirichlets->describe();
  report.items = items;
  for (ClassVariance& of_class : report.by_prediction) {
    of_class.mean_variance /= static_cast<double>(of_class.items);
  }
  if (run.logit_mean) {
    const auto count = static_cast<double>(items);
    report.fulfilled = {all.share_of_classes / count,
                        static_cast<double>(all.predicted_classes) / count};
  }
  return report;
}

}  // namespace dubito
