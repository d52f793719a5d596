// SPDX-License-Identifier: GPL-3.0-or-later
// The Python lines of README and user guide that export a model: run as they are printed, and
// opened.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// The first block of Python in a page.
std::string exportLines(const std::string& page = "README.md") {
  const std::string text = test::readBytes(test::sourceDir() / page);
  const std::string fence = "```python\n";
  const std::size_t begin = text.find(fence);
  const std::size_t end = text.find("```", begin + fence.size());
  return begin == std::string::npos ? ""
                                    : text.substr(begin + fence.size(), end - begin - fence.size());
}

/// What a user has before those lines: a network of two classes, and an example of its input.
constexpr const char* kBefore = R"(
import torch
model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 4, 5, stride=4), torch.nn.BatchNorm2d(4), torch.nn.ReLU(),
    torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Dropout(0.25), torch.nn.Linear(4, 2))
example = torch.zeros(1, 3, 224, 224)
)";

std::string program(const std::string& how) {
  std::string lines = exportLines();
  const std::string scripted = "torch.jit.script(model)";
  const std::size_t at = lines.find(scripted);
  if (at != std::string::npos) {
    lines.replace(at, scripted.size(), how);
  }
  return kBefore + lines;
}

void exportAndInspect(const std::string& how) {
  SCOPED_TRACE(how);
  const test::TempDir dir;
  test::writeBytes(dir.path() / "export.py", program(how));
  const auto exported = test::runProcess(
      {"/usr/bin/env", "-C", dir.path(), DUBITO_TORCH_PYTHON, "-W", "ignore", "export.py"});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const auto inspected = test::runProcess({DUBITO_CLI, "inspect", dir.file("model.pt"), "--json"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  const auto found = nlohmann::json::parse(inspected.out);
  EXPECT_EQ(found.at("name"), "my network");
  EXPECT_EQ(found.at("class_names"), (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(found.at("classes"), 2);
  EXPECT_EQ(found.at("dropout_sites").size(), 1U);
}

TEST(ReadmeExport, TheLinesAreThere) {
  EXPECT_THAT(exportLines(), HasSubstr("torch.jit.script(model)"));
  EXPECT_THAT(exportLines(), HasSubstr("_extra_files"));
}

TEST(ReadmeExport, TheUserGuideHasTheSameLines) {
  EXPECT_EQ(exportLines("docs/user-guide/own-model.md"), exportLines());
}

TEST(ReadmeExport, WorksAsPrintedScriptedAndTraced) {
  if (test::runProcess({DUBITO_TORCH_PYTHON, "-c", "import torch"}).exit_code != 0) {
    GTEST_SKIP() << "no Python with torch is here: ./run.sh installs one";
  }
  exportAndInspect("torch.jit.script(model)");
  exportAndInspect("torch.jit.trace(model, example)");
}

}  // namespace
}  // namespace dubito
