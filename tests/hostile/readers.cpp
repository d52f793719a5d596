// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/hostile/readers.h"

#include <cmath>
#include <stdexcept>

#include "core/context/cooccurrence.h"
#include "core/context/scene_record.h"
#include "core/context/scenes.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"
#include "core/io/npy.h"
#include "core/io/npz_writer.h"
#include "core/io/prediction_file.h"
#include "core/io/run_file.h"
#include "core/io/run_part.h"
#include "core/models/model.h"
#include "core/study/study_report.h"
#include "tests/core/data/files.h"
#include "tests/core/io/zip_builder.h"
#include "tests/core/study/sample_study.h"
#include "tests/support/shared_data.h"
#ifdef DUBITO_HAS_OPENCV
#include "tests/core/data/image_files.h"
#endif

namespace dubito::test {
namespace {

using Bytes = std::function<std::string(const TempDir&)>;

Bytes always(const std::string& bytes) {
  return [bytes](const TempDir&) { return bytes; };
}

/// Opens `spec` and reads every item. Items that cannot be read are errors here: a mutated file has
/// nothing else in it.
Status readDataset(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  if (!dataset) {
    return failWith(dataset);
  }
  for (std::int64_t i = 0; i < (*dataset)->size(); ++i) {
    const auto sample = (*dataset)->read(i);
    if (!sample) {
      return failWith(sample);
    }
    (void)(*dataset)->itemName(i);
  }
  return {};
}

#ifdef DUBITO_HAS_OPENCV
/// Errors of single items name the item's own file; `path` is put before them.
Status naming(const std::string& path, const Status& status) {
  return status ? status : Status(fail(status.error().code, path + ": " + status.error().message));
}
#endif

Status readPredictions(const std::string& path) {
  RunContext context;
  const auto run = openPredictions(path, context);
  if (!run) {
    return failWith(run);
  }
  for (std::int64_t i = 0; run->probs && i < run->itemCount(); ++i) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < run->classCount(); ++k) {
      sum += run->prob(i, k);
    }
    if (!(std::abs(sum - 1.0) < 2e-3)) {
      throw std::logic_error("probabilities that do not sum to one were let in");
    }
  }
  return {};
}

Array<float> smallProbs() {
  return Array<float>::fromVector({3, 2}, {0.25F, 0.75F, 0.5F, 0.5F, 1.0F, 0.0F});
}

Run smallRun() {
  Run run;
  run.probs = smallProbs();
  run.labels = Array<std::int64_t>::fromVector({3}, {1, 0, -1});
  run.ids = Array<std::int64_t>::fromVector({3}, {5, 6, 7});
  run.predictions = Array<std::int64_t>::fromVector({3}, {1, 0, 0});
  run.confidence = Array<double>::fromVector({3}, {0.75, 0.5, 1.0});
  run.meta.method = "map";
  run.meta.class_names = {"cat", "dog"};
  return run;
}

std::string runBytes(const TempDir& dir) {
  RunContext context;
  if (const Status written = writeRun(smallRun(), dir.file("good.npz"), context); !written) {
    throw std::runtime_error(written.error().message);
  }
  return readBytes(dir.path() / "good.npz");
}

std::string npyBytes(const TempDir& dir, const AnyArray& array) {
  if (const Status written = writeNpy(dir.file("good.npy"), array); !written) {
    throw std::runtime_error(written.error().message);
  }
  return readBytes(dir.path() / "good.npy");
}

std::string npzOfImages(const TempDir& dir, bool deflate) {
  const auto images = Array<float>::fromVector({2, 3, 3}, std::vector<float>(18, 0.5F));
  const auto labels = Array<std::int64_t>::fromVector({2}, {0, 1});
  const std::string images_npy = npyBytes(dir, images);
  const std::string labels_npy = npyBytes(dir, labels);
  return buildZip({{"images.npy", images_npy, deflate}, {"labels.npy", labels_npy, deflate}});
}

std::string networkBytes(const TempDir&) {
  return readBytes(sourceDir() / "tests/data/models/vector.pt");
}

Status readNetwork(const std::string& path) {
  RunContext context;
  const auto model = loadModel(path, {}, context);
  return model ? Status() : failWith(model);
}

Status readMetadata(const std::string& path) {
  RunContext context;
  LoadModelOptions options;
  options.metadata_path = path;
  const auto model = loadModel(sourceDir() / "tests/data/models/vector.pt", options, context);
  return model ? Status() : failWith(model);
}

const std::string kMetadata =
    R"({"name": "net", "classes": ["a", "b", "c", "d"], "mean": 0.5, "std": [0.25], "output": "logits"})";
const std::string kPredictionTable =
    "id,label,cat,dog\n1,cat,0.25,0.75\n2,dog,0.5,0.5\n7,dog,0,1\n";

std::string cifarBytes() {
  std::string bytes;
  for (int item = 0; item < 2; ++item) {
    bytes += static_cast<char>(item);
    bytes += countingBytes(3072);
  }
  return bytes;
}

void addArrayReaders(std::vector<Reader>& readers) {
  const std::string idx = idxBytes({4, 3, 3}, countingBytes(36));
  const auto read_idx = [](const std::string& path) { return readDataset("idx:" + path); };
  readers.push_back({"idx", "x-idx3-ubyte", always(idx), read_idx});
  readers.push_back({"idx_gzip", "x-idx3-ubyte.gz", always(gzipped(idx)), read_idx});
  readers.push_back({"cifar10", "data_batch_1.bin", always(cifarBytes()),
                     [](const std::string& path) { return readDataset("cifar10:" + path); }});
  const auto read_npz = [](const std::string& path) { return readDataset("npz:" + path); };
  readers.push_back({"npz_images_stored", "x.npz",
                     [](const TempDir& dir) { return npzOfImages(dir, false); }, read_npz});
  readers.push_back({"npz_images_deflated", "x.npz",
                     [](const TempDir& dir) { return npzOfImages(dir, true); }, read_npz});
}

void addPredictionReaders(std::vector<Reader>& readers) {
  readers.push_back({"npy_predictions", "x.npy",
                     [](const TempDir& dir) { return npyBytes(dir, smallProbs()); },
                     readPredictions});
  readers.push_back({"csv_predictions", "x.csv", always(kPredictionTable), readPredictions});
  readers.push_back({"run", "x.npz", runBytes, readPredictions});
  readers.push_back({"npz_predictions", "x.npz",
                     [](const TempDir& dir) {
                       return buildZip({{"pred_probs.npy", npyBytes(dir, smallProbs())}});
                     },
                     readPredictions});
  readers.push_back({"part_of_a_run", "x.npz",
                     [](const TempDir& dir) {
                       RunPart part;
                       part.end = 3;
                       part.run = smallRun();
                       auto file = AtomicFile::create(dir.file("good.npz"));
                       if (!file || !writePart(part, *std::move(file))) {
                         throw std::runtime_error("the part of a run could not be written");
                       }
                       return readBytes(dir.path() / "good.npz");
                     },
                     [](const std::string& path) {
                       RunContext context;
                       const auto part = readPart(path, context);
                       return part ? Status() : failWith(part);
                     }});
}

void addModelReaders(std::vector<Reader>& readers) {
  readers.push_back({"network", "x.pt", networkBytes, readNetwork});
  readers.push_back({"metadata", "x.json", always(kMetadata), readMetadata});
}

#ifdef DUBITO_HAS_OPENCV
void addImageReaders(std::vector<Reader>& readers) {
  const auto image = [](const std::string& ending) {
    cv::Mat pixels(24, 16, CV_8UC3);
    for (int y = 0; y < pixels.rows; ++y) {
      for (int x = 0; x < pixels.cols; ++x) {
        pixels.at<cv::Vec3b>(y, x) =
            cv::Vec3b(static_cast<std::uint8_t>(10 * y), static_cast<std::uint8_t>(15 * x), 100);
      }
    }
    return encoded(ending, pixels);
  };
  for (const std::string ending : {"jpg", "png", "bmp", "tiff", "webp"}) {
    readers.push_back({"image_" + ending, "x." + ending, always(image("." + ending)),
                       [](const std::string& path) {
                         const auto slash = path.rfind('/');
                         return naming(path, readDataset("folder:" + path.substr(0, slash)));
                       }});
  }
  readers.push_back(
      {"csv_manifest", "x.csv",
       [image](const TempDir& dir) {
         writeBytes(dir.path() / "a.png", image(".png"));
         writeBytes(dir.path() / "b.png", image(".png"));
         return std::string("path,label,camera,gain\na.png,cat,left,0.5\nb.png,dog,right,2\n");
       },
       [](const std::string& path) { return naming(path, readDataset("csv:" + path)); }});
}
#endif

}  // namespace

namespace {

/// A run over two items of the classes cat and dog.
Run runForContext() {
  Run run;
  run.probs = Array<float>::fromVector({2, 2}, {0.25F, 0.75F, 0.5F, 0.5F});
  run.labels = Array<std::int64_t>::fromVector({1, 0});
  run.ids = Array<std::int64_t>::fromVector({1, 2});
  run.predictions = Array<std::int64_t>::fromVector({1, 0});
  run.confidence = Array<double>::fromVector({0.75, 0.5});
  run.meta.class_names = {"cat", "dog"};
  run.meta.method = "context";
  run.meta.method_options = R"({"weight":1.0})";
  return run;
}

void addContextReaders(std::vector<Reader>& readers) {
  readers.push_back({"scenes", "scenes.csv", always("id,scene\n1,kitchen\n2,kitchen\n"),
                     [](const std::string& path) -> Status {
                       RunContext context;
                       const auto scenes = readScenes(path, "scene", runForContext(), context);
                       return scenes ? Status() : failWith(scenes);
                     }});
  readers.push_back({"cooccurrence", "counts.csv", always("class,cat,dog\ncat,1,2\ndog,2,3\n"),
                     [](const std::string& path) -> Status {
                       RunContext context;
                       const auto counts = readCooccurrence(path, runForContext(), context);
                       return counts ? Status() : failWith(counts);
                     }});
  readers.push_back({"scene_record", "context.npz",
                     [](const TempDir& dir) {
                       RunContext context;
                       const std::string path = dir.file("made.npz");
                       const SceneRecord record{
                           .scene = Array<std::int64_t>::fromVector({0, 0}),
                           .log_alone =
                               Array<float>::fromVector({2, 2}, {-1.4F, -0.3F, -0.7F, -0.7F}),
                           .scores = Array<double>::fromVector({2, 2}, {0.5, -0.5, -0.5, 0.5})};
                       if (!writeContextRun(runForContext(), record, path, context)) {
                         throw std::runtime_error("cannot write " + path);
                       }
                       return readBytes(path);
                     },
                     [](const std::string& path) -> Status {
                       const Run run = runForContext();
                       const auto record = readSceneRecord(path, run);
                       if (!record || !*record) {
                         return record ? Status() : failWith(record);
                       }
                       const auto explained = explainItem(run, **record, 1);
                       return explained ? Status() : failWith(explained);
                     }});
}

void addStudyReaders(std::vector<Reader>& readers) {
  readers.push_back(
      {"study", "table.json",
       [](const TempDir& dir) { return toJson(sampleStudy(dir.path().string())).dump(1); },
       [](const std::string& path) -> Status {
         const auto study = readStudyFolder(path);
         if (!study) {
           return failWith(study);
         }
         (void)studyHtml(studyContent(*study), {});
         return {};
       }});
}

}  // namespace

std::vector<Reader> allReaders() {
  std::vector<Reader> readers;
  addArrayReaders(readers);
  addPredictionReaders(readers);
  addModelReaders(readers);
  addContextReaders(readers);
  addStudyReaders(readers);
#ifdef DUBITO_HAS_OPENCV
  addImageReaders(readers);
#endif
  return readers;
}

}  // namespace dubito::test
