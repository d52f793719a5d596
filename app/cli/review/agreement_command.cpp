// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/report_flags.h"
#include "app/cli/review/label_place.h"
#include "app/cli/review/review_commands.h"
#include "core/base/counted.h"
#include "core/base/in_quotes.h"
#include "core/metrics/agreement.h"
#include "core/review/ratings.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string place;
  ReportFlags output;
};

/// Two annotators, as positions in Ratings::annotators.
struct RatedPair {
  std::size_t first = 0;
  std::size_t second = 0;
  CohenAgreement agreement;
};

std::vector<RatedPair> pairsOf(const Ratings& ratings) {
  std::vector<RatedPair> pairs;
  for (std::size_t first = 0; first < ratings.annotators.size(); ++first) {
    for (std::size_t second = first + 1; second < ratings.annotators.size(); ++second) {
      pairs.push_back(
          {first, second, cohenAgreement(ratings.ratings[first], ratings.ratings[second])});
    }
  }
  return pairs;
}

nlohmann::json numberOrNull(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json toJson(const OpenedLabels& opened, const Ratings& ratings,
                      const std::vector<RatedPair>& pairs, const FleissAgreement& fleiss) {
  nlohmann::json cohen = nlohmann::json::object();
  for (const RatedPair& pair : pairs) {
    const std::string& first = ratings.annotators[pair.first];
    const std::string& second = ratings.annotators[pair.second];
    nlohmann::json entry{{"first", first},
                         {"second", second},
                         {"n", pair.agreement.items},
                         {"value", numberOrNull(pair.agreement.kappa)},
                         {"observed", pair.agreement.observed},
                         {"expected", pair.agreement.expected},
                         {"interval", nullptr}};
    if (pair.agreement.interval95) {
      entry["interval"] = {pair.agreement.interval95->low, pair.agreement.interval95->high};
    }
    cohen[fmt::format("{}|{}", first, second)] = std::move(entry);
  }
  return {{"labels", opened.store->place()},
          {"n", ratings.ratedTwice()},
          {"decided", ratings.items.size()},
          {"annotators", ratings.annotators},
          {"cohen", std::move(cohen)},
          {"fleiss", numberOrNull(fleiss.kappa)},
          {"fleiss_n", fleiss.items},
          {"fleiss_ratings_per_item", fleiss.ratings_per_item},
          {"notes", opened.notes}};
}

std::string kappaText(const std::optional<double>& kappa) {
  return kappa ? fmt::format("{:.4f}", *kappa) : "not defined";
}

std::string toText(const OpenedLabels& opened, const Ratings& ratings,
                   const std::vector<RatedPair>& pairs, const FleissAgreement& fleiss) {
  std::string text;
  for (const std::string& note : opened.notes) {
    text += fmt::format("note: {}\n", note);
  }
  text +=
      fmt::format("{} decided, {} of them by several persons\n",
                  counted(std::ssize(ratings.items), "item is", "items are"), ratings.ratedTwice());
  for (const RatedPair& pair : pairs) {
    const CohenAgreement& agreement = pair.agreement;
    text += fmt::format("Cohen's kappa of {} and {}: {}", inQuotes(ratings.annotators[pair.first]),
                        inQuotes(ratings.annotators[pair.second]), kappaText(agreement.kappa));
    if (agreement.interval95) {
      text += fmt::format(" (95 %: {:.4f} to {:.4f})", agreement.interval95->low,
                          agreement.interval95->high);
    }
    text += fmt::format(", {}\n", counted(agreement.items, "item"));
  }
  if (fleiss.items > 0) {
    text += fmt::format("Fleiss' kappa: {}, {} with {} ratings each\n", kappaText(fleiss.kappa),
                        counted(fleiss.items, "item"), fleiss.ratings_per_item);
  }
  return text;
}

Status agree(const Arguments& arguments) {
  const auto opened = openLabels(arguments.place, StoreMode::kReadOnly);
  if (!opened) {
    return failWith(opened);
  }
  const auto classes = opened->store->classes();
  if (!classes) {
    return failWith(classes);
  }
  const auto journal = opened->store->journal();
  if (!journal) {
    return failWith(journal);
  }
  const Ratings ratings = ratingsOf(*journal, *classes);
  const std::vector<RatedPair> pairs = pairsOf(ratings);
  const FleissAgreement fleiss = fleissAgreement(ratings.ratings);
  return arguments.output.report(toJson(*opened, ratings, pairs, fleiss),
                                 toText(*opened, ratings, pairs, fleiss));
}

}  // namespace

Command reviewAgreementCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("labels", arguments->place, kLabelPlaceHelp)->required();
  arguments->output.declareJson(app);
  return {[arguments](RunContext&) { return agree(*arguments); }};
}

}  // namespace dubito::cli
