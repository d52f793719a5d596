// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/analysis/run_names.h"
#include "core/base/nan.h"
#include "core/metrics/metric_info.h"
#include "core/metrics/rank_names.h"
#include "core/models/guessed_preprocessing.h"

namespace dubito {
namespace {

/// A key that is equal for analyses that differ only in the seed.
std::string keyOf(const Analysis& analysis) {
  std::string key = analysis.name;
  for (const AnalysisPart& part : analysis.parts) {
    const RunMeta& meta = part.run->meta;
    nlohmann::json options =
        nlohmann::json::parse(meta.method_options, nullptr, /*allow_exceptions=*/false);
    if (options.is_object()) {
      options.erase("fitted");
    }
    key += fmt::format("|{}|{}|{}|{}|{}|{}|{}", meta.method, options.dump(), meta.network_hash,
                       part.name, meta.dataset_spec, meta.dataset_hash, part.items_hash);
  }
  return key;
}

bool hasSeed(const ComparedRun& run, std::uint64_t seed) {
  return std::ranges::any_of(run.seeds, [seed](const AnalysisPtr& analysis) {
    return analysis->in().run->meta.seed == seed;
  });
}

std::string datasetsOf(const Analysis& analysis) {
  std::string text;
  for (const AnalysisPart& part : analysis.parts) {
    text += (text.empty() ? "" : ", ") + part.name;
  }
  return text;
}

/// A metric and how to read it from an evaluation; NaN if absent.
struct MetricSource {
  ComparedMetric metric;
  std::function<double(const Evaluation&)> value;
  std::string ood = {};  ///< the OOD set involved, if any
};

/// By run: the number of its group of equal runs.
template <class Equal>
std::vector<int> groupsBy(const std::vector<ComparedRun>& runs, const Equal& equal) {
  std::vector<int> groups;
  std::vector<const Analysis*> firsts;
  for (const ComparedRun& run : runs) {
    const Analysis& analysis = *run.seeds.front();
    const auto found = std::ranges::find_if(
        firsts, [&](const Analysis* first) { return equal(*first, analysis); });
    groups.push_back(static_cast<int>(found - firsts.begin()));
    if (found == firsts.end()) {
      firsts.push_back(&analysis);
    }
  }
  return groups;
}

const AnalysisPart* findOodPart(const Analysis& analysis, const std::string& name) {
  const auto found = std::find_if(analysis.parts.begin() + 1, analysis.parts.end(),
                                  [&](const AnalysisPart& part) { return part.name == name; });
  return found == analysis.parts.end() ? nullptr : &*found;
}

/// Whether both use the same in-distribution items and the same items of the OOD set `ood`.
bool overSameItemsAnd(const std::string& ood, const Analysis& a, const Analysis& b) {
  const AnalysisPart* const mine = findOodPart(a, ood);
  const AnalysisPart* const other = findOodPart(b, ood);
  return overSameItems(a, b) && mine != nullptr && other != nullptr && haveSameItems(*mine, *other);
}

/// A metric under `name` with its standard explanation; `more` is appended.
ComparedMetric compared(std::string name, Metric metric, const std::string& more = {}) {
  const MetricInfo& info = describe(metric);
  return {
      std::move(name), info.summary + more, info.high_is_good, info.is_fraction, info.key, {}, {}};
}

std::string wordsOf(std::string score) {
  std::ranges::replace(score, '_', ' ');
  return score;
}

const OodEvaluation* findOod(const Evaluation& evaluation, const std::string& name) {
  const auto found = std::ranges::find(evaluation.ood, name, &OodEvaluation::name);
  return found == evaluation.ood.end() ? nullptr : &*found;
}

void addMisclassified(std::vector<MetricSource>& sources) {
  for (const Measure measure : defaultMeasures()) {
    const std::string score = describe(measure).key;
    for (const Metric metric : allMetrics()) {
      const MetricInfo& info = describe(metric);
      const bool ranks = metric == Metric::kAuroc;
      if (!info.is_compared || (!ranks && info.of_selection == nullptr)) {
        continue;
      }
      sources.push_back(
          {compared(ranks ? rankMetricName(info.symbol, Ranking::kCorrectVsMisclassified, {}, score)
                          : fmt::format("{} ({})", info.symbol, wordsOf(score)),
                    metric),
           [score, &info](const Evaluation& evaluation) {
             const auto found = evaluation.misclassified.find(score);
             return found == evaluation.misclassified.end() ? kNaN
                    : info.of_selection != nullptr          ? info.of_selection(found->second)
                                                            : info.of_ranking(found->second.rank);
           }});
    }
  }
}

void addOod(const std::string& name, std::vector<MetricSource>& sources) {
  for (const Measure measure : defaultMeasures()) {
    const std::string score = describe(measure).key;
    for (const Metric metric : allMetrics()) {
      const MetricInfo& info = describe(metric);
      if (!info.is_compared || info.of_ranking == nullptr) {
        continue;
      }
      sources.push_back({compared(rankMetricName(info.symbol, Ranking::kInVsOod, name, score),
                                  metric, "; positive: in-distribution items"),
                         [name, score, &info](const Evaluation& evaluation) {
                           const OodEvaluation* const set = findOod(evaluation, name);
                           return set == nullptr || !set->in_vs_ood.contains(score)
                                      ? kNaN
                                      : info.of_ranking(set->in_vs_ood.at(score));
                         },
                         name});
    }
  }
}

std::vector<MetricSource> allSources(const std::vector<ComparedRun>& runs) {
  std::vector<MetricSource> sources;
  for (const Metric metric : allMetrics()) {
    const MetricInfo& info = describe(metric);
    if (info.is_compared && isOfSet(metric)) {
      sources.push_back({compared(info.symbol, metric), [metric](const Evaluation& evaluation) {
                           return valueOf(evaluation, metric);
                         }});
    }
  }
  addMisclassified(sources);
  std::vector<std::string> names;
  for (const ComparedRun& run : runs) {
    for (const OodEvaluation& set : run.seeds.front()->evaluation.ood) {
      if (std::ranges::find(names, set.name) == names.end()) {
        names.push_back(set.name);
        addOod(set.name, sources);
      }
    }
  }
  return sources;
}

}  // namespace

std::vector<ComparedRun> compareRuns(const std::vector<AnalysisPtr>& analyses,
                                     const std::vector<std::string>& given) {
  std::vector<ComparedRun> runs;
  std::vector<std::string> keys;
  for (std::size_t position = 0; position < analyses.size(); ++position) {
    const AnalysisPtr& analysis = analyses[position];
    const std::string key = keyOf(*analysis);
    std::size_t at = 0;
    // The same seed twice is not a repetition.
    while (at < runs.size() &&
           (keys[at] != key || hasSeed(runs[at], analysis->in().run->meta.seed))) {
      ++at;
    }
    if (at == runs.size()) {
      runs.push_back({analysis->name, analysis->detail, {}, {}});
      keys.push_back(key);
    }
    runs[at].seeds.push_back(analysis);
    runs[at].positions.push_back(position);
  }
  std::vector<AnalysisPtr> firsts;
  std::vector<std::string> given_to_firsts;
  for (const ComparedRun& run : runs) {
    firsts.push_back(run.seeds.front());
    const std::size_t first = run.positions.front();
    given_to_firsts.push_back(first < given.size() ? given[first] : std::string());
  }
  const std::vector<std::string> names = distinctNames(firsts, given_to_firsts);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ComparedRun& run = runs[i];
    run.name = names[i];
    if (run.seeds.size() > 1) {
      const Analysis& first = *run.seeds.front();
      const bool guessed = !guessedPreprocessing(first.in().run->meta.notes).empty();
      const auto& reviewed = first.in().run->meta.reviewed_labels;
      run.detail = fmt::format("{} seeds · {}{}{}", run.seeds.size(),
                               guessed ? "preprocessing guessed · " : "",
                               reviewed ? describe(*reviewed) + " · " : "", datasetsOf(first));
    }
  }
  return runs;
}

std::vector<int> itemGroups(const std::vector<ComparedRun>& runs) {
  return groupsBy(runs, [](const Analysis& a, const Analysis& b) { return overSameItems(a, b); });
}

std::vector<ComparedMetric> compareMetrics(const std::vector<ComparedRun>& runs) {
  std::vector<ComparedMetric> metrics;
  const std::vector<int> in_groups = itemGroups(runs);
  for (MetricSource& source : allSources(runs)) {
    source.metric.items_of_runs =
        source.ood.empty() ? in_groups
                           : groupsBy(runs, [&source](const Analysis& a, const Analysis& b) {
                               return overSameItemsAnd(source.ood, a, b);
                             });
    bool any = false;
    for (const ComparedRun& run : runs) {
      std::vector<double> values;
      for (const AnalysisPtr& analysis : run.seeds) {
        const double value = source.value(analysis->evaluation);
        if (!std::isnan(value)) {
          values.push_back(value);
        }
      }
      source.metric.of_runs.push_back(seedStatistics(values));
      any = any || !values.empty();
    }
    if (any) {
      metrics.push_back(std::move(source.metric));
    }
  }
  return metrics;
}

}  // namespace dubito
