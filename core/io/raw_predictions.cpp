// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/raw_predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/io/labels.h"
#include "core/io/prob_rows.h"
#include "core/io/run_check.h"
#include "core/io/run_summary.h"

namespace dubito {
namespace {

/// [N, K] scores as float or double; half precision and integers become float.
RealArray asReal(const AnyArray& scores) {
  if (const auto* const wide = std::get_if<Array<double>>(&scores)) {
    return *wide;
  }
  return toFloat(scores);
}

/// [N] and [N, 1] as the two columns 1 - p and p.
template <class T>
Array<T> twoColumns(const Array<T>& column) {
  const std::int64_t n = column.size();
  Array<T> both = Array<T>::zeros({n, 2});
  for (std::int64_t i = 0; i < n; ++i) {
    const T p = column.data()[i];
    both.mutableData()[2 * i] = static_cast<T>(1.0 - static_cast<double>(p));
    both.mutableData()[2 * i + 1] = p;
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

/// The scores as [N, K], K >= 2.
Expected<RealArray> asTable(RawPredictions& raw) {
  const std::vector<std::int64_t> shape = shapeOf(raw.scores);
  const bool single = shape.size() == 1 || (shape.size() == 2 && shape[1] == 1);
  if (single && !isReal(raw.scores)) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {} has one whole number per item, not probabilities; give the "
                            "probabilities of every class",
                            raw.path, raw.scores_name));
  }
  if ((!single && shape.size() != 2) || sizeOf(raw.scores) == 0) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {} has the shape {}; probabilities have one row per item and one "
                            "column per class",
                            raw.path, raw.scores_name, shapeText(shape)));
  }
  if (!single) {
    return asReal(raw.scores);
  }
  raw.notes.push_back(fmt::format("{} has one column, taken as the {} of class 1 of two",
                                  raw.scores_name,
                                  raw.scores_are_logits ? "logit" : "probability"));
  return std::visit(
      [&](const auto& column) {
        return RealArray(raw.scores_are_logits ? twoLogits(column) : twoColumns(column));
      },
      asReal(raw.scores));
}

Expected<Array<std::int64_t>> readIds(const RawPredictions& raw, std::int64_t n) {
  if (!raw.ids) {
    Array<std::int64_t> rows = Array<std::int64_t>::zeros({n});
    for (std::int64_t i = 0; i < n; ++i) {
      rows.mutableData()[i] = i;
    }
    return rows;
  }
  const auto ids = toInt64(*raw.ids, raw.path + ": ids");
  if (!ids) {
    return failWith(ids);
  }
  if (ids->size() != n || ids->rank() > 2) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: there are {} ids for {} items; give one id per item", raw.path,
                            ids->size(), n));
  }
  if (const auto twice = findDuplicate(ids->values())) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {} has the id {}, which appears twice; make the ids unique",
                            raw.path, rowName(*twice, raw.lines), ids->data()[*twice]));
  }
  return ids->reshaped({n});
}

}  // namespace

std::string rowName(std::int64_t row, const std::vector<std::int64_t>& lines) {
  return lines.empty() ? fmt::format("row {} (counted from 0)", row)
                       : fmt::format("row {} (counted from 0; line {})", row,
                                     lines[static_cast<std::size_t>(row)]);
}

Expected<Run> makeRun(RawPredictions raw, RunContext& context) {
  Expected<RealArray> table = asTable(raw);
  if (!table) {
    return failWith(table);
  }
  Run run;
  const Status probs = std::visit(
      [&](const auto& scores) -> Status {
        auto checked = raw.scores_are_logits ? probsFromLogits(scores, raw, context)
                                             : validProbs(scores, raw, context);
        if (!checked) {
          return failWith(checked);
        }
        run.probs = std::move(*checked);
        return {};
      },
      *table);
  if (!probs) {
    return failWith(probs);
  }
  if (raw.scores_are_logits) {
    run.logits = *table;
  }
  const std::int64_t n = std::visit([](const auto& a) { return a.extent(0); }, *run.probs);
  const std::int64_t k = run.classCount();
  const auto names = static_cast<std::int64_t>(raw.class_names.size());
  if (names != 0 && names != k) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: there are {} class names for {} classes; give one name per class",
                            raw.path, names, k));
  }
  auto labels = readLabels(raw, n, k);
  if (!labels) {
    return failWith(labels);
  }
  auto ids = readIds(raw, n);
  if (!ids) {
    return failWith(ids);
  }
  if (context.step("measures", 0, n) == Step::kCancel) {
    return cancelled();
  }
  run.labels = std::move(*labels);
  run.ids = std::move(*ids);
  if (run.logits) {
    fillFromLogits(run, context);
  } else {
    fillFromProbs(run, context);
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  run.meta.class_names = std::move(raw.class_names);
  run.meta.notes = std::move(raw.notes);
  return run;
}

}  // namespace dubito
