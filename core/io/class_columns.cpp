// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/class_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/row_sums.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

struct Affix {
  std::string_view text;
  bool logits = false;
  /// The rows need not sum to 1 for the columns to be meant as classes.
  bool certain = true;
};

constexpr Affix kPrefixes[] = {{"logits_", true},
                               {"logit_", true},
                               {"z_", true},
                               {"pred_probs_"},
                               {"pred_prob_"},
                               {"y_prob_"},
                               {"y_proba_"},
                               {"probability_"},
                               {"probabilities_"},
                               {"probs_"},
                               {"proba_"},
                               {"prob_"},
                               {"softmax_"},
                               {"predictions_"},
                               {"class_"},
                               {"p_"},
                               {"score_", false, false},
                               {"confidence_", false, false},
                               {"conf_", false, false},
                               {"pred_", false, false},
                               {"output_", false, false},
                               {"y_score_", false, false},
                               {"y_pred_", false, false},
                               {"likelihood_", false, false},
                               {"logits", true},
                               {"logit", true},
                               {"probs"},
                               {"prob"},
                               {"class"},
                               {"p"},
                               {""}};
constexpr Affix kSuffixes[] = {{"_logits", true},
                               {"_logit", true},
                               {"_probability"},
                               {"_proba"},
                               {"_prob"},
                               {"_score", false, false},
                               {"_confidence", false, false},
                               {"_conf", false, false}};
constexpr std::string_view kLabelPrefixes[] = {"true_label_", "y_true_", "true_", "labels_",
                                               "label_",      "target_", "gt_",   "actual_",
                                               "onehot_",     "truth_",  "y_"};

/// Names of measures and indices that programs write next to the probabilities.
constexpr std::string_view kOtherNames[] = {"entropy",
                                            "expected_entropy",
                                            "mutual_information",
                                            "variation_ratio",
                                            "variance",
                                            "margin",
                                            "loss",
                                            "weight",
                                            "sample_weight",
                                            "index",
                                            "row",
                                            "",
                                            "fold",
                                            "cv_fold",
                                            "split",
                                            "epoch",
                                            "seed",
                                            "batch",
                                            "step",
                                            "idx",
                                            "level_0",
                                            "sample",
                                            "nll",
                                            "log_rest",
                                            "energy",
                                            "uncertainty",
                                            "correct",
                                            "is_correct",
                                            "error",
                                            "time",
                                            "std",
                                            "temperature",
                                            "group",
                                            "image_id",
                                            "sample_id"};
/// Endings that name a statistic of the class columns, not a class.
constexpr std::string_view kStatistics[] = {"max",  "min",    "mean",    "std",       "sum",
                                            "var",  "margin", "top1",    "top",       "pred",
                                            "true", "label",  "entropy", "predicted", "diff"};

bool isOther(const std::string& name) {
  const std::string normal = normalName(name);
  return normal.starts_with("unnamed:") ||
         std::ranges::find(kOtherNames, normal) != std::ranges::end(kOtherNames);
}

/// Class names and their columns.
using Members = std::vector<std::pair<std::string, std::size_t>>;

std::vector<std::size_t> columnsOf(const Members& members) {
  std::vector<std::size_t> columns;
  for (const auto& [name, column] : members) {
    columns.push_back(column);
  }
  return columns;
}

Members chosen(const Members& members, const std::vector<std::size_t>& columns) {
  Members kept;
  std::ranges::copy_if(members, std::back_inserter(kept), [&columns](const auto& member) {
    return std::ranges::find(columns, member.second) != columns.end();
  });
  return kept;
}

/// Sorts the columns by number if the numbers are 0 to K-1; else keeps the order of the table and
/// takes the endings as class names.
void orderClasses(const Members& classes, ClassColumns& found) {
  std::vector<std::size_t> by_number(classes.size(), classes.size());
  bool numbered = true;
  for (std::size_t i = 0; i < classes.size() && numbered; ++i) {
    const auto number = parseInteger(classes[i].first);
    numbered = number && *number >= 0 && static_cast<std::size_t>(*number) < classes.size() &&
               std::exchange(by_number[static_cast<std::size_t>(*number)], i) == classes.size();
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    found.columns.push_back(classes[numbered ? by_number[i] : i].second);
    if (!numbered) {
      found.names.push_back(classes[i].first);
    }
  }
}

/// "cat" of "prob_cat", "prob(cat)" and "Probability: cat"; empty for other columns.
std::string endingOf(const std::string& name, std::string_view prefix) {
  std::string normal = normalName(name);
  for (char& c : normal) {
    c = c == '(' || c == '[' || c == ':' || c == '.' ? '_' : c;
  }
  if (!normal.starts_with(prefix)) {
    return {};
  }
  std::string ending = name.substr(prefix.size());
  if (prefix.ends_with('_')) {
    ending.erase(0, std::min(ending.find_first_not_of(" _"), ending.size()));
  }
  const bool closed = !ending.empty() && (ending.back() == ')' || ending.back() == ']') &&
                      name.find_first_of("([") < prefix.size();
  return closed ? ending.substr(0, ending.size() - 1) : ending;
}

std::string beginningOf(const std::string& name, std::string_view suffix) {
  return normalName(name).ends_with(suffix) ? name.substr(0, name.size() - suffix.size())
                                            : std::string();
}

Members membersOf(const CsvTable& table, const std::vector<std::size_t>& free, const Affix& affix,
                  bool suffix) {
  Members members;
  for (const std::size_t c : free) {
    const std::string& name = table.header[c];
    const std::string rest = suffix ? beginningOf(name, affix.text) : endingOf(name, affix.text);
    // Prefixes without an underscore are too short to trust unless a number follows.
    const bool reliable = suffix || affix.text.ends_with('_') || parseInteger(rest);
    if (!rest.empty() && reliable && table.columns[c].isNumeric()) {
      members.emplace_back(rest, c);
    }
  }
  return members;
}

/// Those members whose rows sum to a total; empty if none do.
Members summing(const CsvTable& table, const Members& members) {
  if (sumToTotal(table, columnsOf(members))) {
    return members;
  }
  Members numbered;
  Members classes;
  for (const auto& member : members) {
    if (parseInteger(member.first)) {
      numbered.push_back(member);
    }
    if (std::ranges::find(kStatistics, normalName(member.first)) == std::ranges::end(kStatistics)) {
      classes.push_back(member);
    }
  }
  for (const Members& some : {numbered, classes}) {
    if (some.size() < members.size() && sumToTotal(table, columnsOf(some))) {
      return some;
    }
  }
  const auto rest = withoutOthers(table, columnsOf(members));
  return rest ? chosen(members, *rest) : Members();
}

class ClassFinder {
 public:
  ClassFinder(const CsvTable& table, const std::vector<std::size_t>& free,
              std::optional<std::size_t> label, RunContext& context)
      : table_(table), free_(free), label_(label), context_(context) {}

  Expected<ClassColumns> find() {
    Members fallback;
    for (const bool suffix : {false, true}) {
      for (const Affix& affix :
           suffix ? std::span<const Affix>(kSuffixes) : std::span<const Affix>(kPrefixes)) {
        const Members members = membersOf(table_, free_, affix, suffix);
        if (members.size() < 2) {
          continue;
        }
        if (affix.logits) {
          found_.are_logits = true;
          return take(members, members);
        }
        if (const Members classes = summing(table_, members); !classes.empty()) {
          return take(classes, members);
        }
        if (fallback.empty() && affix.certain) {
          fallback = members;
        }
      }
    }
    Expected<Members> distribution = findDistribution();
    if (!distribution) {
      return failWith(distribution);
    }
    if (!distribution->empty()) {
      return take(*distribution, *distribution);
    }
    return take(fallback, fallback);
  }

 private:
  /// `members` are the columns that look like `classes`.
  ClassColumns take(const Members& classes, const Members& members) {
    orderClasses(classes, found_);
    std::vector<std::size_t> left_out = columnsOf(members);
    std::erase_if(left_out, [this](std::size_t c) {
      return std::ranges::find(found_.columns, c) != found_.columns.end();
    });
    if (!left_out.empty()) {
      found_.notes.push_back(
          fmt::format("columns {} are not classes: the rows of the others sum to 1",
                      quotedNames(table_, left_out)));
    }
    return std::move(found_);
  }

  /// All columns of numbers whose rows sum to a total.
  Expected<Members> findDistribution() {
    Members all;
    Members usual;
    for (const std::size_t c : free_) {
      if (!table_.columns[c].isNumeric()) {
        continue;
      }
      all.emplace_back(table_.header[c], c);
      if (!isOther(table_.header[c]) && !table_.columns[c].countsRows() && !mayBeLabel(c)) {
        usual.emplace_back(table_.header[c], c);
      }
    }
    Members classes;
    for (const Members& some : {usual, all}) {
      if (sumToTotal(table_, columnsOf(some))) {
        classes = some;
        break;
      }
    }
    if (classes.empty()) {
      if (const auto rest = withoutOthers(table_, columnsOf(usual))) {
        classes = chosen(usual, *rest);
        std::vector<std::size_t> removed = columnsOf(usual);
        std::erase_if(
            removed, [&rest](std::size_t c) { return std::ranges::find(*rest, c) != rest->end(); });
        found_.notes.push_back(
            fmt::format("columns {} are not classes: the rows of the others sum to 1",
                        quotedNames(table_, removed)));
      }
    }
    return withoutConstants(std::move(classes));
  }

  /// One of the columns of one-hot labels.
  [[nodiscard]] bool mayBeLabel(std::size_t c) const {
    const CsvColumn& column = table_.columns[c];
    return column.isNumbers() && column.whole && column.least() >= 0.0 && column.largest() <= 1.0 &&
           std::ranges::any_of(kLabelPrefixes, [&](std::string_view prefix) {
             return normalName(table_.header[c]).starts_with(prefix);
           });
  }

  /// A column of zeros does not change the sums, so that only labels can tell whether it is a
  /// class.
  Expected<Members> withoutConstants(Members classes) {
    std::vector<std::size_t> constant;
    std::vector<std::size_t> varying;
    for (const auto& [name, c] : classes) {
      const CsvColumn& column = table_.columns[c];
      (table_.rows() > 1 && column.whole && column.isConstant() ? constant : varying).push_back(c);
    }
    if (constant.empty() || varying.size() < 2 || !sumToTotal(table_, varying)) {
      return classes;
    }
    const bool numbers = label_ && table_.columns[*label_].isNumeric();
    if (numbers) {
      const double last = table_.columns[*label_].largest();
      // Labels that need the column, and columns behind all others, which change no number.
      if (last >= static_cast<double>(varying.size())) {
        return classes;
      }
      if (constant.front() < varying.back()) {
        return table_.file.malformed(fmt::format(
            "column {} has the same whole number in every row, so it may be a class or not, and "
            "the labels are numbers; name the class columns prob_NAME, or remove the column",
            quotedNames(table_, constant)));
      }
    } else if (label_) {
      const auto texts = readCsvTexts(table_.file.path, {*label_}, context_);
      if (!texts) {
        return failWith(texts);
      }
      std::set<std::string> labels;
      for (const std::string& text : texts->front()) {
        labels.insert(nameKey(text));
      }
      std::erase_if(constant, [&](std::size_t c) {
        const bool named = labels.contains(nameKey(table_.header[c]));
        if (named) {
          varying.push_back(c);
        }
        return named;
      });
    }
    if (!constant.empty()) {
      found_.notes.push_back(fmt::format(
          "column {} has the same whole number in every row and is not taken as a class",
          quotedNames(table_, constant)));
    }
    return chosen(classes, varying);
  }

  const CsvTable& table_;
  const std::vector<std::size_t>& free_;
  std::optional<std::size_t> label_;
  RunContext& context_;
  ClassColumns found_;
};

bool isOneHot(const CsvTable& table, const std::vector<std::size_t>& columns) {
  std::vector<double> sums(static_cast<std::size_t>(table.rows()), 0.0);
  for (const std::size_t c : columns) {
    const CsvColumn& column = table.columns[c];
    if (!column.isNumbers() || !column.whole || column.least() < 0.0 || column.largest() > 1.0) {
      return false;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += column.numbers[i];
    }
  }
  return std::ranges::all_of(sums, [](double sum) { return sum == 1.0; });
}

}  // namespace

std::string quotedNames(const CsvTable& table, const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  for (const std::size_t c : columns) {
    names.push_back(inQuotes(table.header[c]));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Expected<ClassColumns> findClassColumns(const CsvTable& table, const std::vector<std::size_t>& free,
                                        std::optional<std::size_t> label, RunContext& context) {
  return ClassFinder(table, free, label, context).find();
}

std::vector<std::size_t> findOneHotLabels(const CsvTable& table,
                                          const std::vector<std::size_t>& free,
                                          const ClassColumns& classes) {
  for (const std::string_view prefix : kLabelPrefixes) {
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < classes.columns.size(); ++k) {
      const std::string name = classes.names.empty() ? std::to_string(k) : classes.names[k];
      const auto found = std::ranges::find_if(free, [&](std::size_t c) {
        return nameKey(endingOf(table.header[c], prefix)) == nameKey(name);
      });
      if (found == free.end()) {
        break;
      }
      columns.push_back(*found);
    }
    if (columns.size() == classes.columns.size() && columns.size() > 1 &&
        isOneHot(table, columns)) {
      return columns;
    }
  }
  return {};
}

}  // namespace dubito
