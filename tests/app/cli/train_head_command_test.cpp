// SPDX-License-Identifier: GPL-3.0-or-later
// From a review to a network that has learnt from it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/data/sources/dataset_spec.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kItems = "synthetic:blobs?blobs=4&n=300&seed=3";
constexpr const char* kOthers = "synthetic:blobs?blobs=4&n=300&seed=8";

class TrainHeadCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TempDir;
    // Too little training to be good, but its hidden layers tell the blobs apart.
    const auto trained = run(
        {"train", "mlp", kItems, "-o", model(), "--epochs", "1", "--width", "0.25", "--seed", "1"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static test::ProcessResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    return test::runProcess(arguments);
  }
  static json jsonOf(std::vector<std::string> arguments) {
    const auto result = run(std::move(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  static std::string file(const std::string& name) { return folder_->file(name); }
  static std::string model() { return file("mlp.pt"); }
  static std::vector<std::string> headOf(const std::string& dataset, const std::string& output,
                                         std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"train",          "head",  "--backbone", model(),
                                       dataset,          "-o",    output,       "--feature-cache",
                                       file("features"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  static double accuracyOf(const std::string& network, const std::string& dataset) {
    const auto predicted = run({"predict", network, dataset, "-o", file("run.npz")});
    EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
    return jsonOf({"evaluate", file("run.npz"), "--json", "-"}).at("accuracy").get<double>();
  }

  static test::TempDir* folder_;
};
test::TempDir* TrainHeadCommand::folder_ = nullptr;

TEST_F(TrainHeadCommand, LearnsFromAReview) {
  // A person labels the first 100 items, one of them with a new class.
  std::ofstream table(file("labels.csv"));
  table << "id,label\n";
  for (int item = 0; item < 100; ++item) {
    table << item << ',' << (item == 50 ? "odd" : std::to_string(item % 4)) << '\n';
  }
  table.close();
  const std::string store = file("review.labels");
  const auto imported = run({"predict", model(), kItems, "-o", file("first.npz")}).exit_code +
                        run({"review", "import", store, file("labels.csv"), "--format", "csv",
                             "--run", file("first.npz"), "--annotator", "ann"})
                            .exit_code;
  ASSERT_EQ(imported, 0);

  const std::string reviewed = "labels:" + store + "?undecided=drop&role=train";
  const json report = jsonOf(headOf(reviewed, file("head.pt")));
  EXPECT_EQ(report.at("items"), 100);
  EXPECT_EQ(report.at("classes"), 5);
  EXPECT_EQ(report.at("added_classes"), json::array({"odd"}));
  EXPECT_EQ(report.at("features_from_cache"), 0);
  EXPECT_GT(report.at("train").at("accuracy").get<double>(), 0.9);
  EXPECT_THAT(report.at("notes").dump(), HasSubstr("100 of 300 items have a reviewed label"));
  // The next round, with all labels of the dataset, computes only what is new.
  EXPECT_EQ(jsonOf(headOf("labels:" + store, file("more.pt"))).at("features_from_cache"), 100);

  const double before = accuracyOf(model(), kOthers);
  const double after = accuracyOf(file("head.pt"), kOthers);
  EXPECT_GT(after, 0.9);
  EXPECT_GT(after, before);
  const json predicted =
      jsonOf({"predict", file("head.pt"), kItems, "-o", file("next.npz"), "--json"});
  EXPECT_EQ(predicted.at("meta").at("class_names"), json::array({"0", "1", "2", "3", "odd"}));
}

TEST_F(TrainHeadCommand, TheSameCommandGivesTheSameFile) {
  const std::vector<std::string> more{"--seed", "5", "--validation-share", "0.2", "--threads", "1"};
  const json first = jsonOf(headOf(kItems, file("same.pt"), more));
  const std::string bytes = test::readBytes(file("same.pt"));
  EXPECT_GT(first.at("validation_items"), 30);
  EXPECT_TRUE(first.contains("validation"));
  jsonOf(headOf(kItems, file("same.pt"), more));
  EXPECT_TRUE(test::readBytes(file("same.pt")) == bytes);
}

TEST_F(TrainHeadCommand, ReportsInWords) {
  const auto result = run({"train", "head", "--backbone", model(), kItems, "-o", file("text.pt"),
                           "--feature-cache-mb", "0", "--validation-share", "0.1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* const words :
       {"training    loss 0.", "validation  loss 0.",
        "text.pt: 4 classes, 64 features of 300 items "
        "(0 from the cache), ",
        " iterations\nfeatures ", " s, training ",
        "note: blobs has the role test; evaluate on other items than these\n"}) {
    EXPECT_THAT(result.out, HasSubstr(words));
  }
}

TEST_F(TrainHeadCommand, LearnsHowMuchItDrops) {
  for (const char* const dropout : {"fixed", "concrete", "multi"}) {
    SCOPED_TRACE(dropout);
    const json report = jsonOf(headOf(kItems, file("dropping.pt"),
                                      {"--dropout", dropout, "--layers", "2", "--units", "16",
                                       "--validation", "0.2", "--epochs", "30", "--seed", "2"}));
    ASSERT_FALSE(report.at("epochs").empty());
    const json& last = report.at("epochs").back();
    EXPECT_EQ(last.contains("drop_rates"), std::string(dropout) != "fixed");
    EXPECT_LE(report.at("best_epoch").get<std::size_t>(), report.at("epochs").size());
    EXPECT_GT(report.at("validation").at("accuracy").get<double>(), 0.8);
    const json sites = jsonOf({"inspect", file("dropping.pt"), "--json"}).at("dropout_sites");
    ASSERT_EQ(sites.size(), 2U);  // none of the backbone
    EXPECT_EQ(sites[1].at("name"), "head.dropout2");
    EXPECT_EQ(sites[1].contains("unit_rates"), std::string(dropout) == "multi");
    const auto predicted = run({"predict", file("dropping.pt"), kOthers, "--method", "mc-dropout",
                                "--draws", "5", "-o", file("drawn.npz")});
    EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
  }
  const json members = jsonOf(headOf(kItems, file("three.pt"),
                                     {"--dropout", "multi", "--epochs", "2", "--members", "3"}))
                           .at("members");
  ASSERT_EQ(members.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(members[i].at("seed"), i);
    EXPECT_EQ(members[i].at("output"), file("three-" + std::to_string(i + 1) + ".pt"));
    jsonOf({"inspect", members[i].at("output"), "--json"});
  }
  EXPECT_NE(members[0].at("train"), members[1].at("train"));
  const auto result = run({"train", "head", "--backbone", model(), kItems, "-o", file("text.pt"),
                           "--feature-cache-mb", "0", "--dropout", "concrete", "--epochs", "2"});
  EXPECT_THAT(result.out, HasSubstr("epoch   1  loss "));
  EXPECT_THAT(result.out, HasSubstr("  drop rates 0.1"));
  EXPECT_THAT(result.out, HasSubstr("epoch 2 of 2 kept"));
}

TEST_F(TrainHeadCommand, RefusesFlagsOfTheOtherKindOfTraining) {
  const auto refused = [](const std::vector<std::string>& arguments) {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    return result.err;
  };
  EXPECT_THAT(refused({"train", "head", kItems, "-o", file("x.pt")}),
              HasSubstr("a head needs the network that it belongs to; give it with --backbone"));
  EXPECT_THAT(refused({"train", "mlp", kItems, "-o", file("x.pt"), "--backbone", model()}),
              HasSubstr("--backbone has no effect here; it requires train head"));
  EXPECT_THAT(refused(headOf(kItems, file("x.pt"), {"--width", "3"})),
              HasSubstr("--width has no effect here; it requires train lenet, resnet or mlp"));
  EXPECT_THAT(refused(headOf(kItems, file("x.pt"), {"--epochs", "3"})),
              HasSubstr("--epochs has no effect here; it requires --layers above 1 or --dropout "
                        "fixed, concrete or multi"));
  EXPECT_THAT(refused(headOf(kItems, file("x.pt"), {"--layers", "2", "--l2", "1"})),
              HasSubstr("--l2 has no effect here; it requires --layers 1 and --dropout none"));
  EXPECT_THAT(refused(headOf(kItems, file("x.pt"), {"--members", "2"})),
              HasSubstr("--members has no effect here; it requires --layers above 1 or --dropout"));
  EXPECT_THAT(refused(headOf(kItems, file("x.pt"), {"--dropout", "some"})),
              HasSubstr("Dropout is 'some'; choose one of"));
  EXPECT_THAT(refused({"train", "mlp", kItems, "-o", file("x.pt"), "--layers", "2"}),
              HasSubstr("--layers has no effect here; it requires train head"));
  EXPECT_THAT(refused(headOf(kItems, file("x.pt"), {"--patience", "3"})),
              HasSubstr("--patience has no effect here; it requires --validation-share"));
  EXPECT_THAT(refused({"train", "tree", kItems, "-o", file("x.pt")}),
              testing::AllOf(HasSubstr("Network is 'tree'; choose one of"), Not(HasSubstr("(--"))));
}

}  // namespace
}  // namespace dubito
