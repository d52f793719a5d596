// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/dropout_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dubito {
namespace {

std::string listed(const DropoutSite& site) {
  return fmt::format("{} ({}, {})", site.site, site.name, site.op);
}

/// What training draws must be used, or left off by choice.
Status checkUnusable(const Model& model, const McDropoutOptions& options) {
  std::vector<std::string> unusable;
  for (const DropoutSite& site : model.audit().dropout_sites) {
    if (site.is_used && !site.refused.empty()) {
      unusable.push_back(fmt::format("site {}: {}", listed(site), site.refused));
    }
  }
  if (unusable.empty() || options.unusable == "off") {
    return {};
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: not everything that the network draws in training can be drawn by "
                          "seed and item: {}; leave that off, or name the sites to use",
                          model.path(), fmt::join(unusable, "; ")),
              {setting("unusable", "off"), setting("sites")});
}

Status chooseDefaults(const Model& model, const McDropoutOptions& options, DropoutPlan& plan) {
  if (Status checked = checkUnusable(model, options); !checked) {
    return checked;
  }
  for (const DropoutSite& site : model.audit().dropout_sites) {
    if (site.refused.empty() && site.off.empty()) {
      plan.sites.push_back(site.site);
    }
  }
  return {};
}

/// Adds sites that draw whenever a chosen one does.
void addCompanions(const Model& model, DropoutPlan& plan) {
  const std::vector<DropoutSite>& sites = model.audit().dropout_sites;
  for (std::size_t i = 0; i < plan.sites.size(); ++i) {
    const std::int64_t number = plan.sites[i];
    for (const std::int64_t other : sites[static_cast<std::size_t>(number)].brings) {
      if (std::ranges::find(plan.sites, other) == plan.sites.end()) {
        plan.sites.push_back(other);
        plan.notes.push_back(fmt::format(
            "Site {} is on as well: it draws in the training branch that site {} switches on",
            listed(sites[static_cast<std::size_t>(other)]), number));
      }
    }
  }
}

/// Says which sites stay off, and why.
void noteOff(const Model& model, DropoutPlan& plan) {
  for (const DropoutSite& site : model.audit().dropout_sites) {
    const std::string& reason = site.refused.empty() ? site.off : site.refused;
    if (!reason.empty() && std::ranges::find(plan.sites, site.site) == plan.sites.end()) {
      plan.notes.push_back(fmt::format("Dropout site {} stays off: {}", listed(site), reason));
    }
  }
}

/// Random numbers that are no dropout keep their distribution.
void noteRate(const Model& model, DropoutPlan& plan) {
  for (const std::int64_t number : plan.sites) {
    const DropoutSite& site = model.audit().dropout_sites[static_cast<std::size_t>(number)];
    if (plan.drop_rate && site.is_noise) {
      plan.notes.push_back(fmt::format(
          "The drop rate does not concern site {}: it draws other random numbers", listed(site)));
    }
  }
}

Status chooseSites(const Model& model, const McDropoutOptions& options, DropoutPlan& plan) {
  const std::vector<DropoutSite>& sites = model.audit().dropout_sites;
  if (options.sites.empty()) {
    return chooseDefaults(model, options, plan);
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
                              "other sites",
                              model.path(), number, site.name, site.refused),
                  {setting("sites")});
    }
    plan.sites.push_back(number);
  }
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

/// The largest rate of all active sites; 1 for other random numbers.
double largestRate(const Model& model, const DropoutPlan& plan) {
  double largest = plan.inserted ? plan.insert_rate : 0.0;
  for (const std::int64_t number : plan.sites) {
    const DropoutSite& site = model.audit().dropout_sites[static_cast<std::size_t>(number)];
    largest = std::max(largest, site.is_noise ? 1.0 : plan.drop_rate.value_or(site.drop_rate));
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
  addCompanions(model, plan);
  std::ranges::sort(plan.sites);
  plan.sites.erase(std::unique(plan.sites.begin(), plan.sites.end()), plan.sites.end());
  noteOff(model, plan);
  noteRate(model, plan);
  if (Status inserted = chooseInsertion(model, options, plan); !inserted) {
    return failWith(inserted);
  }
  if (plan.sites.empty() && !plan.inserted) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the model has no usable dropout site, so all draws would be "
                            "identical; insert one, or use the method map",
                            model.path()),
                {setting("insert", "auto")});
  }
  if (largestRate(model, plan) == 0.0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the drop rate of every chosen site is 0, so all draws would be "
                            "identical; give a drop rate",
                            model.path()),
                {setting("drop_rate")});
  }
  return plan;
}

}  // namespace dubito
