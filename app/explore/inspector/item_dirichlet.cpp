// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_dirichlet.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/words/words.h"
#include "core/decisions/dirichlet_report.h"
#include "core/measures/beta_distribution.h"
#include "core/measures/dirichlet.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// Samples the density of Beta(a, b) over its bulk, however narrow.
void addDensity(double a, double b, Ridge& ridge) {
  constexpr int kPoints = 160;
  constexpr double kTail = 1e-4;
  constexpr double kEdge = 1e-6;
  const double low = std::clamp(betaQuantile(a, b, kTail).x(), kEdge, 1.0 - kEdge);
  const double high = std::clamp(betaQuantile(a, b, 1.0 - kTail).x(), low, 1.0 - kEdge);
  for (int i = 0; i <= kPoints; ++i) {
    const double x = low + (high - low) * i / kPoints;
    ridge.x.push_back(x);
    // Log densities near a pole may be huge; only the shape is drawn.
    ridge.density.push_back(std::exp(std::min(betaLogDensity(a, b, x), 300.0)));
  }
  if ((a < 1.0 || b < 1.0) && high > low) {
    constexpr double kTimesMean = 4.0;
    ridge.top = kTimesMean / (high - low);
  }
}

}  // namespace

ItemDirichletView itemDirichlet(const Analysis& analysis, ItemRef item, int max_classes) {
  const AnalysisPart& part = analysis.partOf(item);
  const auto dirichlets = RunDirichlets::of(*part.run, part.name, "auto");
  ItemDirichletView view;
  if (!dirichlets) {
    view.note = tr(
        "no Dirichlet: compute Laplace with a bridge link, or increase the option “Stored draws”");
    return view;
  }
  const std::vector<double> alpha = dirichlets->alpha(item.row);
  const DirichletSummary summary = summariseDirichlet(alpha);
  const ItemDirichlet described = describeItem(alpha, {});
  std::vector<std::int64_t> order(alpha.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::int64_t k) { return alpha[static_cast<std::size_t>(k)]; });
  const std::int64_t label = item.part == 0 ? part.run->labels.data()[item.row] : -1;
  if (static_cast<int>(order.size()) > max_classes) {
    const auto last = order.begin() + max_classes;
    const bool missing = label >= 0 && std::find(order.begin(), last, label) == last;
    order.erase(last, order.end());
    if (missing) {
      order.back() = label;
    }
  }
  for (const std::int64_t k : order) {
    const auto at = static_cast<std::size_t>(k);
    Ridge ridge;
    ridge.name = className(analysis, k);
    ridge.mean = summary.mean[at];
    ridge.filled = std::ranges::find(described.set, k) != described.set.end();
    ridge.is_true = k == label;
    addDensity(alpha[at], summary.rest[at], ridge);
    view.ridges.push_back(std::move(ridge));
  }
  view.note = tr("%1 · α₀ %2 · filled: top-%3 set")
                  .arg(QString::fromStdString(dirichlets->describe()), shortText(summary.precision),
                       countText(std::ssize(described.set)));
  if (order.size() < alpha.size()) {
    view.note += tr(" · %1 more classes").arg(countText(std::ssize(alpha) - std::ssize(order)));
  }
  return view;
}

}  // namespace dubito
