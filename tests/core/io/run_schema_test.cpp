// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/shared_data.h"

namespace dubito {
namespace {

/// Shape and element type of an array, as docs/formats.md states them.
struct Documented {
  std::string shape;
  std::string type;

  friend bool operator==(const Documented&, const Documented&) = default;
};

std::string shapeText(const RunAxes& axes) {
  std::string text;
  for (const RunAxis axis : axes) {
    text += std::string(text.empty() ? "[" : ", ") + (axis == RunAxis::kDraw   ? "T"
                                                      : axis == RunAxis::kItem ? "N"
                                                                               : "K");
  }
  return text + "]";
}

std::string typeText(const Array<std::int64_t>& /*values*/) {
  return "int64";
}
std::string typeText(const Array<float>& /*values*/) {
  return "float32";
}
std::string typeText(const Array<double>& /*values*/) {
  return "float64";
}
std::string typeText(const RealArray& /*values*/) {
  return "float32 or float64";
}
template <class T>
std::string typeText(const std::optional<T>& /*values*/) {
  return typeText(T());
}

/// The rows of the table of arrays, by key.
std::map<std::string, Documented> documentedArrays() {
  std::ifstream file(test::sourceDir() / "docs" / "formats.md");
  std::map<std::string, Documented> arrays;
  std::string line;
  while (std::getline(file, line) && line != "## Run: `.npz`") {
  }
  while (std::getline(file, line) && !line.starts_with("(\\*)")) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '|');) {
      cells.push_back(cell);
    }
    if (cells.size() < 4) {
      continue;
    }
    static const std::regex key("`([a-z_]+)`");
    for (auto found = std::sregex_iterator(cells[1].begin(), cells[1].end(), key);
         found != std::sregex_iterator(); ++found) {
      const auto trimmed = [](const std::string& cell) {
        return cell.substr(1, cell.size() - 2);  // one space on each side
      };
      arrays[(*found)[1]] = {trimmed(cells[2]), trimmed(cells[3])};
    }
  }
  return arrays;
}

TEST(RunSchema, IsWhatTheDocumentationSays) {
  std::map<std::string, Documented> documented = documentedArrays();
  forEachRunArray([&](const auto& array) {
    const dubito::Run run;
    const Documented expected{shapeText(array.info.axes), typeText(run.*array.member)};
    ASSERT_TRUE(documented.contains(array.info.key)) << array.info.key;
    EXPECT_EQ(documented[array.info.key].shape, expected.shape) << array.info.key;
    EXPECT_EQ(documented[array.info.key].type, expected.type) << array.info.key;
    documented.erase(array.info.key);
  });
  // Of runs with context, and the text.
  const std::set<std::string> others = {"scene", "log_alone", "pair_scores", "meta"};
  for (const auto& [key, of_key] : documented) {
    EXPECT_TRUE(others.contains(key)) << key;
  }
}

TEST(RunSchema, PartnersNameEachOther) {
  std::map<std::string, std::string> partner_of;
  forEachRunArray([&](const auto& array) {
    EXPECT_TRUE(array.info.axes.contains(RunAxis::kItem)) << array.info.key;
    if (array.info.partner != nullptr) {
      partner_of[array.info.key] = array.info.partner;
    }
  });
  EXPECT_EQ(partner_of.size(), 4U);
  for (const auto& [key, partner] : partner_of) {
    EXPECT_EQ(partner_of[partner], key);
  }
}

TEST(RunSchema, VisitsTheArraysThatARunContains) {
  dubito::Run run;
  run.ids = Array<std::int64_t>::fromVector({3, 4});
  run.probs = Array<double>::zeros({2, 5});
  run.samples = Array<float>::zeros({7, 2, 5});
  std::map<std::string, std::int64_t> sizes;
  forEachArrayOf(run, [&](const RunArrayInfo& info, const auto& values) {
    sizes[info.key] = values.extent(info.axes.itemAxis());
  });
  EXPECT_EQ(sizes, (std::map<std::string, std::int64_t>{{"confidence", 0},
                                                        {"ids", 2},
                                                        {"labels", 0},
                                                        {"predictions", 0},
                                                        {"probs", 2},
                                                        {"samples", 2}}));
}

}  // namespace
}  // namespace dubito
