// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/gauge_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/io/known_notes.h"
#include "core/laplace/link.h"

namespace dubito {
namespace {

constexpr std::int64_t kUsualDraws = 1000;
constexpr std::int64_t kMostItems = 2000;
constexpr std::int64_t kFewestItems = 100;
/// Products of a draw's noise with its factor that are affordable, over all items: a few seconds.
constexpr double kMostProducts = 1.28e11;

}  // namespace

std::int64_t GaugePlan::itemsOf(std::int64_t items) const {
  return draws == 0 ? 0 : std::llround(share * static_cast<double>(items));
}

std::string GaugePlan::note(std::int64_t items) const {
  if (draws == 0 || share >= 1.0) {
    return {};
  }
  return fmt::format(
      "{}{} draws for each of about {} of {} items, chosen by seed and id; --gauge {} covers all "
      "items",
      kGaugeNote, draws, itemsOf(items), items, draws);
}

GaugePlan gaugePlan(const LaplaceSettings& settings, std::int64_t classes, std::int64_t items) {
  if (settings.drawsWeights()) {
    return {};
  }
  GaugePlan plan{.draws = settings.gauge.value_or(kUsualDraws)};
  plan.of_link = settings.link == kDrawingLink && plan.draws == settings.samples;
  if (settings.gauge || plan.of_link) {
    return plan;
  }
  const double products = static_cast<double>(kUsualDraws) * static_cast<double>(classes * classes);
  const double most =
      std::clamp(kMostProducts / products, double{kFewestItems}, double{kMostItems});
  plan.share = std::min(1.0, most / static_cast<double>(std::max<std::int64_t>(1, items)));
  return plan;
}

}  // namespace dubito
