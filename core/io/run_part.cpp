// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_part.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/json_integer.h"
#include "core/io/npy.h"
#include "core/io/npz_file.h"
#include "core/io/npz_writer.h"
#include "core/io/run_arrays.h"
#include "core/io/run_file.h"
#include "core/io/run_schema.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kPartKey = "part";

/// Reads every entry, which verifies its checksum.
Status verifyChecksums(const NpzFile& npz) {
  for (const std::string& name : npz.names()) {
    if (name != "meta") {
      if (const auto array = npz.read(name); !array) {
        return failWith(array);
      }
    }
  }
  return {};
}

std::uint64_t bytesOfElement(const AnyArray& array) {
  return std::visit([](const auto& a) { return std::uint64_t{sizeof(*a.data())}; }, array);
}

std::string descrOf(const AnyArray& array) {
  return std::visit(
      [](const auto& a) { return npyDescr<std::remove_cvref_t<decltype(*a.data())>>(); }, array);
}

/// One array of a run, in parts from several files.
struct SplitArray {
  std::string key;
  RunAxes axes;
  std::vector<std::int64_t> shape;
  std::vector<AnyArray> parts;
};

/// False if the array of the next part does not continue this one.
bool appendPart(SplitArray& whole, const std::string& key, AnyArray part) {
  const std::vector<std::int64_t> shape = shapeOf(part);
  std::vector<std::int64_t> expected = whole.shape;
  if (whole.key != key || shape.size() != expected.size() ||
      part.index() != whole.parts.front().index()) {
    return false;
  }
  if (!whole.axes.contains(RunAxis::kItem)) {
    return expected == shape;  // it is that of the first part
  }
  const std::size_t item_axis = whole.axes.itemAxis();
  expected[item_axis] = shape[item_axis];
  whole.shape[item_axis] += shape[item_axis];
  whole.parts.push_back(std::move(part));
  return expected == shape;
}

Expected<std::vector<SplitArray>> openArrays(const std::vector<std::string>& paths,
                                             RunContext& context) {
  std::vector<SplitArray> arrays;
  for (const std::string& path : paths) {
    const Expected<Run> run = readRun(path, context);
    if (!run) {
      return failWith(run);
    }
    auto of_part = arraysOf(*run);
    bool fits = arrays.empty() || of_part.size() == arrays.size();
    for (std::size_t i = 0; i < of_part.size() && fits; ++i) {
      NamedArray& array = of_part[i];
      if (i == arrays.size()) {
        const std::vector<std::int64_t> shape = shapeOf(array.values);
        arrays.push_back({array.key, array.axes, shape, {std::move(array.values)}});
      } else {
        fits = appendPart(arrays[i], array.key, std::move(array.values));
      }
    }
    if (!fits) {
      return fail(
          ErrorCode::kMalformed,
          path + ": its arrays differ from those of the previous parts; delete it and resume",
          {setting("resume")});
    }
  }
  return arrays;
}

/// Appends the elements of `whole` in the order of the merged array.
Status produce(const SplitArray& whole, const NpzWriter::Append& append) {
  const std::int64_t blocks = whole.axes.itemAxis() == 1 ? whole.shape[0] : 1;
  for (std::int64_t block = 0; block < blocks; ++block) {
    for (const AnyArray& part : whole.parts) {
      Status appended = std::visit(
          [&](const auto& array) {
            const ByteSpan bytes = elementBytes(array);
            const std::size_t size = bytes.size() / static_cast<std::size_t>(blocks);
            return append(bytes.subspan(static_cast<std::size_t>(block) * size, size));
          },
          part);
      if (!appended) {
        return appended;
      }
    }
  }
  return {};
}

}  // namespace

Status writePart(const RunPart& part, AtomicFile file) {
  json meta = toJson(part.run.meta);
  meta[kPartKey] = {
      {"begin", part.begin}, {"end", part.end}, {"details", json::parse(part.details)}};
  NpzWriter writer(std::move(file), {});
  return writeArrays(part.run, meta, writer);
}

Expected<RunPart> readPart(const std::string& path, RunContext& context) {
  const auto malformed = [&path](const std::string& reason) {
    return fail(ErrorCode::kMalformed, path + ": " + reason + "; delete it");
  };
  const Expected<NpzFile> npz = NpzFile::open(path);
  if (!npz) {
    return failWith(npz);
  }
  if (Status sound = verifyChecksums(*npz); !sound) {
    return failWith(sound);
  }
  const Expected<std::string> text = npz->readText("meta");
  const json meta = json::parse(text.value_or(""), nullptr, /*allow_exceptions=*/false);
  RunPart part;
  try {
    const json& fields = meta.at(kPartKey);
    part.begin = integerFrom<std::int64_t>(fields.at("begin"));
    part.end = integerFrom<std::int64_t>(fields.at("end"));
    part.details = fields.at("details").dump();
  } catch (const json::exception&) {
    return malformed("is not a part of a run");
  }
  Expected<Run> run = readRun(path, context);
  if (!run) {
    return failWith(run);
  }
  part.run = std::move(*run);
  const auto skipped = static_cast<std::int64_t>(part.run.meta.skipped.size());
  if (part.begin < 0 || part.end <= part.begin ||
      part.run.itemCount() + skipped != part.end - part.begin) {
    return malformed("does not contain the items that it claims to contain");
  }
  return part;
}

Status mergeParts(const std::vector<std::string>& paths, const RunMeta& meta, AtomicFile file,
                  RunContext& context) {
  const auto arrays = openArrays(paths, context);
  if (!arrays) {
    return failWith(arrays);
  }
  std::int64_t total_bytes = 0;
  for (const SplitArray& array : *arrays) {
    for (const AnyArray& part : array.parts) {
      total_bytes += sizeOf(part) * static_cast<std::int64_t>(bytesOfElement(part));
    }
  }
  NpzWriter writer(std::move(file), {.on_chunk = writingProgress(total_bytes, context)});
  json described = toJson(meta);
  for (const SplitArray& array : *arrays) {
    stateAxes(array.key, array.axes, described);
    const AnyArray& first = array.parts.front();
    Status added = writer.addStreamed(
        array.key, descrOf(first), array.shape, bytesOfElement(first),
        [&array](const NpzWriter::Append& append) { return produce(array, append); });
    if (!added) {
      return added;
    }
  }
  if (Status added = writer.addText("meta", metaText(described)); !added) {
    return added;
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  return writer.commit();
}

}  // namespace dubito
