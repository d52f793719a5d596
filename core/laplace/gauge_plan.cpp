// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/gauge_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/laplace/link.h"

namespace dubito {
namespace {

constexpr std::int64_t kDefaultDraws = 1000;
constexpr std::int64_t kMaxItems = 2000;
constexpr std::int64_t kMinItems = 100;
/// Affordable number of products of noise with a factor, over all items: a few seconds.
constexpr double kMaxProducts = 1.28e11;

}  // namespace

std::int64_t GaugePlan::itemsOf(std::int64_t items) const {
  return draws == 0 ? 0 : std::llround(share * static_cast<double>(items));
}

std::optional<Note> GaugePlan::note(std::int64_t items) const {
  if (draws == 0 || share >= 1.0) {
    return std::nullopt;
  }
  return Note(
      NoteKind::kGaugedItems,
      fmt::format("The honesty gauge holds {} draws for each of about {} of {} items, chosen by "
                  "seed and id; setting it to {} draws covers all items",
                  draws, itemsOf(items), items, draws));
}

GaugePlan gaugePlan(const LaplaceSettings& settings, std::int64_t classes, std::int64_t items) {
  if (settings.drawsWeights()) {
    return {};
  }
  GaugePlan plan{.draws = settings.gauge.value_or(kDefaultDraws)};
  plan.uses_link_draws = settings.link == kSamplingLink && plan.draws == settings.samples;
  if (settings.gauge || plan.uses_link_draws) {
    return plan;
  }
  const double products =
      static_cast<double>(kDefaultDraws) * static_cast<double>(classes * classes);
  const double max_items =
      std::clamp(kMaxProducts / products, double{kMinItems}, double{kMaxItems});
  plan.share = std::min(1.0, max_items / static_cast<double>(std::max<std::int64_t>(1, items)));
  return plan;
}

}  // namespace dubito
