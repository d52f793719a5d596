// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/networks/dropout_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace dubito {
namespace {

Status chooseSites(const Model& model, const McDropoutOptions& options, DropoutPlan& plan) {
  const std::vector<DropoutSite>& sites = model.audit().dropout_sites;
  if (options.sites.empty()) {
    for (const DropoutSite& site : sites) {
      if (site.refused.empty()) {
        plan.sites.push_back(site.site);
      } else {
        plan.notes.push_back(
            fmt::format("Dropout site {} ({}) stays off: {}", site.site, site.name, site.refused));
      }
    }
    return {};
  }
  for (const std::int64_t number : options.sites) {
    if (number < 0 || number >= static_cast<std::int64_t>(sites.size())) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: there is no dropout site {}; the model has {} (see inspect)",
                              model.path(), number, sites.size()));
    }
    const DropoutSite& site = sites[static_cast<std::size_t>(number)];
    if (!site.refused.empty()) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: dropout site {} ({}) cannot be switched on because {}; choose "
                              "other sites (--sites)",
                              model.path(), number, site.name, site.refused));
    }
    plan.sites.push_back(number);
  }
  std::sort(plan.sites.begin(), plan.sites.end());
  plan.sites.erase(std::unique(plan.sites.begin(), plan.sites.end()), plan.sites.end());
  return {};
}

Status chooseInsertion(const Model& model, const McDropoutOptions& options, DropoutPlan& plan) {
  const bool wanted =
      options.insert == "always" || (options.insert == "auto" && plan.sites.empty());
  if (!wanted) {
    return {};
  }
  const ModelAudit& audit = model.audit();
  if (!audit.head.found) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: no dropout site can be inserted before the head because {}; use "
                            "a model with dropout, or the method map",
                            model.path(), audit.head.reason));
  }
  plan.inserted = static_cast<std::int64_t>(audit.dropout_sites.size());
  plan.insert_rate = options.insert_rate;
  plan.notes.push_back(
      fmt::format("A dropout site (number {}, rate {:g}) was inserted before the "
                  "head; the network was not trained with it",
                  *plan.inserted, plan.insert_rate));
  return {};
}

/// The largest rate of all active sites.
double largestRate(const Model& model, const DropoutPlan& plan) {
  double largest = plan.inserted ? plan.insert_rate : 0.0;
  for (const std::int64_t number : plan.sites) {
    const DropoutSite& site = model.audit().dropout_sites[static_cast<std::size_t>(number)];
    largest = std::max(largest, plan.drop_rate.value_or(site.drop_rate));
  }
  return largest;
}

}  // namespace

Expected<DropoutPlan> planDropout(const Model& model, const McDropoutOptions& options) {
  DropoutPlan plan;
  plan.drop_rate = options.drop_rate;
  plan.shared_masks = options.masks == "shared";
  if (Status chosen = chooseSites(model, options, plan); !chosen) {
    return failWith(chosen);
  }
  if (Status inserted = chooseInsertion(model, options, plan); !inserted) {
    return failWith(inserted);
  }
  if (plan.sites.empty() && !plan.inserted) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the model has no usable dropout site, so all draws would be "
                            "identical; insert one (--insert auto), or use the method map",
                            model.path()));
  }
  if (largestRate(model, plan) == 0.0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the drop rate of every chosen site is 0, so all draws would be "
                            "identical; give a drop rate (--drop-rate)",
                            model.path()));
  }
  return plan;
}

}  // namespace dubito
