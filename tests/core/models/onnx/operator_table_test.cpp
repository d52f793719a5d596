// SPDX-License-Identifier: GPL-3.0-or-later
// The table of operators in docs/onnx.md lists exactly the operators that are translated.
#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <string>

#include "core/models/onnx/operators.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// The domain that the first cell of a row names; empty: ONNX itself.
std::string domainOf(const std::string& topic) {
  for (const std::string_view domain : {kMachineLearningDomain, kMicrosoftDomain}) {
    if (topic.find("`" + std::string(domain) + "`") != std::string::npos) {
      return std::string(domain);
    }
  }
  return {};
}

/// The words between backquotes.
std::vector<std::string> quotedIn(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = text.find('`'); begin != std::string_view::npos;) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == std::string_view::npos) {
      break;
    }
    words.emplace_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('`', end + 1);
  }
  return words;
}

/// "domain:Name" of each operator in the table; one that is listed twice is in it twice.
std::multiset<std::string> documented() {
  std::ifstream stream(test::sourceDir() / "docs/onnx.md");
  std::multiset<std::string> names;
  bool is_inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("## ")) {
      is_inside = line == "## Operators";
    }
    const std::size_t second = line.find('|', 1);
    if (!is_inside || !line.starts_with("| ") || second == std::string::npos) {
      continue;
    }
    const std::string domain = domainOf(line.substr(0, second));
    for (const std::string& name : quotedIn(std::string_view(line).substr(second))) {
      names.insert(domain + ":" + name);
    }
  }
  return names;
}

std::set<std::string> translated() {
  // The graph itself is translated by these two.
  std::set<std::string> names = {":Constant", ":If"};
  for (const OnnxOperator& op : onnxOperators()) {
    names.insert(std::string(op.domain) + ":" + std::string(op.name));
  }
  return names;
}

TEST(OperatorTable, ListsEveryOperatorOnceAndNoOther) {
  const std::multiset<std::string> listed = documented();
  const std::set<std::string> known = translated();
  ASSERT_GT(known.size(), 150U);
  std::vector<std::string> missing;
  std::vector<std::string> unknown;
  for (const std::string& name : known) {
    if (listed.count(name) != 1) {
      missing.push_back(name);
    }
  }
  for (const std::string& name : listed) {
    if (!known.contains(name)) {
      unknown.push_back(name);
    }
  }
  EXPECT_THAT(missing, IsEmpty()) << "add them to the table of docs/onnx.md, once each";
  EXPECT_THAT(unknown, IsEmpty()) << "remove them from the table of docs/onnx.md";
}

TEST(OperatorTable, NoOperatorIsDefinedTwiceForAnOpset) {
  std::vector<std::string> twice;
  const auto operators = onnxOperators();
  for (std::size_t i = 0; i < operators.size(); ++i) {
    for (std::size_t k = i + 1; k < operators.size(); ++k) {
      const OnnxOperator& a = operators[i];
      const OnnxOperator& b = operators[k];
      if (a.name == b.name && a.domain == b.domain && a.first_opset <= b.last_opset &&
          b.first_opset <= a.last_opset) {
        twice.emplace_back(a.name);
      }
    }
  }
  EXPECT_THAT(twice, SizeIs(0));
}

}  // namespace
}  // namespace dubito
