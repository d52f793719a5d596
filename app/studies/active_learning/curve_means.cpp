// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/curve_means.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/metrics/across_seeds.h"

namespace dubito::study {
namespace {

/// Labels needed to reach 5 % error: Gal, Islam and Ghahramani 2017, table 1, quoted from memory.
struct PublishedLabels {
  const char* by;
  std::int64_t labels;
};
constexpr double kPublishedError = 0.05;
constexpr std::array<PublishedLabels, 4> kPublishedLabels = {
    {{"bald", 335}, {"variation-ratio", 295}, {"entropy", 355}, {"random", 835}}};

OverSeeds overSeeds(const std::vector<double>& values) {
  const SeedStatistics statistics = seedStatistics(values);
  return {statistics.n, statistics.mean,
          statistics.std_dev / std::sqrt(static_cast<double>(statistics.n))};
}

std::vector<MeanPoint> meanPoints(std::span<const Curve* const> curves, std::int64_t labels) {
  std::map<std::int64_t, std::vector<double>> accuracies;
  for (const Curve* const curve : curves) {
    for (const CurvePoint& point : curve->points) {
      if (point.labels <= labels) {
        accuracies[point.labels].push_back(point.accuracy);
      }
    }
  }
  std::vector<MeanPoint> points;
  for (const auto& [count, values] : accuracies) {
    points.push_back({count, overSeeds(values)});
  }
  return points;
}

LabelsNeeded neededOver(std::span<const Curve* const> curves, std::int64_t labels, double error) {
  LabelsNeeded needed{.error = error};
  std::vector<double> reached;
  for (const Curve* const curve : curves) {
    const std::int64_t count = labelsNeeded(*curve, error);
    if (count > 0 && count <= labels) {
      reached.push_back(static_cast<double>(count));
    } else if (curve->points.back().labels >= labels) {
      ++needed.not_reached;
    }
  }
  needed.labels = overSeeds(reached);
  return needed;
}

std::string withError(const OverSeeds& value, int decimals, const char* unit) {
  std::string text = fmt::format("{:.{}f}", value.mean, decimals);
  if (value.seeds > 1) {
    text += fmt::format(" ± {:.{}f}", value.standard_error, decimals);
  }
  return text + unit;
}

std::string neededText(const LabelsNeeded& needed, std::int64_t last) {
  const std::int64_t all = needed.labels.seeds + needed.not_reached;
  if (needed.labels.seeds == 0) {
    return all == 0 ? "not yet" : fmt::format("above {}", last);
  }
  std::string text = withError(needed.labels, 0, "");
  if (needed.not_reached > 0) {
    text += fmt::format(" ({} of {} seeds; the others above {})", needed.labels.seeds, all, last);
  }
  return text;
}

std::string publishedText(const std::string& by) {
  const auto* const known = std::ranges::find_if(
      kPublishedLabels, [&](const PublishedLabels& published) { return published.by == by; });
  return known == kPublishedLabels.end() ? "" : std::to_string(known->labels);
}

nlohmann::json toJson(const OverSeeds& value) {
  nlohmann::json json = {{"seeds", value.seeds}};
  if (value.seeds > 0) {
    json["mean"] = value.mean;
  }
  if (value.seeds > 1) {
    json["standard_error"] = value.standard_error;
  }
  return json;
}

}  // namespace

std::int64_t labelsNeeded(const Curve& curve, double error) {
  const auto found = std::ranges::find_if(curve.points, [&](const CurvePoint& point) {
    return 1.0 - point.accuracy <= error + 1e-12;  // 1 - 0.95 is a little more than 0.05
  });
  return found == curve.points.end() ? 0 : found->labels;
}

std::vector<AcquisitionSummary> summarise(std::span<const Curve> curves, std::int64_t labels,
                                          std::span<const double> errors) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Curve*>> curves_by;
  for (const Curve& curve : curves) {
    if (curve.points.empty()) {
      continue;
    }
    auto& same = curves_by[curve.by];
    if (same.empty()) {
      order.push_back(curve.by);
    }
    same.push_back(&curve);
  }
  std::vector<AcquisitionSummary> summaries;
  for (const std::string& by : order) {
    AcquisitionSummary summary{by, meanPoints(curves_by[by], labels), {}};
    for (const double error : errors) {
      summary.needed.push_back(neededOver(curves_by[by], labels, error));
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

std::vector<std::string> curvesCsv(std::span<const AcquisitionSummary> summaries) {
  std::vector<std::string> lines = {"acquisition,labels,seeds,accuracy,standard_error"};
  for (const AcquisitionSummary& summary : summaries) {
    for (const MeanPoint& point : summary.points) {
      lines.push_back(fmt::format(
          "{},{},{},{:.6f},{}", summary.by, point.labels, point.accuracy.seeds, point.accuracy.mean,
          point.accuracy.seeds > 1 ? fmt::format("{:.6f}", point.accuracy.standard_error) : ""));
    }
  }
  return lines;
}

std::vector<std::string> labelsNeededTable(std::span<const AcquisitionSummary> summaries) {
  std::string head = "| acquisition | seeds |";
  std::string rule = "| --- | --- |";
  for (const LabelsNeeded& needed :
       summaries.empty() ? std::vector<LabelsNeeded>{} : summaries.front().needed) {
    head += fmt::format(" labels to {:g} % error |", 100.0 * needed.error);
    rule += " --- |";
    if (needed.error == kPublishedError) {
      head += " Gal et al. 2017, table 1, quoted from memory |";
      rule += " --- |";
    }
  }
  std::vector<std::string> lines = {head + " error at the end |", rule + " --- |"};
  for (const AcquisitionSummary& summary : summaries) {
    const MeanPoint& last = summary.points.back();
    std::string line =
        fmt::format("| {} | {} |", summary.by, summary.points.front().accuracy.seeds);
    for (const LabelsNeeded& needed : summary.needed) {
      line += fmt::format(" {} |", neededText(needed, last.labels));
      if (needed.error == kPublishedError) {
        line += fmt::format(" {} |", publishedText(summary.by));
      }
    }
    const OverSeeds error{last.accuracy.seeds, 100.0 * (1.0 - last.accuracy.mean),
                          100.0 * last.accuracy.standard_error};
    lines.push_back(
        fmt::format("{} {} at {} labels |", line, withError(error, 2, " %"), last.labels));
  }
  return lines;
}

nlohmann::json toJson(std::span<const AcquisitionSummary> summaries) {
  nlohmann::json json = nlohmann::json::object();
  for (const AcquisitionSummary& summary : summaries) {
    nlohmann::json points = nlohmann::json::array();
    for (const MeanPoint& point : summary.points) {
      points.push_back({{"labels", point.labels}, {"accuracy", toJson(point.accuracy)}});
    }
    nlohmann::json needed = nlohmann::json::array();
    for (const LabelsNeeded& one : summary.needed) {
      needed.push_back(
          {{"error", one.error}, {"labels", toJson(one.labels)}, {"not_reached", one.not_reached}});
    }
    json[summary.by] = {{"curve", points}, {"labels_needed", needed}};
  }
  return json;
}

}  // namespace dubito::study
