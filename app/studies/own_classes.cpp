// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/own_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/in_quotes.h"
#include "core/data/items/class_mapping.h"
#include "core/io/csv.h"
#include "core/io/run_summary.h"

namespace dubito::study {
namespace {

/// The probabilities of the classes `kept`, which sum to 1 again.
Array<double> probsOf(const Run& run, const std::vector<std::int64_t>& kept) {
  auto probs = Array<double>::zeros({run.itemCount(), std::ssize(kept)});
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const std::span<double> to = probs.mutableRow(row);
    double sum = 0.0;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      // An item may be sure of a class that is left out.
      to[k] = std::max(run.prob(row, kept[k]), double{std::numeric_limits<float>::min()});
      sum += to[k];
    }
    for (double& prob : to) {
      prob /= sum;
    }
  }
  return probs;
}

}  // namespace

Expected<OwnClasses> withOwnClasses(const Run& run, const std::string& name,
                                    const std::vector<std::string>& names,
                                    const std::map<std::string, std::string>& renamed,
                                    const std::string& table, const RunContext& context) {
  const auto reader = CsvReader::open(table);
  if (!reader) {
    return failWith(reader);
  }
  const std::vector<std::string> columns(reader->header().begin() + 1, reader->header().end());
  const std::vector<std::string>& own = run.meta.class_names.empty() ? names : run.meta.class_names;
  if (std::ssize(own) != run.classCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} classes without names, but --classes names {}; name all of "
                            "them in their order",
                            name, run.classCount(), own.size()));
  }
  OwnClasses result;
  std::vector<std::int64_t> kept;
  std::vector<std::int64_t> place(own.size(), -1);
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto other = renamed.find(own[k]);
    const std::string& wanted = other == renamed.end() ? own[k] : other->second;
    if (const std::int64_t column = classByName(wanted, columns); column >= 0) {
      place[k] = std::ssize(kept);
      kept.push_back(static_cast<std::int64_t>(k));
      result.run.meta.class_names.push_back(columns[static_cast<std::size_t>(column)]);
    } else {
      result.unknown.push_back(own[k]);
    }
  }
  if (kept.size() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} of its classes are in {}; give names of the table with "
                            "--rename, such as --rename automobile=car",
                            name, kept.empty() ? "none" : "fewer than two", table));
  }
  result.run.ids = run.ids;
  result.run.labels = Array<std::int64_t>::zeros({run.itemCount()});
  std::ranges::transform(
      run.labels.values(), result.run.labels.mutableData(),
      [&](std::int64_t label) { return label < 0 ? -1 : place[static_cast<std::size_t>(label)]; });
  result.run.probs = probsOf(run, kept);
  fillFromProbs(result.run, context);
  return result;
}

Expected<std::map<std::string, std::string>> parseRenames(const std::vector<std::string>& parts) {
  std::map<std::string, std::string> renames;
  for (const std::string& part : parts) {
    const std::size_t sign = part.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == part.size()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("--rename: {} is no pair of names; write it as automobile=car",
                              inQuotes(part)));
    }
    renames[part.substr(0, sign)] = part.substr(sign + 1);
  }
  return renames;
}

}  // namespace dubito::study
