// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/review_commands.h"
#include "app/cli/run_identity.h"
#include "app/cli/run_input.h"
#include "core/metrics/agreement.h"
#include "core/review/effect.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string place;
  std::string run;
  RunInput input;
  ReportFlags output;
};

nlohmann::json numberOrNull(double value) {
  return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
}

nlohmann::json toJson(const ScoresBeforeAfter& scores) {
  const auto one = [](const LabelScores& of) {
    return nlohmann::json{{"accuracy", numberOrNull(of.accuracy)}, {"ece", numberOrNull(of.ece)}};
  };
  return {
      {"n", scores.given.items}, {"given", one(scores.given)}, {"reviewed", one(scores.reviewed)}};
}

nlohmann::json toJson(const VisibilityEffect& effect) {
  return {{"decisions", effect.decisions},
          {"agreeing", effect.agreeing},
          {"judged", effect.judged},
          {"wrong", effect.wrong}};
}

const char* keyOf(BaselineSource source) {
  switch (source) {
    case BaselineSource::kRandomOrder:
      return "random-order";
    case BaselineSource::kConfidentLearning:
      return "confident-learning";
    case BaselineSource::kNone:
      break;
  }
  return "none";
}

nlohmann::json changesOf(const ReviewEffect& effect, std::span<const LabelClass> classes) {
  nlohmann::json changes = nlohmann::json::array();
  const std::size_t count = effect.classes.size();
  const auto nameOf = [&](std::size_t place) {
    const std::int64_t id = effect.classes[place];
    return id == kNoneOfClasses ? nlohmann::json() : nlohmann::json(classText(classes, id));
  };
  for (std::size_t given = 0; given < count; ++given) {
    for (std::size_t reviewed = 0; reviewed < count; ++reviewed) {
      const std::int64_t items = effect.changes.data()[given * count + reviewed];
      if (given != reviewed && items > 0) {
        changes.push_back(
            {{"given", nameOf(given)}, {"reviewed", nameOf(reviewed)}, {"items", items}});
      }
    }
  }
  return changes;
}

nlohmann::json toJson(const ReviewEffect& effect, std::span<const LabelClass> classes) {
  nlohmann::json object{{"n", effect.items},
                        {"given", effect.given},
                        {"reviewed", effect.reviewed},
                        {"unclear", effect.unclear},
                        {"by_model", effect.by_model},
                        {"compared", effect.compared.size()},
                        {"changed", effect.changed},
                        {"changes", changesOf(effect, classes)},
                        {"all", toJson(effect.all)},
                        {"compared_only", toJson(effect.compared_only)},
                        {"found",
                         {{"reviewed", effect.found.reviewed},
                          {"found", effect.found.found},
                          {"baseline", keyOf(effect.found.baseline)}}},
                        {"shown", toJson(effect.shown)},
                        {"hidden", toJson(effect.hidden)},
                        {"suggested",
                         {{"labels", effect.suggested.labels},
                          {"as_suggested", effect.suggested.as_suggested},
                          {"hardly_seen", effect.suggested.hardly_seen}}}};
  if (effect.found.baseline != BaselineSource::kNone) {
    object["found"]["share_at_random"] = effect.found.share_at_random;
  }
  nlohmann::json& deciles = object["deciles"] = nlohmann::json::array();
  for (const DecileEffect& decile : effect.deciles) {
    deciles.push_back({{"decisions", decile.decisions},
                       {"median_ms", numberOrNull(decile.median_ms)},
                       {"rated", decile.rated},
                       {"agreement", numberOrNull(decile.agreement)}});
  }
  nlohmann::json& rate = object["rate"] = nlohmann::json::array();
  for (const RatePoint& point : effect.pace.stretches) {
    rate.push_back({{"decisions", point.decisions}, {"per_minute", point.per_minute}});
  }
  object["per_minute"] = numberOrNull(effect.pace.perMinute());
  const FleissAgreement fleiss = fleissAgreement(effect.ratings.ratings);
  object["fleiss"] = {{"n", fleiss.items},
                      {"value", fleiss.kappa ? nlohmann::json(*fleiss.kappa) : nlohmann::json()},
                      {"interval", nullptr}};
  if (fleiss.interval95) {
    object["fleiss"]["interval"] = {fleiss.interval95->low, fleiss.interval95->high};
  }
  return object;
}

std::string scoresText(const char* name, const ScoresBeforeAfter& scores) {
  return fmt::format("{:<12} accuracy {:.2f} % -> {:.2f} %, ECE {:.2f} % -> {:.2f} %, {} items\n",
                     name, 100.0 * scores.given.accuracy, 100.0 * scores.reviewed.accuracy,
                     100.0 * scores.given.ece, 100.0 * scores.reviewed.ece, scores.given.items);
}

std::string toText(const ReviewEffect& effect, const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    text += fmt::format("note: {}\n", note);
  }
  text += fmt::format("{} of {} items are reviewed ({} ambiguous), {} labelled by a model\n",
                      effect.reviewed, effect.items, effect.unclear, effect.by_model);
  if (effect.compared.empty()) {
    return text + "no reviewed item has a given label to compare with\n";
  }
  text +=
      fmt::format("{} of {} given labels were changed\n", effect.changed, effect.compared.size());
  text += scoresText("all", effect.all);
  text += scoresText("reviewed", effect.compared_only);
  if (effect.found.baseline != BaselineSource::kNone) {
    text += fmt::format(
        "found        {} wrong labels; in random order about {:.1f} (by {})\n",
        effect.found.found.back(),
        effect.found.share_at_random * static_cast<double>(effect.found.reviewed.back()),
        keyOf(effect.found.baseline));
  }
  for (const auto& [name, group] : {std::pair("shown", effect.shown), {"hidden", effect.hidden}}) {
    if (group.decisions > 0) {
      text += fmt::format("{:<12} {} of {} decisions are the suggested class\n", name,
                          group.agreeing, group.decisions);
    }
  }
  return text;
}

Status measure(const Arguments& arguments, RunContext& context) {
  const auto run = arguments.input.open(arguments.run, context);
  if (!run) {
    return failWith(run);
  }
  const auto opened = openLabelsOf(*run, arguments.run, arguments.place, StoreMode::kReadOnly);
  if (!opened) {
    return failWith(opened);
  }
  LabelStore& store = *opened->store;
  const auto records = readRecords(store);
  if (!records) {
    return failWith(records);
  }
  const auto effect = reviewEffect(*run, arguments.run, *records, context);
  if (!effect) {
    return failWith(effect);
  }
  nlohmann::json object = toJson(*effect, records->classes);
  object["labels"] = store.place();
  object["run"] = identityToJson(arguments.run, *run);
  object["notes"] = opened->notes;
  return arguments.output.report(object, toText(*effect, opened->notes));
}

}  // namespace

Command reviewEffectCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  app.add_option("--run", arguments->run, "run over the same items, with their given labels")
      ->required();
  arguments->input.declare(app);
  arguments->output.declareJson(app);
  return {[arguments](RunContext& context) { return measure(*arguments, context); }};
}

}  // namespace dubito::cli
