// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_queries.h"

#include <fmt/format.h>

#include <algorithm>

namespace dubito {
namespace {

/// Few different statements, so that each is prepared once.
constexpr std::size_t kItemsPerStatement = 500;

}  // namespace

Expected<std::int64_t> newestEntry(SqlConnection& connection) {
  const auto newest = connection.integer("SELECT max(sequence) FROM journal");
  if (!newest) {
    return failWith(newest);
  }
  return newest->value_or(0);
}

Status queryItems(SqlConnection& connection, const std::string& statement,
                  std::span<const std::int64_t> items, const SqlConnection::TakeRow& take) {
  const std::size_t width = items.size() == 1 ? 1 : kItemsPerStatement;
  std::string names = "$1";
  for (std::size_t i = 2; i <= width; ++i) {
    names += fmt::format(", ${}", i);
  }
  std::string complete = statement;
  complete.replace(complete.find("ITEMS"), 5, names);
  for (std::size_t begin = 0; begin < items.size(); begin += width) {
    const auto part = items.subspan(begin, std::min(width, items.size() - begin));
    SqlRow parameters(part.begin(), part.end());
    parameters.resize(width, part.back());
    if (Status done = connection.query(complete, parameters, take); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace dubito
