// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/tuned_run.h"
#include "core/base/splitmix64.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "core/base/splitmix64.h"
#include "core/decisions/tempered_run.h"
#include "core/laplace/gauge_plan.h"
#include "core/laplace/link.h"
#include "core/laplace/variance_use.h"
#include "core/methods/laplace/prior_explorer.h"
#include "core/runs/run_rows.h"
#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::LaplaceMethod;
using test::largestDifference;

class TunedRun : public LaplaceMethod {
 protected:
  /// MC dropout with so many draws; a network with one site.
  Expected<dubito::Run> dropout(std::int64_t draws) {
    const ModelPtr model = flat();
    McDropoutOptions method;
    method.draws = draws;
    context_.seed = 3;
    return predict(*model, *test_, method, {}, context_);
  }
};

/// The notes of a run but the one on its labels, which a derived run does not take over.
std::vector<Note> otherNotes(const dubito::Run& run) {
  std::vector<Note> notes = run.meta.notes;
  removeNotes(notes, NoteKind::kLabelFit);
  return notes;
}

TEST_F(TunedRun, FirstDrawsAreAFreshRunWithFewer) {
  const auto run = dropout(12);
  const auto fresh = dropout(5);
  ASSERT_TRUE(run && fresh) << run.error().message;
  const auto fewer = firstDraws(*run, 5, context_);
  ASSERT_OK(fewer);
  EXPECT_EQ(fewer->drawCount(), 5);
  EXPECT_LE(largestDifference(probsOf(*fewer).values(), probsOf(*fresh).values()), 1e-6);
  for (std::int64_t i = 0; i < run->itemCount(); ++i) {
    EXPECT_NEAR(fewer->entropy->data()[i], fresh->entropy->data()[i], 1e-6);
    EXPECT_NEAR(fewer->mutual_information->data()[i], fresh->mutual_information->data()[i], 1e-6);
    EXPECT_EQ(fewer->predictions.data()[i], fresh->predictions.data()[i]);
  }
}

TEST_F(TunedRun, AllDrawsAreTheRunItself) {
  const auto run = dropout(6);
  ASSERT_TRUE(run);
  EXPECT_TRUE(changesNothing({.draws = 6}, *run));
  EXPECT_FALSE(changesNothing({.draws = 5}, *run));
  EXPECT_FALSE(changesNothing({.temperature = 1.1}, *run));
  const auto same = tunedRun(*run, {.draws = 6}, context_);
  ASSERT_TRUE(same);
  EXPECT_EQ(probsOf(*same).data(), probsOf(*run).data());
  EXPECT_EQ(same->meta.method, "mc-dropout");
  EXPECT_FALSE(firstDraws(*run, 7, context_));
  EXPECT_FALSE(firstDraws(*run, 0, context_));
}

TEST_F(TunedRun, AnotherLinkIsAFreshPredictionWithIt) {
  const ModelPtr model = flat();
  const auto diagonal = predicted(model, with("diag", "bridge-centred"));
  const auto kron = predicted(model, with("kron", "bridge-centred"));
  ASSERT_TRUE(diagonal && kron) << diagonal.error().message;
  EXPECT_EQ(linkOf(*diagonal), "bridge-centred");
  for (const std::string& link : linkNames()) {
    const auto fresh = predicted(model, with("diag", link));
    const auto changed = relinked(*diagonal, link, context_);
    ASSERT_TRUE(fresh && changed) << changed.error().message;
    EXPECT_LE(largestDifference(probsOf(*changed).values(), probsOf(*fresh).values()), 1e-6)
        << link;
    EXPECT_EQ(changed->mutual_information.has_value(), fresh->mutual_information.has_value());
    EXPECT_EQ(changed->alpha.has_value(), fresh->alpha.has_value());
    EXPECT_EQ(otherNotes(*changed), otherNotes(*fresh));
  }
  // Probit reads the variances alone: exact for every posterior.
  const auto fresh = predicted(model, with("kron", "probit"));
  const auto changed = relinked(*kron, "probit", context_);
  ASSERT_TRUE(fresh && changed);
  EXPECT_LE(largestDifference(probsOf(*changed).values(), probsOf(*fresh).values()), 1e-6);
  // The others are not, which is said.
  const auto rough = relinked(*kron, "mc", context_);
  ASSERT_TRUE(rough);
  ASSERT_EQ(rough->meta.notes.size(), otherNotes(*kron).size() + 1);
  EXPECT_THAT(toText(rough->meta.notes.back()), HasSubstr("variances"));
  EXPECT_FALSE(relinked(*kron, "softplus", context_));
}

TEST_F(TunedRun, NotesGoWithWhatTheyAreAbout) {
  auto run = predicted(flat(), with("diag", "bridge-centred"));
  ASSERT_OK(run);
  const std::vector<Note> before = otherNotes(*run);
  const auto of_gauge = GaugePlan{.draws = 1000, .share = 0.5}.note(30);
  const auto of_link = VarianceUse{.tried = true}.note("bridge-centred", 4);
  ASSERT_TRUE(of_gauge && of_link);
  run->meta.notes.push_back(*of_gauge);
  run->meta.notes.push_back(*of_link);
  const auto changed = relinked(*run, "probit", context_);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->meta.notes, before);
  std::vector<Note> with_link = before;
  with_link.push_back(*of_link);
  const auto tempered = temperedRun(*run, 2.0, context_);
  ASSERT_TRUE(tempered);
  EXPECT_FALSE(tempered->gauge_bridge);
  EXPECT_EQ(tempered->meta.notes, with_link);
  // Of a link that was applied to the variances alone.
  const auto kron = predicted(flat(), with("kron", "probit"));
  ASSERT_TRUE(kron);
  const auto rough = relinked(*kron, "mc", context_);
  ASSERT_TRUE(rough);
  EXPECT_EQ(rough->meta.notes.size(), otherNotes(*kron).size() + 1);
  const auto again = relinked(*rough, "bridge", context_);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->meta.notes.size(), otherNotes(*kron).size() + 1);
}

TEST_F(TunedRun, AFittedTemperatureHasTheNotesOfItsLogits) {
  auto run = predict(*flat(), *test_, MapOptions{}, {}, context_);
  ASSERT_TRUE(run);
  run->logits.reset();
  const auto fit = fitTunedTemperature(*run, "calibration", {}, context_);
  ASSERT_OK(fit);
  ASSERT_EQ(fit->notes.size(), 1U);
  EXPECT_THAT(fit->notes[0], HasSubstr("calibration holds no logits"));
}

TEST_F(TunedRun, TheOrderIsRecorded) {
  const auto run = dropout(6);
  ASSERT_TRUE(run);
  const auto tuned = tunedRun(*run, {.draws = 4, .temperature = 1.5}, context_);
  ASSERT_OK(tuned);
  const auto by_hand = firstDraws(*run, 4, context_);
  ASSERT_TRUE(by_hand);
  const auto tempered = temperedRun(*by_hand, 1.5, context_);
  ASSERT_TRUE(tempered);
  EXPECT_EQ(largestDifference(probsOf(*tuned).values(), probsOf(*tempered).values()), 0.0);
  EXPECT_EQ(tuned->meta.method, "tuned");
  const json options = json::parse(tuned->meta.method_options);
  EXPECT_EQ(options["of"]["method"], "mc-dropout");
  EXPECT_EQ(options["of"]["options"]["draws"], 6);
  EXPECT_EQ(options["draws"], 4);
  EXPECT_EQ(options["temperature"], 1.5);
  EXPECT_EQ(options["temperature_from"], "by hand");
  EXPECT_EQ(options["order"], json({"first draws", "temperature after first draws"}));
  // What belongs to other probabilities is gone.
  EXPECT_FALSE(tuned->samples);
  EXPECT_FALSE(tuned->mutual_information);
}

TEST_F(TunedRun, AnotherPriorIsAFreshPredictionWithIt) {
  const ModelPtr model = flat();
  for (const char* const structure : {"kron", "full", "diag"}) {
    const auto method = fitted(model, with(structure, "bridge-centred", 0.5));
    ASSERT_OK(method);
    context_.seed = 9;
    const auto run = predict(*model, *test_, *method, {}, context_);
    ASSERT_TRUE(run);
    EXPECT_EQ(tauOf(*run), 0.5);
    // Some of the items, which were predicted together with others.
    const std::vector<std::int64_t> rows{1, 4, 5, 11, 20};
    const dubito::Run items = rowsOfRun(*run, rows, context_);
    const auto tuner = PriorExplorer::of(model, *test_, rows, *method, {}, context_);
    ASSERT_OK(tuner);
    for (const double tau : {0.5, 0.01, 30.0}) {
      for (const std::string& link : linkNames()) {
        LaplaceOptions other = withPrior(*method, tau);
        other.link = link;
        context_.seed = 9;
        const auto fresh = predict(*model, *test_, other, {}, context_);
        const auto tuned = (*tuner)->runAt(items, tau, link, context_);
        ASSERT_TRUE(fresh && tuned) << tuned.error().message;
        const dubito::Run expected = rowsOfRun(*fresh, rows, context_);
        EXPECT_LE(largestDifference(probsOf(*tuned).values(), probsOf(expected).values()), 1e-6)
            << structure << " " << tau << " " << link;
        EXPECT_EQ(tauOf(*fresh), tau);
        EXPECT_EQ(linkOf(*fresh), link);
      }
    }
    EXPECT_FALSE((*tuner)->runAt(*run, 1.0, "probit", context_));
    EXPECT_FALSE((*tuner)->runAt(items, 1.0, "softplus", context_));
    EXPECT_FALSE(tunedRun(*run, {.tau = 2.0}, context_));
    EXPECT_TRUE(changesNothing({.tau = 0.5}, *run));
  }
}

TEST_F(TunedRun, AnotherPriorTakesThePlaceOfEveryRule) {
  const ModelPtr model = flat();
  data_.calibration = calibration_;
  data_.allow_same_split = true;  // these images repeat each other
  for (const char* const rule : {"auto-evidence", "auto-nll", "mmc-drop=0.05", "3"}) {
    LaplaceOptions chosen = with("kron", "probit");
    chosen.tau.reset();
    chosen.prior = rule;
    const auto method = fitted(model, chosen);
    ASSERT_OK(method);
    const auto run = predict(*model, *test_, withPrior(*method, 2.0), {}, context_);
    ASSERT_TRUE(run) << rule << ": " << run.error().message;
    EXPECT_EQ(tauOf(*run), 2.0);
  }
}

TEST_F(TunedRun, TheLandscapeOfThePriorIsThatOfTheFit) {
  const ModelPtr model = flat();
  const auto method = fitted(model, with("kron", "probit", 0.5));
  ASSERT_TRUE(method);
  const auto run = predict(*model, *calibration_, *method, {}, context_);
  ASSERT_TRUE(run);
  std::vector<std::int64_t> rows(static_cast<std::size_t>(calibration_->size()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const auto tuner = PriorExplorer::of(model, *calibration_, rows, *method, {}, context_);
  ASSERT_TRUE(tuner);
  data_.calibration = calibration_;
  const auto expected = laplaceLandscape(*model, *method, data_, {}, context_);
  const auto landscape = (*tuner)->landscape(*run, "probit", context_);
  ASSERT_TRUE(expected && landscape) << landscape.error().message;
  ASSERT_EQ(landscape->nll.size(), expected->nll.size());
  for (std::size_t i = 0; i < expected->nll.size(); ++i) {
    EXPECT_NEAR(landscape->nll[i], expected->nll[i], 1e-9);
    EXPECT_NEAR(landscape->evidence[i], expected->evidence[i],
                1e-9 * std::abs(expected->evidence[i]));
  }
}

TEST_F(TunedRun, KeyedRowsDoNotDependOnTheOrder) {
  std::vector<std::int64_t> ids(500);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<std::int64_t>(1000 + 17 * i);
  }
  const auto idsAt = [&](const std::vector<std::int64_t>& rows) {
    std::set<std::int64_t> chosen;
    for (const std::int64_t row : rows) {
      chosen.insert(ids[static_cast<std::size_t>(row)]);
    }
    return chosen;
  };
  const auto rows = keyedRows(ids, 100);
  EXPECT_EQ(rows.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  const std::set<std::int64_t> chosen = idsAt(rows);
  EXPECT_TRUE(std::ranges::includes(chosen, idsAt(keyedRows(ids, 40))));
  std::ranges::reverse(ids);
  EXPECT_EQ(idsAt(keyedRows(ids, 100)), chosen);
  EXPECT_EQ(keyedRows(ids, 1000).size(), ids.size());
}

TEST_F(TunedRun, KeyedRowsAreThoseOfTheSmallestHashes) {
  for (const std::size_t count : {1, 2, 7, 500, 20'000}) {
    std::vector<std::int64_t> ids(count);
    for (std::size_t i = 0; i < count; ++i) {
      // Every tenth id is there several times.
      ids[i] = i % 10 == 0 ? 3 : static_cast<std::int64_t>(i * i);
    }
    std::vector<std::pair<std::uint64_t, std::int64_t>> keys;
    for (std::size_t i = 0; i < count; ++i) {
      keys.emplace_back(splitmix64(static_cast<std::uint64_t>(ids[i])), i);
    }
    std::ranges::sort(keys);
    for (const std::size_t wanted :
         {std::size_t{0}, std::size_t{1}, count / 9, count / 2, count - 1}) {
      std::vector<std::int64_t> expected;
      for (std::size_t i = 0; i < wanted; ++i) {
        expected.push_back(keys[i].second);
      }
      std::ranges::sort(expected);
      EXPECT_EQ(keyedRows(ids, static_cast<std::int64_t>(wanted)), expected)
          << wanted << " of " << count;
    }
  }
  // Equal hashes, none of which is below the usual one.
  EXPECT_EQ(keyedRows(std::vector<std::int64_t>(1000, 5), 2), (std::vector<std::int64_t>{0, 1}));
}

TEST_F(TunedRun, RowsOfARunKeepWhatItHolds) {
  auto run = dropout(4);
  ASSERT_TRUE(run);
  std::vector<float> numbers(static_cast<std::size_t>(2 * run->itemCount()));
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  run->others = {{"features", RunAxes{RunAxis::kItem, RunAxis::kOther},
                  Array<float>::fromVector({run->itemCount(), 2}, numbers)},
                 {"of_networks", RunAxes{RunAxis::kOther, RunAxis::kItem},
                  Array<float>::fromVector({2, run->itemCount()}, numbers)},
                 {"table", RunAxes{RunAxis::kOther}, Array<float>::fromVector({2}, {7, 8})}};
  const std::vector<std::int64_t> rows{2, 3, 17};
  const dubito::Run part = rowsOfRun(*run, rows, context_);
  ASSERT_EQ(part.itemCount(), 3);
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t row = rows[static_cast<std::size_t>(i)];
    EXPECT_EQ(part.ids.data()[i], run->ids.data()[row]);
    EXPECT_EQ(part.entropy->data()[i], run->entropy->data()[row]);
    EXPECT_EQ(part.prob(i, 1), run->prob(row, 1));
    for (std::int64_t t = 0; t < 4; ++t) {
      EXPECT_EQ(part.samples->row(t)[static_cast<std::size_t>(4 * i + 2)],
                run->samples->row(t)[static_cast<std::size_t>(4 * row + 2)]);
    }
    ASSERT_EQ(part.others.size(), 3U);
    EXPECT_EQ(std::get<Array<float>>(part.others[0].values).row(i)[1],
              static_cast<float>(2 * row + 1));
    EXPECT_EQ(std::get<Array<float>>(part.others[1].values).row(1)[static_cast<std::size_t>(i)],
              static_cast<float>(run->itemCount() + row));
  }
  EXPECT_EQ(std::get<Array<float>>(part.others[2].values).data()[1], 8.0F);
}

}  // namespace
}  // namespace dubito
