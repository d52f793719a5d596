// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/score_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <span>

#include "core/io/any_array.h"
#include "core/io/run_check.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsPerSurvey = 4096;
constexpr double kPercentTotal = 100.0;
constexpr double kBytes = 255.0;
/// For the rounding of sums.
constexpr double kSlack = 1.0 + 1e-9;
/// To tell what most rows are meant to be.
constexpr double kLooseTolerance = 0.02;
/// Fewer rows may sum to 1 or 100 by chance, or in an example, although they are logits.
constexpr std::int64_t kMinRowsAgainstName = 3;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    // A NaN makes the range invalid for every check.
    low = std::isnan(value) || value < low ? value : low;
    high = std::isnan(value) || value > high ? value : high;
  }
  void add(const Range& other) {
    add(other.low);
    add(other.high);
  }
  [[nodiscard]] bool within(double from, double to) const { return low >= from && high <= to; }
  [[nodiscard]] bool near(double value, double tolerance) const {
    return within(value - tolerance, value + tolerance);
  }
};

struct Survey {
  Range values;
  Range sums;
  bool whole = true;
  std::int64_t sum_to_one = 0;  ///< number of rows
  std::int64_t sum_to_percent = 0;
  std::int64_t exactly_one = 0;  ///< rows that sum to 1 or 100 within the usual tolerance
};

template <class T, class Part, class Add>
Part overRows(const Array<T>& table, const RunContext& context, Add add) {
  Part all;
  std::mutex mutex;
  context.parallelFor(table.extent(0), kRowsPerSurvey, [&](std::int64_t begin, std::int64_t end) {
    Part part;
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      add(table.row(i), part);
    }
    const std::lock_guard lock(mutex);
    all.add(part);
  });
  return all;
}

struct SurveyPart : Survey {
  void add(const SurveyPart& other) {
    values.add(other.values);
    sums.add(other.sums);
    whole = whole && other.whole;
    sum_to_one += other.sum_to_one;
    sum_to_percent += other.sum_to_percent;
    exactly_one += other.exactly_one;
  }
};

template <class T>
Survey survey(const Array<T>& table, const RunContext& context) {
  return overRows<T, SurveyPart>(table, context, [](std::span<const T> row, SurveyPart& part) {
    double sum = 0.0;
    for (const T value : row) {
      part.values.add(static_cast<double>(value));
      part.whole = part.whole && value == std::floor(value);
      sum += static_cast<double>(value);
    }
    part.sums.add(sum);
    part.sum_to_one += std::abs(sum - 1.0) <= kLooseTolerance ? 1 : 0;
    part.exactly_one += std::abs(sum - 1.0) <= kRowSumTolerance ||
                                std::abs(sum / kPercentTotal - 1.0) <= kRowSumTolerance
                            ? 1
                            : 0;
    part.sum_to_percent += std::abs(sum - kPercentTotal) <= kLooseTolerance * kPercentTotal ? 1 : 0;
  });
}

/// The range of log(sum of exp(sign * value)) over the rows.
template <class T>
Range logSums(const Array<T>& table, double sign, const RunContext& context) {
  return overRows<T, Range>(table, context, [sign](std::span<const T> row, Range& range) {
    std::vector<double> signed_row(row.begin(), row.end());
    std::ranges::transform(signed_row, signed_row.begin(), [sign](double v) { return sign * v; });
    range.add(logSumExp(std::span<const double>(signed_row)));
  });
}

template <class T>
Range columnSums(const Array<T>& table) {
  std::vector<double> sums(static_cast<std::size_t>(table.extent(1)), 0.0);
  for (std::int64_t i = 0; i < table.extent(0); ++i) {
    const auto row = table.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      sums[k] += static_cast<double>(row[k]);
    }
  }
  Range range;
  for (const double sum : sums) {
    range.add(sum);
  }
  return range;
}

template <class T>
class Recogniser {
 public:
  Recogniser(const Array<T>& table, const std::string& name, bool named_logits, std::int64_t items,
             const RunContext& context)
      : table_(table),
        name_(name),
        named_logits_(named_logits),
        items_(items),
        context_(context),
        survey_(survey(table, context)) {}

  FoundForm find() {
    const bool enough_rows = !named_logits_ || table_.extent(0) >= kMinRowsAgainstName;
    if (survey_.values.low >= 0.0 && enough_rows) {
      for (const auto& attempt : {&Recogniser::asProbabilities, &Recogniser::asPercent,
                                  &Recogniser::asBytes, &Recogniser::asTransposed}) {
        if ((this->*attempt)()) {
          return found_;
        }
      }
    }
    if (asLogProbabilities()) {
      return found_;
    }
    if (named_logits_) {
      found_.form = ScoreForm::kLogits;
      if (items_ >= 0 && items_ != table_.extent(0) && items_ == table_.extent(1)) {
        found_.form = ScoreForm::kUnclear;
        found_.refusal = fmt::format(
            "have the shape {} for {} labels, so its rows seem to be classes; save its transpose, "
            "with one row per item",
            shapeText(table_.shape()), items_);
      }
      return found_;
    }
    refuse();
    return found_;
  }

 private:
  bool sumTo(const Range& sums, double total) {
    if (!sums.near(total, total)) {
      return false;  // far off: do not look at the digits
    }
    found_.total = total;
    found_.tolerance = {.tolerance = kRowSumTolerance * total};
    if (!sums.near(total, found_.tolerance.tolerance)) {
      found_.tolerance = rowTolerance(table_, total);
    }
    // One row that is off is wrong; if most are, the numbers are imprecise.
    if (!sums.near(total, found_.tolerance.tolerance * kSlack) &&
        2 * survey_.exactly_one < table_.extent(0)) {
      found_.tolerance = {.tolerance = kImpreciseTolerance * total, .imprecise = true};
    }
    // A row of zeros is no distribution.
    return sums.near(total, found_.tolerance.tolerance * kSlack) && sums.low > 0.0;
  }

  bool asProbabilities() {
    if (survey_.values.high > 1.0 + kRowSumTolerance || !sumTo(survey_.sums, 1.0)) {
      return false;
    }
    found_.form = ScoreForm::kProbabilities;
    if (named_logits_) {
      found_.note = name_ +
                    " is called logits, but every row sums to 1: its numbers are taken as "
                    "probabilities, without another softmax";
    }
    return true;
  }

  bool asPercent() {
    if (survey_.values.high > kPercentTotal * (1.0 + kRowSumTolerance) ||
        !sumTo(survey_.sums, kPercentTotal)) {
      return false;
    }
    found_.form = ScoreForm::kProbabilities;
    found_.note =
        "the numbers in " + name_ + " are per cent (every row sums to 100) and were divided by 100";
    return true;
  }

  bool asBytes() {
    const auto classes = static_cast<double>(table_.extent(1));
    // Rounded or truncated to whole numbers.
    if (!survey_.whole || survey_.values.high > kBytes ||
        !survey_.sums.within(kBytes - std::min(classes, kBytes / 2), kBytes + classes / 2.0)) {
      return false;
    }
    found_.form = ScoreForm::kProbabilities;
    found_.total = kBytes;
    found_.tolerance = {.tolerance = std::min(classes, kBytes / 2)};
    found_.note = "the numbers in " + name_ +
                  " are whole, from 0 to 255 (every row sums to about 255), and were divided by "
                  "the sum of their row";
    return true;
  }

  bool asTransposed() {
    const bool fits = items_ < 0 || (items_ == table_.extent(1) && items_ != table_.extent(0)) ||
                      table_.extent(0) == table_.extent(1);
    if (!fits || table_.extent(0) < 2 || survey_.values.high > 1.0 + kRowSumTolerance) {
      return false;
    }
    const RealArray turned = transposed(RealArray(table_));
    const auto& columns = std::get<Array<T>>(turned);
    const Range sums = columnSums(table_);
    const RowTolerance tolerance = rowTolerance(columns, 1.0);
    if (!sums.near(1.0, tolerance.tolerance) || table_.extent(1) < kMinRowsAgainstName) {
      return false;
    }
    found_.form = ScoreForm::kProbabilities;
    found_.total = 1.0;
    found_.transposed = true;
    found_.tolerance = tolerance;
    found_.note = fmt::format(
        "{} has one row per class (its columns sum to 1, not its rows): it was transposed to {} "
        "items of {} classes",
        name_, table_.extent(1), table_.extent(0));
    return true;
  }

  bool asLogProbabilities() {
    if (!(survey_.values.high <= kRowSumTolerance) ||
        !logSums(table_, 1.0, context_).near(0.0, kRowSumTolerance)) {
      return false;
    }
    found_.form = ScoreForm::kLogProbabilities;
    found_.note = "the numbers in " + name_ +
                  " are log-probabilities: the probabilities are their exponentials";
    return true;
  }

  void refuse() {
    const Survey& all = survey_;
    const std::int64_t n = table_.extent(0);
    found_.total = 1.0;
    found_.tolerance = all.values.within(0.0, 1.0) ? rowTolerance(table_, 1.0)
                                                   : RowTolerance{.tolerance = kRowSumTolerance};
    if (all.values.low >= 0.0 && 2 * all.sum_to_percent > n) {
      found_.refusal = fmt::format(
          "are in per cent in {} of {} rows (they sum to 100), but the sums are {:.6g} to {:.6g}; "
          "correct the other rows",
          all.sum_to_percent, n, all.sums.low, all.sums.high);
    } else if (all.values.low >= 0.0 && std::isfinite(all.values.high) && all.values.high > 1.0 &&
               logSums(table_, -1.0, context_).near(0.0, kRowSumTolerance)) {
      found_.refusal =
          "are negative log-probabilities (exp(-x) sums to 1 in every row); save the "
          "log-probabilities as 'log_probs'";
    } else if (all.whole && all.values.low >= 0.0 && all.sums.low == all.sums.high &&
               all.sums.high > 1.0) {
      found_.refusal = fmt::format(
          "are whole numbers that sum to {} in every row, like votes; divide them by {} to save "
          "shares",
          all.sums.high, all.sums.high);
    } else if (all.values.within(0.0, 1.0) && n >= kMinRowsAgainstName && 2 * all.sum_to_one < n) {
      found_.refusal = fmt::format(
          "are from 0 to 1, but their rows sum to {:.4g} to {:.4g}, like independent sigmoids "
          "(multi-label) or the largest of more classes; give the probabilities of all classes, "
          "or logits under the name 'logits'",
          all.sums.low, all.sums.high);
    }
  }

  const Array<T>& table_;
  const std::string& name_;
  bool named_logits_;
  std::int64_t items_;
  const RunContext& context_;
  Survey survey_;
  FoundForm found_;
};

}  // namespace

FoundForm recogniseScores(const RealArray& scores, const std::string& name, bool named_logits,
                          std::int64_t items, const RunContext& context) {
  return std::visit(
      [&]<class T>(const Array<T>& table) {
        return Recogniser<T>(table, name, named_logits, items, context).find();
      },
      scores);
}

RealArray transposed(const RealArray& table) {
  return std::visit(
      []<class T>(const Array<T>& from) {
        Array<T> to = Array<T>::zeros({from.extent(1), from.extent(0)});
        for (std::int64_t i = 0; i < from.extent(0); ++i) {
          for (std::int64_t k = 0; k < from.extent(1); ++k) {
            to.mutableData()[k * from.extent(0) + i] = from.data()[i * from.extent(1) + k];
          }
        }
        return RealArray(std::move(to));
      },
      table);
}

}  // namespace dubito
