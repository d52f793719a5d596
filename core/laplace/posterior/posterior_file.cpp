// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/posterior_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_integer.h"
#include "core/base/json_text.h"
#include "core/io/npz_file.h"
#include "core/io/npz_writer.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "dubito posterior";

struct NamedArray {
  const char* key;
  Array<double> LayerPosterior::*array;
};
constexpr NamedArray kLayerArrays[] = {
    {"input_basis", &LayerPosterior::input_basis},
    {"input_values", &LayerPosterior::input_values},
    {"output_basis", &LayerPosterior::output_basis},
    {"output_values", &LayerPosterior::output_values},
    {"diagonal", &LayerPosterior::diagonal},
};

std::string keyOf(std::size_t layer, const char* key) {
  return fmt::format("layer{}_{}", layer, key);
}

json metaOf(const LaplacePosterior& posterior, const PosteriorOrigin& origin) {
  json layers = json::array();
  for (const LayerPosterior& layer : posterior.layers) {
    layers.push_back({{"name", layer.name},
                      {"outputs", layer.outputs},
                      {"inputs", layer.inputs},
                      {"has_bias", layer.has_bias},
                      {"squared_norm", layer.squared_norm}});
  }
  return {{"format", kFormat},
          {"version", SavedPosterior::kVersion},
          {"structure", toString(posterior.structure)},
          {"all_layers", posterior.all_layers},
          {"separate_bias", posterior.separate_bias},
          {"layers", std::move(layers)},
          {"items", posterior.items},
          {"labelled_items", posterior.labelled_items},
          {"log_likelihood", posterior.log_likelihood},
          {"network_hash", origin.network_hash},
          {"preprocessing", origin.preprocessing},
          {"dataset_name", origin.dataset_name},
          {"dataset_spec", origin.dataset_spec},
          {"dataset_hash", origin.dataset_hash},
          {"notes", origin.notes}};
}

/// Reads the metadata; throws json::exception and std::invalid_argument.
void readMeta(const json& meta, SavedPosterior& saved) {
  LaplacePosterior& posterior = saved.posterior;
  posterior.structure = parseLaplaceStructure(meta.at("structure").get<std::string>());
  posterior.all_layers = meta.value("all_layers", false);  // version 1 had the last layer only
  posterior.separate_bias = meta.value("separate_bias", false);
  for (const json& entry : meta.at("layers")) {
    posterior.layers.push_back(
        {entry.at("name").get<std::string>(), integerFrom<std::int64_t>(entry.at("outputs")),
         integerFrom<std::int64_t>(entry.at("inputs")), entry.at("has_bias").get<bool>(),
         entry.at("squared_norm").get<double>()});
  }
  readInto(meta.at("items"), posterior.items);
  readInto(meta.at("labelled_items"), posterior.labelled_items);
  readInto(meta.at("log_likelihood"), posterior.log_likelihood);
  readInto(meta.at("network_hash"), saved.origin.network_hash);
  readInto(meta.at("preprocessing"), saved.origin.preprocessing);
  readInto(meta.at("dataset_name"), saved.origin.dataset_name);
  readInto(meta.at("dataset_spec"), saved.origin.dataset_spec);
  readInto(meta.at("dataset_hash"), saved.origin.dataset_hash);
  readInto(meta.at("notes"), saved.origin.notes);
}

bool hasFinite(const Array<double>& array, const std::vector<std::int64_t>& shape) {
  return array.shape() == shape &&
         std::ranges::all_of(array.values(), [](double value) { return std::isfinite(value); });
}

/// For eigenvalues and diagonals of positive semi-definite matrices.
bool hasNonNegative(const Array<double>& array, const std::vector<std::int64_t>& shape) {
  return hasFinite(array, shape) &&
         std::ranges::all_of(array.values(), [](double value) { return value >= 0.0; });
}

bool isConsistent(const LaplacePosterior& posterior) {
  if (posterior.items < 1 || posterior.layers.empty() || posterior.labelled_items < 0 ||
      posterior.labelled_items > posterior.items || !std::isfinite(posterior.log_likelihood)) {
    return false;
  }
  for (const LayerPosterior& layer : posterior.layers) {
    const std::int64_t o = layer.outputs;
    const std::int64_t d = layer.inputs;
    constexpr std::int64_t kMaxSize = std::int64_t{1} << 30;
    if (o < 1 || d < 1 || o > kMaxSize || d > kMaxSize || !(layer.squared_norm >= 0.0)) {
      return false;
    }
    switch (posterior.structure) {
      case LaplaceStructure::kFull:
        if (posterior.all_layers || posterior.layers.size() != 1 ||
            !hasFinite(posterior.full_basis, {o * d, o * d}) ||
            !hasNonNegative(posterior.full_values, {o * d})) {
          return false;
        }
        break;
      case LaplaceStructure::kDiagonal:
        if (!hasNonNegative(layer.diagonal, {o, d})) {
          return false;
        }
        break;
      default:
        if (!hasFinite(layer.input_basis, {d, d}) || !hasNonNegative(layer.input_values, {d}) ||
            !hasFinite(layer.output_basis, {o, o}) || !hasNonNegative(layer.output_values, {o})) {
          return false;
        }
    }
  }
  return true;
}

/// Leaves `array` empty if the file does not have it.
Status readDouble(const NpzFile& npz, const std::string& key, Array<double>& array) {
  if (!npz.contains(key)) {
    return {};
  }
  const Expected<AnyArray> read = npz.read(key);
  if (!read) {
    return failWith(read);
  }
  array = toDouble(*read);
  return {};
}

Status readArrays(const NpzFile& npz, SavedPosterior& saved) {
  LaplacePosterior& posterior = saved.posterior;
  for (std::size_t i = 0; i < posterior.layers.size(); ++i) {
    for (const NamedArray& named : kLayerArrays) {
      if (Status read = readDouble(npz, keyOf(i, named.key), posterior.layers[i].*named.array);
          !read) {
        return read;
      }
    }
  }
  if (Status read = readDouble(npz, "full_basis", posterior.full_basis); !read) {
    return read;
  }
  if (Status read = readDouble(npz, "full_values", posterior.full_values); !read) {
    return read;
  }
  const Expected<AnyArray> ids = npz.read("ids");
  if (!ids) {
    return failWith(ids);
  }
  auto integers = toInt64(*ids, npz.path() + ": ids");
  if (!integers) {
    return failWith(integers);
  }
  saved.origin.ids = *std::move(integers);
  return {};
}

}  // namespace

Status writePosterior(const LaplacePosterior& posterior, const PosteriorOrigin& origin,
                      const std::string& path, RunContext& context) {
  auto writer = NpzWriter::create(
      path, {.on_chunk = [&context](std::uint64_t /*bytes*/) {
        return context.step("writing the posterior", 0, 0) == Step::kCancel ? Status(cancelled())
                                                                            : Status();
      }});
  if (!writer) {
    return failWith(writer);
  }
  const auto add = [&](const std::string& key, const Array<double>& array) -> Status {
    return array.empty() ? Status() : writer->add(key, array);
  };
  for (std::size_t i = 0; i < posterior.layers.size(); ++i) {
    for (const NamedArray& named : kLayerArrays) {
      if (Status added = add(keyOf(i, named.key), posterior.layers[i].*named.array); !added) {
        return added;
      }
    }
  }
  for (const auto& [key, array] :
       {std::pair{"full_basis", &posterior.full_basis}, {"full_values", &posterior.full_values}}) {
    if (Status added = add(key, *array); !added) {
      return added;
    }
  }
  if (Status added = writer->add("ids", origin.ids); !added) {
    return added;
  }
  if (Status added = writer->addText("meta", jsonText(metaOf(posterior, origin), -1)); !added) {
    return added;
  }
  return writer->commit();
}

Expected<SavedPosterior> readPosterior(const std::string& path) {
  const auto malformed = [&path](const std::string& reason) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {}; fit the posterior again", path, reason));
  };
  const Expected<NpzFile> npz = NpzFile::open(path);
  if (!npz) {
    return failWith(npz);
  }
  const json meta =
      json::parse(npz->readText("meta").value_or(""), nullptr, /*allow_exceptions=*/false);
  if (!meta.is_object() || meta.value("format", json()) != kFormat) {
    return malformed("not a posterior written by Dubito");
  }
  SavedPosterior saved;
  try {
    if (const int version = integerFrom<int>(meta.at("version"));
        version > SavedPosterior::kVersion) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: the posterior has version {}, but this program reads only up to "
                              "version {}; update Dubito",
                              path, version, SavedPosterior::kVersion));
    }
    readMeta(meta, saved);
  } catch (const std::exception& exception) {
    return malformed(fmt::format("its metadata is damaged ({})", shownText(exception.what(), 180)));
  }
  if (Status read = readArrays(*npz, saved); !read) {
    return failWith(read);
  }
  if (!isConsistent(saved.posterior)) {
    return malformed("its arrays are inconsistent");
  }
  if (Status unchanged = npz->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return saved;
}

Status checkOrigin(const std::string& path, const PosteriorOrigin& saved,
                   const PosteriorOrigin& wanted) {
  const auto differs = [&path](const std::string& what) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the posterior was fitted {}; give another file to fit a new one",
                            path, what),
                {setting("posterior")});
  };
  if (saved.network_hash != wanted.network_hash) {
    return differs("to another network (other weights or another program)");
  }
  if (saved.preprocessing != wanted.preprocessing) {
    return differs(fmt::format("with different preprocessing ({}, not {})", saved.preprocessing,
                               wanted.preprocessing));
  }
  if (!wanted.dataset_hash.empty() && saved.dataset_hash != wanted.dataset_hash) {
    return differs(
        fmt::format("on other items ({}, {} of them)", saved.dataset_name, saved.ids.size()));
  }
  return {};
}

Status checkSettings(const std::string& path, const LaplacePosterior& saved,
                     const LaplaceSettings& settings) {
  if (saved.structure != parseLaplaceStructure(settings.structure)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the posterior has structure {}, not {}; select its structure, or "
                            "give another file",
                            path, toString(saved.structure), settings.structure),
                {setting("structure", toString(saved.structure)), setting("posterior")});
  }
  if (saved.all_layers != settings.ofAllLayers() || saved.separate_bias != settings.separate_bias) {
    std::vector<Setting> needed = {setting("layers", saved.all_layers ? "all" : "last")};
    if (saved.separate_bias != settings.separate_bias) {
      needed.push_back(saved.separate_bias ? setting("separate_bias") : omitted("separate_bias"));
    }
    needed.push_back(setting("posterior"));
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the posterior is of {}{}; select that, or give another file", path,
                            saved.all_layers ? "all layers" : "the last layer",
                            saved.separate_bias ? " with separate biases" : ""),
                std::move(needed));
  }
  return {};
}

std::string posteriorPathFor(const std::string& run_path) {
  return std::filesystem::path(run_path).replace_extension(".posterior.npz").string();
}

}  // namespace dubito
