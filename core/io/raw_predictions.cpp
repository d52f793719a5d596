// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/raw_predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/io/one_column.h"
#include "core/io/prediction_checks.h"
#include "core/io/prediction_classes.h"
#include "core/io/prob_rows.h"
#include "core/io/ranked_scores.h"
#include "core/io/run_check.h"
#include "core/io/run_summary.h"
#include "core/io/score_form.h"

namespace dubito {
namespace {

/// [N, K] scores as float or double; half precision and integers become float.
RealArray asReal(const AnyArray& scores) {
  if (const auto* const wide = std::get_if<Array<double>>(&scores)) {
    return *wide;
  }
  return toFloat(scores);
}

/// [N] probabilities of class `of` of two as rows of both.
template <class T>
Array<T> twoColumns(const Array<T>& column, const std::vector<std::int64_t>& of) {
  const std::int64_t n = column.size();
  Array<T> both = Array<T>::zeros({n, 2});
  for (std::int64_t i = 0; i < n; ++i) {
    const T p = column.data()[i];
    const std::int64_t k = of[static_cast<std::size_t>(i)];
    both.mutableData()[2 * i + k] = p;
    both.mutableData()[2 * i + 1 - k] = static_cast<T>(1.0 - static_cast<double>(p));
  }
  return both;
}

/// [N] and [N, 1] logits of class 1 as the two columns 0 and z: sigmoid(z) = softmax(0, z)_1.
template <class T>
Array<T> twoLogits(const Array<T>& column) {
  const std::int64_t n = column.size();
  Array<T> both = Array<T>::zeros({n, 2});
  for (std::int64_t i = 0; i < n; ++i) {
    both.mutableData()[2 * i + 1] = column.data()[i];
  }
  return both;
}

Expected<Array<std::int64_t>> readIds(const RawPredictions& raw, std::int64_t n) {
  if (!raw.ids) {
    Array<std::int64_t> rows = Array<std::int64_t>::zeros({n});
    for (std::int64_t i = 0; i < n; ++i) {
      rows.mutableData()[i] = i;
    }
    return rows;
  }
  const auto ids = toInt64(*raw.ids, raw.file.path + ": ids");
  if (!ids) {
    return failWith(ids);
  }
  if (ids->size() != n || ids->rank() > 2) {
    return raw.file.malformed(
        fmt::format("there are {} ids for {} items; give one id per item", ids->size(), n));
  }
  if (const auto twice = findDuplicate(ids->values())) {
    return raw.file.malformed(
        fmt::format("{} has the id {}, which appears twice; make the ids "
                    "unique",
                    raw.file.nameOf(*twice), ids->data()[*twice]));
  }
  return ids->reshaped({n});
}

Array<std::int64_t> asArray(const std::vector<std::int64_t>& numbers) {
  return Array<std::int64_t>::fromVector(std::vector<std::int64_t>(numbers));
}

class RunMaker {
 public:
  RunMaker(RawPredictions raw, RunContext& context) : raw_(std::move(raw)), context_(context) {}

  Expected<Run> make() {
    if (Status ranked = applyRanks(raw_); !ranked) {
      return failWith(ranked);
    }
    if (!raw_.scores) {
      return fromConfidences();
    }
    const std::vector<std::int64_t> shape = shapeOf(*raw_.scores);
    const bool single = shape.size() == 1 || (shape.size() == 2 && shape[1] == 1);
    if ((!single && shape.size() != 2) || sizeOf(*raw_.scores) == 0) {
      return raw_.file.malformed(
          fmt::format("{} has the shape {}; probabilities have one row per item and one column per "
                      "class",
                      raw_.scores_name, shapeText(shape)));
    }
    return single ? fromOneColumn(shape[0]) : fromTable(asReal(*raw_.scores));
  }

 private:
  /// Number of items by anything but the scores; -1 if unknown.
  [[nodiscard]] std::int64_t itemsOfOtherArrays() const {
    for (const auto* given : {&raw_.labels, &raw_.predicted}) {
      if (*given && !shapeOf((*given)->values).empty()) {
        return shapeOf((*given)->values)[0];
      }
    }
    return raw_.confidence && !shapeOf(raw_.confidence->values).empty()
               ? shapeOf(raw_.confidence->values)[0]
               : -1;
  }

  Expected<Run> fromTable(RealArray table) {
    FoundForm form = recogniseScores(table, raw_.scores_name, raw_.scores_are_logits,
                                     itemsOfOtherArrays(), context_);
    if (!form.refusal.empty()) {
      return raw_.file.malformed("the numbers in " + raw_.scores_name + " " + form.refusal);
    }
    if (form.transposed) {
      table = transposed(table);
    }
    if (!form.note.empty()) {
      raw_.notes.push_back(form.note);
    }
    const auto [n, k] = std::visit(
        [](const auto& rows) { return std::pair(rows.extent(0), rows.extent(1)); }, table);
    auto classes = PredictionClasses::parse(raw_, n);
    if (!classes) {
      return failWith(classes);
    }
    return fromRows(table, form, *std::move(classes), k);
  }

  Expected<Run> fromOneColumn(std::int64_t n) {
    if (!isReal(*raw_.scores)) {
      return raw_.file.malformed(
          fmt::format("{} has one whole number per item, not probabilities; give the probabilities "
                      "of every class",
                      raw_.scores_name));
    }
    auto classes = PredictionClasses::parse(raw_, n);
    if (!classes) {
      return failWith(classes);
    }
    const RealArray column = asReal(*raw_.scores);
    if (raw_.scores_are_logits) {
      raw_.notes.push_back(
          fmt::format("{} has one column, taken as the logit of class 1 of two", raw_.scores_name));
      const RealArray both =
          std::visit([](const auto& c) { return RealArray(twoLogits(c)); }, column);
      return fromRows(both, {.form = ScoreForm::kLogits}, *std::move(classes), 2);
    }
    const Array<double> probs = toDouble(*raw_.scores).reshaped({n});
    const FoundForm form{.form = ScoreForm::kProbabilities,
                         .tolerance = {.tolerance = kRowSumTolerance}};
    if (const Status checked = checkColumn(probs, form); !checked) {
      return failWith(checked);
    }
    // Numbers the classes for the choice only; fromRows does so again with the notes.
    RawPredictions scratch = raw_;
    PredictionClasses numbered = *classes;
    const std::int64_t seen = numbered.seen();
    if (seen <= 2) {
      if (Status read = numbered.number(2, scratch); !read) {
        return failWith(read);
      }
    } else if (Status read = numbered.number(0, scratch); !read) {
      return failWith(read);
    }
    const auto meaning = meaningOfColumn(probs.values(), numbered.predicted, numbered.labels, seen,
                                         raw_.scores_name, raw_.file);
    if (!meaning) {
      return failWith(meaning);
    }
    raw_.notes.push_back(meaning->note);
    if (meaning->of == OneColumn::kPredicted && seen > 2) {
      raw_.confidence = NamedNumbers{raw_.scores_name, probs};
      return fromConfidences();
    }
    std::vector<std::int64_t> of(static_cast<std::size_t>(n),
                                 meaning->of == OneColumn::kClassZero ? 0 : 1);
    if (meaning->of == OneColumn::kPredicted) {
      of = numbered.predicted;
      std::ranges::replace(of, std::int64_t{-1}, std::int64_t{0});
    }
    const RealArray both =
        std::visit([&of](const auto& c) { return RealArray(twoColumns(c, of)); }, column);
    return fromRows(both, form, *std::move(classes), 2);
  }

  [[nodiscard]] Status checkColumn(const Array<double>& probs, const FoundForm& form) {
    const auto values = probs.values();
    const auto bad =
        std::ranges::find_if_not(values, [](double p) { return p >= 0.0 && p <= 1.0; });
    if (bad == values.end()) {
      return {};
    }
    const auto [low, high] = std::ranges::minmax(values);
    if (low >= 0.0 && high > 1.0 + form.tolerance.tolerance && high <= 100.0) {
      return raw_.file.malformed(fmt::format(
          "{} of {} contains {}; the numbers are {} to {}: divide them by 100 if they are per cent",
          raw_.file.nameOf(bad - values.begin()), raw_.scores_name, *bad, low, high));
    }
    return raw_.file.malformed(
        fmt::format("{} of {} contains {}, which is not a probability; if these are logits, name "
                    "them 'logits' (columns 'logit_...') so that softmax is applied",
                    raw_.file.nameOf(bad - values.begin()), raw_.scores_name, *bad));
  }

  Expected<Run> fromRows(const RealArray& table, const FoundForm& form, PredictionClasses classes,
                         std::int64_t k) {
    Run run;
    const bool logits =
        form.form == ScoreForm::kLogits || form.form == ScoreForm::kLogProbabilities;
    const Status probs = std::visit(
        [&](const auto& scores) -> Status {
          auto checked = logits ? probsFromLogits(scores, form, raw_, context_)
                                : validProbs(scores, form, raw_, context_);
          if (!checked) {
            return failWith(checked);
          }
          run.probs = std::move(*checked);
          return {};
        },
        table);
    if (!probs) {
      return failWith(probs);
    }
    if (logits) {
      run.logits = table;
    }
    const std::int64_t n = std::visit([](const auto& a) { return a.extent(0); }, *run.probs);
    if (Status numbered = classes.number(k, raw_); !numbered) {
      return failWith(numbered);
    }
    auto ids = readIds(raw_, n);
    if (!ids) {
      return failWith(ids);
    }
    if (context_.step("measures", 0, n) == Step::kCancel) {
      return cancelled();
    }
    run.labels = asArray(classes.labels);
    run.ids = *std::move(ids);
    if (run.logits) {
      fillFromLogits(run, context_);
    } else {
      fillFromProbs(run, context_);
    }
    if (context_.cancelRequested()) {
      return cancelled();
    }
    Status sound = classes.checkNames(run.predictions.values(), raw_.scores_name, raw_.file);
    if (sound) {
      sound = compareWithFile(run, classes.predicted, raw_);
    }
    if (sound) {
      sound = rejectUnnamedRanks(run, raw_);
    }
    if (!sound) {
      return failWith(sound);
    }
    run.meta.class_names = std::move(classes.names);
    run.meta.notes.assign(raw_.notes.begin(), raw_.notes.end());
    return run;
  }

  Expected<Run> fromConfidences() {
    const std::int64_t n =
        shapeOf(raw_.predicted->values).empty() ? 0 : shapeOf(raw_.predicted->values)[0];
    auto classes = PredictionClasses::parse(raw_, n);
    if (!classes) {
      return failWith(classes);
    }
    if (Status numbered = classes->number(0, raw_); !numbered) {
      return failWith(numbered);
    }
    if (Status sound = classes->checkNames({}, "", raw_.file); !sound) {
      return failWith(sound);
    }
    const auto none = std::ranges::find(classes->predicted, std::int64_t{-1});
    if (none != classes->predicted.end()) {
      return raw_.file.malformed(
          fmt::format("{} has no class in {}; give the predicted class of every item",
                      raw_.file.nameOf(none - classes->predicted.begin()), raw_.predicted->name));
    }
    auto confidence = readConfidences(raw_);
    if (!confidence) {
      return failWith(confidence);
    }
    if (confidence->size() != n || n == 0) {
      return raw_.file.malformed(fmt::format("{} has {} values for {} items; give one per item",
                                             raw_.confidence->name, confidence->size(), n));
    }
    auto ids = readIds(raw_, n);
    if (!ids) {
      return failWith(ids);
    }
    Run run;
    run.labels = asArray(classes->labels);
    run.predictions = asArray(classes->predicted);
    run.confidence = *std::move(confidence);
    run.ids = *std::move(ids);
    run.meta.class_names = std::move(classes->names);
    run.meta.notes.assign(raw_.notes.begin(), raw_.notes.end());
    run.meta.notes.emplace_back(
        "the file has confidences but no probabilities: metrics that need them are not computed");
    return run;
  }

  RawPredictions raw_;
  RunContext& context_;
};

}  // namespace

Expected<Run> makeRun(RawPredictions raw, RunContext& context) {
  return RunMaker(std::move(raw), context).make();
}

}  // namespace dubito
