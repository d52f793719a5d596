// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/io/log_rest.h"
#include "core/io/npz_file.h"
#include "core/io/npz_writer.h"
#include "core/io/run_summary.h"
#include "tests/core/io/damage.h"
#include "tests/core/io/mutate.h"
#include "tests/core/io/numpy.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ElementsAre;

/// A run of 3 items, 2 classes and 2 draws with everything filled in.
Run sampleRun() {
  dubito::Run run;
  run.probs = Array<float>::fromVector({3, 2}, {0.25F, 0.75F, 1.0F, 0.0F, 0.5F, 0.5F});
  run.labels = Array<std::int64_t>::fromVector({1, -1, 0});
  run.ids = Array<std::int64_t>::fromVector({40, 7, 1LL << 60});
  fillFromProbs(run, RunContext());
  run.log_rest = Array<double>::fromVector({std::log(0.25), -INFINITY, std::log(0.5)});
  run.expected_entropy = Array<double>::fromVector({0.5, 0.0, 0.6});
  run.mutual_information = Array<double>::fromVector({0.06, 0.0, 0.09});
  run.logits = Array<float>::fromVector({3, 2}, {0, 1, 2, -90, 0, 0});
  run.samples = Array<float>::fromVector(
      {2, 3, 2}, {0.2F, 0.8F, 1, 0, 0.4F, 0.6F, 0.3F, 0.7F, 1, 0, 0.6F, 0.4F});
  run.logit_mean = Array<float>::fromVector({3, 2}, {0.5F, 1, 3, -80, 0, -1});
  run.logit_var = Array<float>::fromVector({3, 2}, {1, 2, 0, 1e6F, 0.25F, 4});
  run.alpha = Array<double>::fromVector({3, 2}, {0.5, 1.5, 1e300, 1e-300, 7, 7});
  run.gauge_bridge = Array<double>::fromVector({0.0, 0.25, 1.0});
  run.gauge_probit = Array<double>::fromVector({0.5, 0.0, 0.125});
  run.gauge_divergence = Array<double>::fromVector({0.0, NAN, 3.5});
  RunMeta& meta = run.meta;
  meta.method = "mc-dropout";
  meta.method_options = R"({"draws":2,"drop_rate":null})";
  meta.model_name = "lenet";
  meta.model_path = "models/\xC3\xA4.pt";
  meta.network_hash = "00ff";
  meta.dataset_name = "toy";
  meta.dataset_spec = "npz:toy.npz?items=0:3";
  meta.role = "test";
  meta.dataset_hash = "00ff";
  meta.class_names = {"cat", "dog"};
  meta.seed = ~std::uint64_t{0};
  meta.device = "cpu";
  meta.batch = 500;
  meta.threads = 2;
  meta.preprocessing = "x / 255";
  meta.versions = {{"dubito", "0.1.0"}};
  meta.timings = {{"predict", 1.5}};
  meta.mask_hashes = {{0, 1, 0xFFFFFFFFFFFFFFFEULL}};
  meta.skipped = {{"b.jpg", "cut short"}};
  meta.notes = {"one", "two"};
  meta.stopped_early = true;
  return run;
}

Expected<dubito::Run> read(const std::string& path) {
  RunContext context;
  return readRun(path, context);
}

void write(const Run& run, const std::string& path) {
  RunContext context;
  const Status written = writeRun(run, path, context);
  ASSERT_OK(written);
}

template <class T>
void expectEqual(const Array<T>& a, const Array<T>& b) {
  EXPECT_EQ(a.shape(), b.shape());
  EXPECT_TRUE(std::ranges::equal(a.values(), b.values()));
}

/// Writes the arrays of `run`, changed, as a run file, without the checks of writeRun.
void writeChanged(const std::string& path, const std::string& key, const AnyArray& array,
                  const std::string& meta = R"({"schema_version": 1})") {
  const dubito::Run run = sampleRun();
  auto writer = NpzWriter::create(path);
  ASSERT_TRUE(writer);
  const auto put = [&](const std::string& name, const AnyArray& original) {
    ASSERT_TRUE(writer->add(name, name == key ? array : original));
  };
  put("probs", std::get<Array<float>>(*run.probs));
  put("labels", run.labels);
  put("ids", run.ids);
  put("predictions", run.predictions);
  put("confidence", run.confidence);
  put("log_rest", *run.log_rest);
  put("entropy", *run.entropy);
  put("samples", *run.samples);
  put("logits", std::get<Array<float>>(*run.logits));
  put("logit_mean", *run.logit_mean);
  put("logit_var", *run.logit_var);
  put("alpha", *run.alpha);
  put("gauge_bridge", *run.gauge_bridge);
  put("gauge_probit", *run.gauge_probit);
  put("gauge_divergence", *run.gauge_divergence);
  ASSERT_TRUE(writer->addText("meta", meta));
  ASSERT_TRUE(writer->commit());
}

TEST(RunFile, RoundTripsEverything) {
  const test::TempDir dir;
  const dubito::Run run = sampleRun();
  write(run, dir.file("r.npz"));
  EXPECT_TRUE(isRunFile(dir.file("r.npz")));
  const Expected<dubito::Run> back = read(dir.file("r.npz"));
  ASSERT_OK(back);
  expectEqual(std::get<Array<float>>(*back->probs), std::get<Array<float>>(*run.probs));
  expectEqual(back->labels, run.labels);
  expectEqual(back->ids, run.ids);
  expectEqual(back->predictions, run.predictions);
  expectEqual(back->confidence, run.confidence);
  expectEqual(*back->entropy, *run.entropy);
  expectEqual(*back->expected_entropy, *run.expected_entropy);
  expectEqual(*back->mutual_information, *run.mutual_information);
  expectEqual(std::get<Array<float>>(*back->logits), std::get<Array<float>>(*run.logits));
  expectEqual(*back->log_rest, *run.log_rest);
  expectEqual(*back->samples, *run.samples);
  expectEqual(*back->logit_mean, *run.logit_mean);
  expectEqual(*back->logit_var, *run.logit_var);
  expectEqual(*back->alpha, *run.alpha);
  expectEqual(*back->gauge_bridge, *run.gauge_bridge);
  expectEqual(*back->gauge_probit, *run.gauge_probit);
  EXPECT_EQ(back->gauge_divergence->data()[2], 3.5);
  EXPECT_TRUE(std::isnan(back->gauge_divergence->data()[1]));
  EXPECT_EQ(toJson(back->meta), toJson(run.meta));
  EXPECT_EQ(back->meta.seed, ~std::uint64_t{0});
  EXPECT_EQ(back->meta.mask_hashes.at(0).hash, 0xFFFFFFFFFFFFFFFEULL);
  EXPECT_EQ(back->meta.model_path, "models/\xC3\xA4.pt");
  EXPECT_EQ(back->meta.network_hash, "00ff");
  EXPECT_TRUE(back->meta.stopped_early);
  EXPECT_EQ(json::parse(back->meta.method_options).at("draws"), 2);
}

TEST(RunFile, MapsInsteadOfCopying) {
  const test::TempDir dir;
  write(sampleRun(), dir.file("r.npz"));
  const Expected<dubito::Run> run = read(dir.file("r.npz"));
  ASSERT_TRUE(run);
  const auto& probs = std::get<Array<float>>(*run->probs);
  EXPECT_NE(probs.owner(), nullptr);
  EXPECT_EQ(probs.owner(), run->labels.owner());
  EXPECT_EQ(probs.owner(), run->confidence.owner());
  EXPECT_EQ(probs.owner(), run->samples->owner());
}

TEST(RunFile, KeepsDoubleProbabilities) {
  const test::TempDir dir;
  dubito::Run run = sampleRun();
  run.probs = Array<double>::fromVector({3, 2}, {0.1, 0.9, 1.0, 0.0, 0.5, 0.5});
  fillFromProbs(run, RunContext());
  write(run, dir.file("r.npz"));
  const Expected<dubito::Run> back = read(dir.file("r.npz"));
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<Array<double>>(*back->probs).data()[0], 0.1);
}

TEST(RunFile, HoldsARunOfConfidencesAlone) {
  const test::TempDir dir;
  dubito::Run run;
  run.labels = Array<std::int64_t>::fromVector({4, -1});
  run.ids = Array<std::int64_t>::fromVector({0, 1});
  run.predictions = Array<std::int64_t>::fromVector({4, 2});
  run.confidence = Array<double>::fromVector({0.9, 0.3});
  write(run, dir.file("r.npz"));
  const Expected<dubito::Run> back = read(dir.file("r.npz"));
  ASSERT_OK(back);
  EXPECT_FALSE(back->probs);
  EXPECT_FALSE(back->entropy);
  expectEqual(back->predictions, run.predictions);
  expectEqual(back->confidence, run.confidence);
}

TEST(RunFile, NumpyReadsItAsItIs) {
  const test::TempDir dir;
  write(sampleRun(), dir.file("r.npz"));
  DUBITO_NUMPY(R"(
import json
z = np.load(sys.argv[1])
assert z['probs'].dtype == np.float32 and z['probs'].tolist() == [[.25, .75], [1, 0], [.5, .5]]
assert z['labels'].dtype == np.int64 and z['labels'].tolist() == [1, -1, 0]
assert z['ids'].tolist() == [40, 7, 2**60]
assert z['samples'].shape == (2, 3, 2) and z['entropy'].dtype == np.float64
meta = json.loads(str(z['meta']))
assert meta['schema_version'] == 2 and meta['method'] == 'mc-dropout'
assert meta['options'] == {'draws': 2, 'drop_rate': None}
assert meta['seed'] == 2**64 - 1 and meta['mask_hashes'][0]['hash'] == 'fffffffffffffffe'
)",
               dir.file("r.npz"));
}

TEST(RunFile, OpensFilesOfTheFirstSchema) {
  const test::TempDir dir;
  dubito::Run old = sampleRun();
  old.meta.schema_version = 1;
  old.log_rest.reset();
  // As runs of the first schema have it: 1 - 2e-9 and 1 - 1e-9 are the same in float32.
  old.probs = Array<float>::fromVector({3, 2}, {1.0F, 2e-9F, 1.0F, 1e-9F, 0.75F, 0.25F});
  old.logits.reset();
  fillFromProbs(old, RunContext());
  write(old, dir.file("old.npz"));
  const auto run = read(dir.file("old.npz"));
  ASSERT_OK(run);
  EXPECT_FALSE(run->log_rest);
  const Array<double> log_rest = logRestOf(*run, RunContext());
  EXPECT_NEAR(log_rest.data()[0], std::log(2e-9), 1e-7);
  EXPECT_NEAR(log_rest.data()[1], std::log(1e-9), 1e-7);
  EXPECT_EQ(log_rest.data()[2], std::log(0.25));
}

TEST(RunFile, NumpyMayWriteIt) {
  const test::TempDir dir;
  DUBITO_NUMPY(R"(
import json
for save, name in [(np.savez, '/s.npz'), (np.savez_compressed, '/c.npz')]:
    save(sys.argv[1] + name, probs=np.array([[.25, .75], [.5, .5]], 'f4'), labels=np.array([0, 1]),
         ids=np.arange(2), meta=json.dumps({'schema_version': 1, 'method': 'mine'}))
np.savez(sys.argv[1] + '/b.npz', probs=np.array([[.25, .75]]), labels=np.array([0], 'i4'),
         ids=np.arange(1), meta=np.frombuffer(b'{"schema_version": 1}', 'u1'))
)",
               dir.path().string());
  for (const char* name : {"s.npz", "c.npz", "b.npz"}) {
    const Expected<dubito::Run> run = read(dir.file(name));
    ASSERT_OK(run);
    EXPECT_EQ(run->predictions.data()[0], 1);
    EXPECT_EQ(run->confidence.data()[0], 0.75);
    EXPECT_NEAR(run->entropy->data()[0], 0.5623351446188083, 1e-12);
  }
}

TEST(RunFile, RefusesWhatContradictsItself) {
  const test::TempDir dir;
  const std::string path = dir.file("r.npz");
  using Ints = Array<std::int64_t>;
  using Floats = Array<float>;
  using Doubles = Array<double>;
  const struct {
    const char* key;
    AnyArray array;
    const char* message;
  } cases[] = {
      {"labels", Ints::fromVector({1, 2, 0}), "the label of row 1 is 2"},
      {"labels", Ints::fromVector({1, 0, -2}), "the label of row 2 is -2"},
      {"labels", Ints::fromVector({1, 0}), "labels has the shape (2,)"},
      {"labels", Floats::fromVector({1, 0.5F, 0}), "element 1 is 0.5"},
      {"ids", Ints::fromVector({7, 40, 7}), "the id of row 2, 7, appears twice"},
      {"ids", Ints::zeros({0}), "there are no items"},
      {"ids", Ints::fromVector({}, {3}), "there are no items"},
      {"predictions", Ints::fromVector({1, 0, 2}), "the prediction of row 2 is 2"},
      {"predictions", Ints::fromVector({0, 0, 0}), "row 0 of probs"},
      {"confidence", Array<double>::fromVector({0.75, NAN, 0.5}), "the confidence of row 1 is nan"},
      {"confidence", Array<double>::fromVector({0.75, 0.9, 0.5}), "row 1 of probs"},
      {"entropy", Array<double>::fromVector({0, 0, INFINITY}), "entropy of row 2 is inf"},
      {"probs", Floats::fromVector({3, 2}, {0.25F, 0.75F, 1, NAN, 0.5F, 0.5F}), "row 1 of probs"},
      {"probs", Floats::fromVector({3, 2}, {0.25F, 0.75F, 1, 0, 0.4F, 0.5F}), "row 2 of probs"},
      {"probs", Floats::fromVector({3, 2}, {0.25F, 0.75F, 1.5F, -0.5F, 0.5F, 0.5F}), "row 1 of"},
      {"probs", Floats::zeros({3, 0}), "probs has the shape (3, 0)"},
      {"probs", Floats::zeros({6}), "probs has the shape (6,)"},
      {"probs", Floats::fromVector({}, {1}), "probs has the shape ()"},
      {"samples", Floats::zeros({2, 2, 3}), "samples has the shape (2, 2, 3)"},
      {"samples", Floats::zeros({0, 3, 2}), "samples has the shape (0, 3, 2)"},
      {"log_rest", Doubles::fromVector({0.0, NAN, 0.0}), "log_rest of row 1"},
      {"log_rest", Doubles::fromVector({0.0, -1.0, 0.5}), "log_rest of row 2"},
      {"logits", Floats::zeros({6}), "logits has the shape (6,)"},
      {"gauge_bridge", Array<double>::fromVector({0, 0, 1.5}), "gauge_bridge of row 2 is 1.5"},
      {"gauge_probit", Array<double>::fromVector({0, -0.5, 1}), "gauge_probit of row 1 is -0.5"},
      {"gauge_divergence", Array<double>::zeros({2}), "gauge_divergence has the shape (2,)"},
      {"logit_mean", Floats::zeros({3, 3}), "logit_mean has the shape (3, 3)"},
      {"logit_var", Floats::zeros({2, 2}), "logit_var has the shape (2, 2)"},
      {"alpha", Floats::zeros({6}), "alpha has the shape (6,)"},
      {"logit_mean", Floats::fromVector({3, 2}, {0, 0, 0, INFINITY, 0, 0}), "row 1 of logit_mean"},
      {"logit_var", Floats::fromVector({3, 2}, {1, 1, 1, 1, 1, -1}), "row 2 of logit_var"},
      {"alpha", Floats::fromVector({3, 2}, {1, 0, 1, 1, 1, 1}), "row 0 of alpha"},
      {"alpha", Floats::fromVector({3, 2}, {1, 1, 1, NAN, 1, 1}), "row 1 of alpha"},
  };
  for (const auto& c : cases) {
    writeChanged(path, c.key, c.array);
    const Expected<dubito::Run> run = read(path);
    ASSERT_FALSE(run) << c.key << " " << c.message;
    EXPECT_EQ(run.error().code, ErrorCode::kMalformed);
    EXPECT_THAT(run.error().message, HasSubstr(c.message));
    EXPECT_EQ(run.error().message.find(path), 0U) << run.error().message;
  }
}

TEST(RunFile, RefusesMetaThatCannotBeMeant) {
  const test::TempDir dir;
  const auto codeOf = [&](const std::string& meta) {
    writeChanged(dir.file("r.npz"), "", Array<float>(), meta);
    const Expected<dubito::Run> run = read(dir.file("r.npz"));
    return run ? std::string("read") : run.error().message;
  };
  EXPECT_EQ(codeOf(R"({"schema_version": 1})"), "read");
  EXPECT_EQ(codeOf(R"({"schema_version": 2})"), "read");
  EXPECT_THAT(codeOf(R"({"schema_version": 3})"), HasSubstr("newer version"));
  EXPECT_THAT(codeOf(R"({"schema_version": 18446744073709551615})"), HasSubstr("newer"));
  for (const char* meta :
       {"", "{", "[]", "{}", R"({"schema_version": "1"})", R"({"schema_version": 0})",
        R"({"schema_version": 1.5})", R"({"schema_version": 1, "method": 3})",
        R"({"schema_version": 1, "class_names": "ab"})", R"({"schema_version": 1, "options": []})",
        R"({"schema_version": 1, "mask_hashes": [{"site": 0}]})",
        R"({"schema_version": 1, "mask_hashes": 4})",
        R"({"schema_version": 1, "mask_hashes": [{"site": 0, "draw": 0, "hash": "xyz"}]})",
        R"({"schema_version": 1, "skipped": [1]})", R"({"schema_version": 1, "seed": []})",
        R"({"schema_version": 1, "class_names": ["a", "b", "c"]})"}) {
    EXPECT_THAT(codeOf(meta), HasSubstr("recompute the run")) << meta;
  }
  EXPECT_THAT(codeOf(R"({"schema_version": 1, "task": "regression"})"), HasSubstr("'regression'"));
}

TEST(RunFile, AFailedWriteLeavesTheOlderFile) {
  const test::TempDir dir;
  const std::string path = dir.file("r.npz");
  write(sampleRun(), path);
  const std::string older = test::readBytes(path);
  RunContext context;
  context.control()->requestCancel();
  const Status status = writeRun(sampleRun(), path, context);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(test::readBytes(path), older);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

TEST(RunFile, RefusesPlacesThatCannotBeWritten) {
  const test::TempDir dir;
  fs::create_directory(dir.path() / "r.npz");
  for (const std::string& path : {dir.file("none/r.npz"), dir.file("r.npz")}) {
    RunContext context;
    const Status status = writeRun(sampleRun(), path, context);
    ASSERT_FALSE(status) << path;
    EXPECT_EQ(status.error().code, ErrorCode::kWriteFailed);
    EXPECT_EQ(status.error().message.find(path), 0U);
  }
  EXPECT_EQ(std::distance(fs::recursive_directory_iterator(dir.path()),
                          fs::recursive_directory_iterator()),
            1);
}

TEST(RunFile, RefusesToWriteARunThatDoesNotFitTogether) {
  const test::TempDir dir;
  dubito::Run run = sampleRun();
  run.labels = Array<std::int64_t>::fromVector({1});
  RunContext context;
  EXPECT_THROW((void)writeRun(run, dir.file("r.npz"), context), std::invalid_argument);
}

TEST(RunFile, AMeanOfLogitsComesWithItsVariance) {
  const test::TempDir dir;
  dubito::Run run = sampleRun();
  run.logit_var.reset();
  RunContext context;
  EXPECT_THROW((void)writeRun(run, dir.file("r.npz"), context), std::invalid_argument);
}

TEST(RunFile, AGaugeMayHoldSomeItemsAlone) {
  const test::TempDir folder;
  const std::string path = folder.file("run.npz");
  dubito::Run run = sampleRun();
  run.gauge_bridge = Array<double>::fromVector({NAN, 0.25, NAN});
  run.gauge_probit = Array<double>::fromVector({NAN, 0.5, NAN});
  RunContext context;
  ASSERT_TRUE(writeRun(run, path, context));
  const auto back = readRun(path, context);
  ASSERT_OK(back);
  EXPECT_TRUE(std::isnan(back->gauge_bridge->data()[0]));
  EXPECT_EQ(back->gauge_bridge->data()[1], 0.25);
  EXPECT_TRUE(std::isnan(back->gauge_probit->data()[2]));
}

TEST(RunFile, TheGaugeOfTheBridgeComesWithThatOfProbit) {
  const test::TempDir dir;
  dubito::Run run = sampleRun();
  run.gauge_probit.reset();
  RunContext context;
  EXPECT_THROW((void)writeRun(run, dir.file("r.npz"), context), std::invalid_argument);
}

TEST(RunFile, IsNoRunFile) {
  const test::TempDir dir;
  EXPECT_FALSE(isRunFile(dir.file("none.npz")));
  auto writer = NpzWriter::create(dir.file("x.npz"));
  ASSERT_TRUE(writer->add("meta", Array<float>::zeros({1})));
  ASSERT_TRUE(writer->commit());
  EXPECT_FALSE(isRunFile(dir.file("x.npz")));
}

TEST(RunFile, DrawsMustBeDistributions) {
  const test::TempDir dir;
  for (const float wrong : {NAN, -0.25F, 0.9F}) {
    dubito::Run run = sampleRun();
    Array<float> samples = Array<float>::zeros(run.samples->shape());
    std::ranges::copy(run.samples->values(), samples.mutableData());
    samples.mutableData()[2 * 3 * 1 + 2] = wrong;  // draw 1, item 1
    run.samples = samples;
    write(run, dir.file("run.npz"));
    const auto opened = read(dir.file("run.npz"));
    ASSERT_FALSE(opened) << wrong;
    EXPECT_THAT(opened.error().message,
                HasSubstr("row 1 of draw 1 in samples is not a distribution"));
  }
}

/// sampleRun() with draws that are too large to be compared on opening.
Run largeRun() {
  dubito::Run run = sampleRun();
  const std::int64_t draws = 800'000;
  Array<float> samples = Array<float>::zeros({draws, 3, 2});
  std::fill_n(samples.mutableData(), samples.size(), 0.5F);
  run.samples = samples;
  return run;
}

TEST(RunFile, EveryFlippedBitIsNoticed) {
  const test::TempDir dir;
  const std::string path = dir.file("run.npz");
  write(largeRun(), path);
  const std::string intact = test::readBytes(path);
  std::mt19937 random(20);
  std::set<std::string> found_on_opening;
  int found_by_verifying = 0;
  for (int i = 0; i < 60; ++i) {
    const std::vector<std::string> entries = test::entriesOf(path);
    // Every entry in turn, the two kinds alike.
    const std::string& entry = i % 2 == 0 ? "samples" : entries[random() % entries.size()];
    test::flipBit(path, entry, random());
    const auto opened = read(path);
    RunContext context;
    const Status verified = verifyRunFile(path, context);
    ASSERT_FALSE(verified) << entry;
    EXPECT_EQ(verified.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(verified.error().message,
              path + ": array '" + entry +
                  "' is damaged (its checksum does not match); restore the file from a copy, or "
                  "compute or save it again");
    if (entry != "samples") {
      ASSERT_FALSE(opened) << entry;
      EXPECT_EQ(opened.error().message, verified.error().message);
      found_on_opening.insert(entry);
    } else {
      found_by_verifying += opened ? 1 : 0;
    }
    test::writeBytes(path, intact);
  }
  EXPECT_GT(found_on_opening.size(), 10U);
  // Low bits leave a distribution; others are found when the draws are checked.
  EXPECT_GT(found_by_verifying, 5);
  RunContext context;
  EXPECT_TRUE(read(path));
  EXPECT_TRUE(verifyRunFile(path, context));
}

TEST(RunFile, VerifyingNamesAllDamagedArraysAndCanBeCancelled) {
  const test::TempDir dir;
  const std::string path = dir.file("run.npz");
  write(largeRun(), path);
  test::flipBit(path, "labels", 1100);
  test::flipBit(path, "samples", 100'000'000);
  RunContext context;
  std::vector<Progress> reports;
  context.on_progress = [&reports](const Progress& progress) { reports.push_back(progress); };
  const Status verified = verifyRunFile(path, context);
  ASSERT_FALSE(verified);
  EXPECT_THAT(verified.error().message, HasSubstr("arrays 'labels', 'samples' are damaged"));
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().stage, "verifying");
  EXPECT_GT(reports.front().total, 19'000'000);
  RunContext cancelled;
  cancelled.control()->requestCancel();
  EXPECT_EQ(verifyRunFile(path, cancelled).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(verifyRunFile(dir.file("none.npz"), context).error().code, ErrorCode::kNotFound);
}

TEST(RunFile, SurvivesMutations) {
  const test::TempDir dir;
  const std::string path = dir.file("r.npz");
  write(sampleRun(), path);
  const std::string original = test::readBytes(path);
  int valid = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    test::writeBytes(path, test::mutate(original, seed));
    const Expected<dubito::Run> run = read(path);
    if (!run) {
      EXPECT_EQ(run.error().message.find(path), 0U) << run.error().message;
      continue;
    }
    ++valid;
    for (std::int64_t i = 0; i < run->itemCount(); ++i) {
      const std::int64_t predicted = run->predictions.data()[i];
      ASSERT_GE(predicted, 0);
      EXPECT_LT(run->labels.data()[i], run->probs ? run->classCount() : INT64_MAX);
      if (run->probs) {
        ASSERT_LT(predicted, run->classCount());
        EXPECT_NEAR(run->prob(i, predicted), run->confidence.data()[i], 1e-3);
      }
    }
  }
  EXPECT_GT(valid, 0);  // a fault in padding, or in a key that is not needed
  EXPECT_LT(valid, 150);
}

/// A file of three items and two classes as another program, or a newer version, may write it.
void writeWithOthers(const std::string& path, const json& axes) {
  auto writer = NpzWriter::create(path);
  ASSERT_OK(writer);
  const dubito::Run run = sampleRun();
  json meta{{"schema_version", 2}, {"method", "map"}};
  if (!axes.is_null()) {
    meta["axes"] = axes;
  }
  ASSERT_OK(writer->add("probs", std::get<Array<float>>(*run.probs)));
  ASSERT_OK(writer->add("labels", run.labels));
  ASSERT_OK(writer->add("ids", run.ids));
  ASSERT_OK(writer->add("features", Array<std::uint8_t>::fromVector({3, 2}, {1, 2, 3, 4, 5, 6})));
  ASSERT_OK(writer->add("of_draws", Array<double>::fromVector({2, 3}, {1, 2, 3, 4, 5, 6})));
  ASSERT_OK(writer->add("square", Array<double>::fromVector({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})));
  ASSERT_OK(writer->add("table", Array<float>::fromVector({4}, {1, 2, 3, 4})));
  ASSERT_OK(writer->add("deep", Array<float>::fromVector({1, 1, 1, 1, 1}, {1})));
  ASSERT_OK(writer->addText("remark", "by another program"));
  ASSERT_OK(writer->addText("meta", meta.dump()));
  ASSERT_OK(writer->commit());
}

/// "features: item other, ..." of the arrays that are not in the schema.
std::vector<std::string> othersOf(const dubito::Run& run) {
  constexpr const char* kNames[] = {"draw", "item", "class", "other"};
  std::vector<std::string> texts;
  for (const NamedArray& other : run.others) {
    std::string text = other.key + ":";
    for (const RunAxis axis : other.axes) {
      text += std::string(" ") + kNames[static_cast<std::size_t>(axis)];
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(RunFile, KeepsArraysThatItDoesNotKnow) {
  const test::TempDir folder;
  writeWithOthers(folder.file("other.npz"), nullptr);
  const auto run = read(folder.file("other.npz"));
  ASSERT_OK(run);
  EXPECT_THAT(othersOf(*run), ElementsAre("features: item other", "of_draws: other item",
                                          "square: item other", "table: other"));
  ASSERT_EQ(run->meta.notes.size(), 1U);
  EXPECT_THAT(toText(run->meta.notes[0]), HasSubstr("are kept: 'deep', 'remark'"));
  EXPECT_EQ(std::get<Array<std::uint8_t>>(run->others[0].values).row(2)[1], 6);

  write(*run, folder.file("again.npz"));
  const auto again = read(folder.file("again.npz"));
  ASSERT_OK(again);
  EXPECT_EQ(othersOf(*again), othersOf(*run));
  EXPECT_EQ(std::get<Array<float>>(again->others[3].values).data()[3], 4.0F);
  EXPECT_EQ(again->meta.notes, run->meta.notes);
}

TEST(RunFile, TakesAxesOfUnknownArraysFromTheirFile) {
  const test::TempDir folder;
  writeWithOthers(folder.file("stated.npz"), {{"square", {"other", "item"}},
                                              {"features", {"item", "class"}},
                                              {"of_draws", {"item", "other"}},  // does not fit
                                              {"table", {"pixel"}}});           // of the future
  const auto run = read(folder.file("stated.npz"));
  ASSERT_OK(run);
  EXPECT_THAT(othersOf(*run), ElementsAre("features: item class", "of_draws: other item",
                                          "square: other item", "table: other"));
}

}  // namespace
}  // namespace dubito
