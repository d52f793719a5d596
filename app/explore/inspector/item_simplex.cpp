// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_simplex.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/words/words.h"
#include "core/decisions/run_dirichlets.h"
#include "core/kernels/simplex_histogram.h"
#include "core/measures/simplex_density.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

constexpr std::int64_t kCells = 128;

/// Normalised to sum to 1; nullopt if all three are zero.
std::optional<Triple> normalised(const Triple& parts) {
  const double sum = parts[0] + parts[1] + parts[2];
  if (!(sum > 0.0) || std::isinf(sum)) {
    return std::nullopt;
  }
  return Triple{parts[0] / sum, parts[1] / sum, parts[2] / sum};
}

void addDraws(const Array<float>& draws, const CornerClasses& classes, SimplexValue& value) {
  if (draws.rank() != 2 || draws.extent(0) == 0) {
    return;
  }
  for (std::int64_t t = 0; t < draws.extent(0); ++t) {
    Triple parts{};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      parts[k] = static_cast<double>(draws.row(t)[static_cast<std::size_t>(classes[k])]);
    }
    if (const auto draw = normalised(parts)) {
      value.draws.push_back(*draw);
    }
  }
  // About as many triangles as draws.
  const auto sides = static_cast<std::int64_t>(std::sqrt(static_cast<double>(draws.extent(0))));
  value.counts = simplexHistogram(draws, classes, std::clamp<std::int64_t>(sides, 4, 24)).counts;
}

}  // namespace

std::optional<CornerClasses> cornerClasses(const Analysis& analysis, ItemRef item,
                                           const CornerChoices& choices) {
  const Run& run = *analysis.partOf(item).run;
  if (run.classCount() < 3) {
    return std::nullopt;
  }
  std::vector<std::int64_t> likeliest(static_cast<std::size_t>(run.classCount()));
  std::iota(likeliest.begin(), likeliest.end(), std::int64_t{0});
  std::erase_if(likeliest, [&](std::int64_t k) {
    return std::ranges::find(choices, std::optional(k)) != choices.end();
  });
  const auto last = likeliest.begin() + std::min<std::ptrdiff_t>(3, std::ssize(likeliest));
  std::partial_sort(likeliest.begin(), last, likeliest.end(), [&](std::int64_t a, std::int64_t b) {
    const double first = run.prob(item.row, a);
    const double second = run.prob(item.row, b);
    return first > second || (first == second && a < b);
  });
  CornerClasses classes{};
  auto next = likeliest.begin();
  for (std::size_t k = 0; k < classes.size(); ++k) {
    classes[k] = choices[k] ? *choices[k] : *next++;
  }
  return classes;
}

ItemSimplexView itemSimplex(const Analysis& analysis, ItemRef item, const CornerClasses& classes,
                            const Array<float>& draws) {
  const AnalysisPart& part = analysis.partOf(item);
  ItemSimplexView view;
  Triple mean{};
  for (std::size_t k = 0; k < classes.size(); ++k) {
    view.value.corners[k] = className(analysis, classes[k]);
    mean[k] = part.run->prob(item.row, classes[k]);
  }
  const double held = mean[0] + mean[1] + mean[2];
  addDraws(draws, classes, view.value);
  const QString share = tr("the three classes total %1 %").arg(shortText(100.0 * held));
  const auto dirichlets = RunDirichlets::of(*part.run, part.name, "auto");
  if (!dirichlets) {
    view.value.mean = normalised(mean);
    view.note = tr("no Dirichlet: compute Laplace with a bridge link, or increase the option "
                   "“Stored draws” · %1")
                    .arg(share);
    return view;
  }
  const std::vector<double> all = dirichlets->alpha(item.row);
  std::array<double, 3> alpha{};
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    alpha[k] = all[static_cast<std::size_t>(classes[k])];
  }
  view.value.density = simplexDensity(alpha, kCells);
  view.value.mean = view.value.density->mean;
  view.note = tr("%1 · α %2, %3, %4 · %5")
                  .arg(QString::fromStdString(dirichlets->describe()), shortText(alpha[0]),
                       shortText(alpha[1]), shortText(alpha[2]), share);
  return view;
}

}  // namespace dubito
