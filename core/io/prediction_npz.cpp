// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "core/base/in_quotes.h"
#include "core/io/npz_file.h"
#include "core/io/raw_predictions.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

using Values = std::variant<AnyArray, TextArray>;

constexpr std::size_t kMaxShownArrays = 12;

bool isColumn(const std::vector<std::int64_t>& shape) {
  return shape.size() == 1 || (shape.size() == 2 && shape[1] == 1);
}

bool isWhole(const AnyArray& array) {
  if (!isReal(array)) {
    return true;
  }
  const Array<double> values = toDouble(array);
  return std::ranges::all_of(values.values(), [](double v) { return v == std::floor(v); });
}

/// Whole numbers in one column are predicted classes, not probabilities.
bool isScores(const Values& values) {
  const auto* const array = std::get_if<AnyArray>(&values);
  if (array == nullptr) {
    return false;
  }
  const auto& shape = shapeOf(*array);
  return isColumn(shape) ? isReal(*array) && !isWhole(*array)
                         : isReal(*array) || (shape.size() == 2 && shape[1] > 1);
}

bool isClasses(const Values& values) {
  const auto* const array = std::get_if<AnyArray>(&values);
  return isColumn(shapeOf(values)) && (array == nullptr || isWhole(*array));
}

bool isReals(const Values& values) {
  const auto* const array = std::get_if<AnyArray>(&values);
  return array != nullptr && isReal(*array) && isColumn(shapeOf(values));
}

class NpzPredictions {
 public:
  explicit NpzPredictions(const NpzFile& npz) : npz_(npz) {}

  Expected<RawPredictions> read() {
    raw_.file.path = npz_.path();
    for (const auto& step : {&NpzPredictions::readScores, &NpzPredictions::readClasses,
                             &NpzPredictions::readChecks, &NpzPredictions::readNames}) {
      if (Status read = (this->*step)(); !read) {
        return failWith(read);
      }
    }
    std::vector<std::string> unused;
    std::ranges::copy_if(npz_.names(), std::back_inserter(unused), [&](const std::string& name) {
      return std::ranges::find(used_, name) == used_.end();
    });
    if (!unused.empty()) {
      raw_.notes.push_back(fmt::format("unused arrays: {}", fmt::join(unused, ", ")));
    }
    return std::move(raw_);
  }

 private:
  struct Found {
    std::string name;
    Values values;
  };

  /// The first unused array under one of the names that `fits`; it is used from now on.
  template <class Fits>
  Expected<std::optional<Found>> take(std::span<const std::string_view> usual, Fits fits) {
    for (const std::size_t i : findNames(npz_.names(), usual)) {
      const std::string& name = npz_.names()[i];
      if (std::ranges::find(used_, name) != used_.end()) {
        continue;
      }
      auto values = npz_.readOrTexts(name);
      if (!values) {
        return failWith(values);
      }
      if (fits(*values)) {
        used_.push_back(name);
        return std::optional(Found{name, *std::move(values)});
      }
    }
    return std::optional<Found>();
  }

  Status readScores() {
    auto probs = take(kProbNames, [](const Values& values) {
      return isScores(values) && !isColumn(shapeOf(values));
    });
    if (probs && !*probs) {
      auto logits = take(kLogitNames, isScores);
      if (!logits) {
        return failWith(logits);
      }
      raw_.scores_are_logits = logits->has_value();
      probs = std::move(logits);
    }
    if (probs && !*probs) {
      probs = take(kProbNames, isScores);
    }
    if (!probs) {
      return failWith(probs);
    }
    if (*probs) {
      raw_.scores_name = inQuotes((*probs)->name);
      raw_.scores = std::get<AnyArray>(std::move((*probs)->values));
    }
    return {};
  }

  [[nodiscard]] std::int64_t scoreColumns() const {
    return raw_.scores && shapeOf(*raw_.scores).size() == 2 ? shapeOf(*raw_.scores)[1] : 1;
  }

  Status readClasses() {
    const std::vector<std::int64_t> shape =
        raw_.scores ? shapeOf(*raw_.scores) : std::vector<std::int64_t>();
    // Names of the classes may be called "labels"; labels have one value per item.
    auto labels = take(kLabelNames, [&](const Values& values) {
      const auto& own = shapeOf(values);
      const bool names = std::holds_alternative<TextArray>(values) && own.size() == 1 &&
                         shape.size() == 2 && own[0] != shape[0] && own[0] == shape[1];
      return !names;
    });
    if (!labels) {
      return failWith(labels);
    }
    if (*labels) {
      raw_.labels = GivenClasses{inQuotes((*labels)->name), std::move((*labels)->values)};
    }
    auto predicted = take(kPredictedNames, isClasses);
    if (!predicted) {
      return failWith(predicted);
    }
    if (*predicted) {
      raw_.predicted = GivenClasses{inQuotes((*predicted)->name), std::move((*predicted)->values)};
    }
    auto ranks = take(kRankNames, [&](const Values& values) {
      const auto* const array = std::get_if<AnyArray>(&values);
      return shape.size() == 2 && shapeOf(values) == shape && (array == nullptr || isWhole(*array));
    });
    if (!ranks) {
      return failWith(ranks);
    }
    if (*ranks) {
      raw_.ranks = GivenClasses{inQuotes((*ranks)->name), std::move((*ranks)->values)};
    }
    auto ids = take(kIdNames,
                    [](const Values& values) { return std::holds_alternative<AnyArray>(values); });
    if (!ids) {
      return failWith(ids);
    }
    if (*ids) {
      raw_.ids = std::get<AnyArray>(std::move((*ids)->values));
    }
    return {};
  }

  /// Arrays that only confirm or contradict the scores, or replace them.
  Status readChecks() {
    auto confidence = take(kConfidenceNames, isReals);
    if (!confidence) {
      return failWith(confidence);
    }
    if (*confidence) {
      raw_.confidence = NamedNumbers{inQuotes((*confidence)->name),
                                     std::get<AnyArray>(std::move((*confidence)->values))};
    }
    if (!raw_.scores || raw_.scores_are_logits || scoreColumns() < 2) {
      return {};
    }
    auto logits = take(kLogitNames, isScores);
    if (!logits) {
      return failWith(logits);
    }
    if (*logits) {
      raw_.other_logits =
          NamedNumbers{inQuotes((*logits)->name), std::get<AnyArray>(std::move((*logits)->values))};
    }
    return {};
  }

  Status readNames() {
    const auto isNames = [&](const Values& values) {
      const auto& shape = shapeOf(values);
      return std::holds_alternative<TextArray>(values) && shape.size() == 1 &&
             (!raw_.scores || shape[0] == scoreColumns());
    };
    auto names = take(kClassNameNames, isNames);
    if (names && !*names && raw_.scores && scoreColumns() > 1) {
      names = take(kLabelNames, isNames);
    }
    if (!names) {
      return failWith(names);
    }
    if (*names) {
      raw_.class_names = std::get<TextArray>(std::move((*names)->values)).values;
    }
    return {};
  }

  const NpzFile& npz_;
  std::vector<std::string> used_;
  RawPredictions raw_;
};

}  // namespace

Expected<Run> readPredictionNpz(const std::string& path, RunContext& context) {
  const Expected<NpzFile> npz = NpzFile::open(path);
  if (!npz) {
    return failWith(npz);
  }
  auto raw = NpzPredictions(*npz).read();
  if (!raw) {
    return failWith(raw);
  }
  if (!raw->scores && (!raw->predicted || !raw->confidence)) {
    std::vector<std::string> shown;
    for (const std::string& name : npz->names()) {
      shown.push_back(inQuotes(name));
      if (shown.size() == kMaxShownArrays) {
        break;
      }
    }
    return raw->file.malformed(
        fmt::format("has no probabilities under a usual name (it has {}); save them as 'probs' or "
                    "'logits', and the classes as 'labels'",
                    fmt::join(shown, ", ")));
  }
  return makeRun(*std::move(raw), context);
}

}  // namespace dubito
