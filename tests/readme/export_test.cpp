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

constexpr const char* kGuide = "docs/user-guide/own-model.md";

/// A block of Python in a page, counted from 0.
std::string exportLines(const std::string& page, int block = 0) {
  const std::string text = test::readBytes(test::sourceDir() / page);
  const std::string fence = "```python\n";
  std::size_t begin = text.find(fence);
  for (int i = 0; i < block && begin != std::string::npos; ++i) {
    begin = text.find(fence, begin + fence.size());
  }
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

/// Runs the lines and inspects the file that they write.
void exportAndInspect(const std::string& lines, const std::string& file,
                      const std::string& format) {
  SCOPED_TRACE(lines);
  const test::TempDir dir;
  test::writeBytes(dir.path() / "save_model.py", kBefore + lines);
  const auto exported = test::runProcess(
      {"/usr/bin/env", "-C", dir.path(), DUBITO_TORCH_PYTHON, "-W", "ignore", "save_model.py"});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const auto inspected = test::runProcess({DUBITO_CLI, "inspect", dir.file(file), "--json"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  const auto found = nlohmann::json::parse(inspected.out);
  EXPECT_EQ(found.at("format"), format);
  EXPECT_EQ(found.at("name"), "my network");
  EXPECT_EQ(found.at("class_names"), (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(found.at("classes"), 2);
  EXPECT_EQ(found.at("dropout_sites").size(), 1U);
  EXPECT_EQ(found.at("items_per_pass").at("least"), 1);
}

TEST(ReadmeExport, TheLinesAreThere) {
  EXPECT_THAT(exportLines("README.md"), HasSubstr("torch.export.save"));
  EXPECT_THAT(exportLines("README.md"), HasSubstr("extra_files"));
  EXPECT_THAT(exportLines(kGuide, 1), HasSubstr("torch.jit.save"));
}

TEST(ReadmeExport, TheUserGuideHasTheSameLines) {
  EXPECT_EQ(exportLines(kGuide), exportLines("README.md"));
}

TEST(ReadmeExport, WorksAsPrinted) {
  if (test::runProcess({DUBITO_TORCH_PYTHON, "-c", "import torch"}).exit_code != 0) {
    GTEST_SKIP() << "no Python with torch is here: ./run.sh installs one";
  }
  const std::string exported = exportLines("README.md");
  exportAndInspect(exported, "model.pt2", "exported program");
  const std::string scripted = "torch.jit.script(model.eval())";
  std::string lines = exported + exportLines(kGuide, 1);
  exportAndInspect(lines, "model.pt", "TorchScript");
  const std::size_t at = lines.find(scripted);
  ASSERT_NE(at, std::string::npos);
  lines.replace(at, scripted.size(), "torch.jit.trace(model.eval(), example)");
  exportAndInspect(lines, "model.pt", "TorchScript");
}

}  // namespace
}  // namespace dubito
