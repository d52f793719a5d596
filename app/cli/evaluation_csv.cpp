// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation_csv.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/csv_text.h"
#include "core/io/atomic_file.h"
#include "core/io/csv.h"
#include "core/io/make_folder.h"

namespace dubito::cli {
namespace {

std::string reliabilityCsv(const ReliabilityDiagram& diagram) {
  std::string csv = "low,high,count,accuracy,confidence,wilson95_low,wilson95_high\n";
  for (const ReliabilityBin& bin : diagram.bins) {
    csv += fmt::format("{},{},{},{},{},{},{}\n", numberText(bin.low), numberText(bin.high),
                       bin.count, numberText(bin.accuracy), numberText(bin.confidence),
                       numberText(bin.wilson95.low), numberText(bin.wilson95.high));
  }
  return csv;
}

std::string curvesCsv(const std::vector<Curve>& curves, const std::string& x_name,
                      const std::string& y_name) {
  std::string csv = fmt::format("score,{},{}\n", x_name, y_name);
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      csv += fmt::format("{},{},{}\n", csvField(curve.name), numberText(curve.x[i]),
                         numberText(curve.y[i]));
    }
  }
  return csv;
}

std::string histogramCsv(const Overview::ScoreHistograms& histograms) {
  const auto count = [](const Histogram& histogram, std::size_t bin) {
    return histogram.counts.empty() ? 0 : histogram.counts[bin];
  };
  const auto& edges = !histograms.correct.edges.empty()         ? histograms.correct.edges
                      : !histograms.misclassified.edges.empty() ? histograms.misclassified.edges
                                                                : histograms.ood.edges;
  std::string csv = "low,high,correct,misclassified,ood\n";
  for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin) {
    csv += fmt::format("{},{},{},{},{}\n", numberText(edges[bin]), numberText(edges[bin + 1]),
                       count(histograms.correct, bin), count(histograms.misclassified, bin),
                       count(histograms.ood, bin));
  }
  return csv;
}

}  // namespace

Status writeEvaluationCsv(const Evaluation& evaluation, const Overview& overview,
                          const std::string& folder) {
  if (Status made = makeFolder(folder); !made) {
    return made;
  }
  std::vector<std::pair<std::string, std::string>> files{
      {"metrics.csv", metricsCsv(evaluation)},
      {"reliability.csv", reliabilityCsv(overview.reliability)},
      {"roc.csv", curvesCsv(overview.roc, "false_positive_rate", "true_positive_rate")},
      {"precision_recall.csv", curvesCsv(overview.precision_recall, "recall", "precision")}};
  for (const Overview::ScoreHistograms& histograms : overview.histograms) {
    files.emplace_back(fmt::format("histogram_{}.csv", describe(histograms.measure).key),
                       histogramCsv(histograms));
  }
  for (const auto& [name, content] : files) {
    if (Status written =
            writeFileAtomically((std::filesystem::path(folder) / name).string(), content);
        !written) {
      return written;
    }
  }
  return {};
}

}  // namespace dubito::cli
