// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/io/npz_file.h"
#include "core/io/npz_writer.h"
#include "core/io/run_arrays.h"
#include "core/io/run_check.h"
#include "core/io/run_schema.h"
#include "core/io/run_summary.h"

namespace dubito {
namespace {

using nlohmann::json;

/// One value per item for 2e6 items; a checksum of this size takes 2 to 5 ms. Larger checksums
/// would read all bytes of draws that may never be used.
constexpr std::uint64_t kVerifiedOnOpening = std::uint64_t{16} << 20;

Expected<json> readMetaObject(const NpzFile& npz) {
  const Expected<std::string> text = npz.readText("meta");
  return text ? Expected<json>(json::parse(*text, nullptr, /*allow_exceptions=*/false))
              : failWith(text);
}

Expected<RunMeta> readMeta(const NpzFile& npz, const json& object) {
  Expected<RunMeta> meta = runMetaFromJson(object);
  if (!meta) {
    return failOf(npz.path(), meta.error());
  }
  if (!isTask(meta->task)) {
    return fail(ErrorCode::kUnsupported,
                npz.path() + ": is a run of the task " + inQuotes(meta->task) +
                    ", but this version supports only " + taskKeys() + "; update Dubito");
  }
  return meta;
}

/// Reads keys into the fields of a run; stops at the first error and keeps it.
class FieldReader {
 public:
  explicit FieldReader(const NpzFile& npz) : npz_(npz) {}

  void read(const char* key, Array<std::int64_t>& field) {
    withArray(key, [&](const AnyArray& array) {
      auto integers = toInt64(array, npz_.path() + ": " + key);
      if (integers) {
        field = std::move(*integers);
      } else {
        status_ = failWith(integers);
      }
    });
  }
  void read(const char* key, Array<double>& field) {
    withArray(key, [&](const AnyArray& array) { field = toDouble(array); });
  }
  void read(const char* key, std::optional<Array<float>>& field) {
    withArray(key, [&](const AnyArray& array) { field = toFloat(array); });
  }
  void read(const char* key, std::optional<Array<double>>& field) {
    withArray(key, [&](const AnyArray& array) { field = toDouble(array); });
  }
  void read(const char* key, std::optional<RealArray>& field) {
    withArray(key, [&](const AnyArray& array) {
      if (const auto* const wide = std::get_if<Array<double>>(&array)) {
        field = *wide;
      } else {
        field = toFloat(array);
      }
    });
  }

  [[nodiscard]] const Status& status() const { return status_; }

 private:
  template <class Use>
  void withArray(const char* key, Use use) {
    if (!status_ || !npz_.contains(key)) {
      return;
    }
    if (const Expected<AnyArray> array = npz_.read(key); array) {
      use(*array);
    } else {
      status_ = failWith(array);
    }
  }

  const NpzFile& npz_;
  Status status_;
};

}  // namespace

Status writeRun(const Run& run, const std::string& path, RunContext& context) {
  Expected<AtomicFile> file = AtomicFile::create(path);
  return file ? writeRun(run, std::move(*file), context) : Status(failWith(file));
}

Status writeRun(const Run& run, AtomicFile file, RunContext& context) {
  NpzWriter writer(std::move(file), {.on_chunk = writingProgress(bytesOf(arraysOf(run)), context)});
  return writeArrays(run, toJson(run.meta), writer);
}

Expected<Run> readRun(const std::string& path, RunContext& context) {
  if (context.step("opening", 0, 0) == Step::kCancel) {
    return cancelled();
  }
  const Expected<NpzFile> npz = NpzFile::open(path, {.max_verified_bytes = kVerifiedOnOpening});
  if (!npz) {
    return failWith(npz);
  }
  const Expected<json> object = readMetaObject(*npz);
  Expected<RunMeta> meta = object ? readMeta(*npz, *object) : failWith(object);
  if (!meta) {
    return failWith(meta);
  }
  Run run;
  run.meta = std::move(*meta);
  FieldReader reader(*npz);
  forEachRunArray([&](const auto& array) { reader.read(array.info.key, run.*array.member); });
  if (!reader.status()) {
    return failWith(reader.status());
  }
  run.others = readOthers(*npz, *object, run.itemCount(), run.meta.notes);
  if (!npz->contains("predictions") || !npz->contains("confidence")) {
    fillFromProbs(run, context);
  }
  if (const auto conflict = shapeConflict(run)) {
    return fail(ErrorCode::kMalformed, path + ": " + *conflict + "; recompute the run");
  }
  if (Status sound = checkRunContents(run, path, context); !sound) {
    return failWith(sound);
  }
  if (Status unchanged = npz->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return run;
}

Status verifyRunFile(const std::string& path, RunContext& context) {
  const Expected<NpzFile> npz = NpzFile::open(path);
  return npz ? npz->verify(context) : Status(failWith(npz));
}

bool isRunFile(const std::string& path) {
  const Expected<NpzFile> npz = NpzFile::open(path, {.max_verified_bytes = 0});
  if (!npz || !npz->contains("meta")) {
    return false;
  }
  // With a damaged meta it is still a run file and must not be taken for anything else.
  if (npz->contains("ids") && npz->contains("labels") && npz->contains("confidence")) {
    return true;
  }
  const Expected<std::string> text = npz->readText("meta");
  const json object = json::parse(text.value_or(""), nullptr, /*allow_exceptions=*/false);
  return object.is_object() && object.contains("schema_version");
}

}  // namespace dubito
