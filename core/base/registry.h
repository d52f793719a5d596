// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dubito {

/// Descriptions of the values of the enum `Id`, in the order of the enum; more can be appended at
/// run time. `Info` has a member `key`, and a function isComplete(info) exists. References to
/// descriptions stay valid.
template <class Id, class Info>
class Registry {
 public:
  template <class Infos>
  explicit Registry(const Infos& built_in) {
    for (const Info& info : built_in) {
      append(info);
    }
  }

  [[nodiscard]] const std::vector<Id>& ids() const { return ids_; }
  /// Throws std::out_of_range for an unknown id.
  [[nodiscard]] const Info& info(Id id) const { return infos_.at(static_cast<std::size_t>(id)); }
  [[nodiscard]] std::optional<Id> find(std::string_view key) const {
    const auto found = std::ranges::find(ids_, key, [this](Id id) { return info(id).key; });
    return found == ids_.end() ? std::nullopt : std::optional(*found);
  }

  /// Appends a description and returns its new id. Throws std::invalid_argument if `info` is
  /// incomplete, its key is already used, or the type of the enum has no value left.
  Id add(const Info& info) {
    if (!isComplete(info)) {
      throw std::invalid_argument("Registry::add: a member is missing");
    }
    if (find(info.key)) {
      throw std::invalid_argument(std::string("Registry::add: duplicate key ") + info.key);
    }
    if (ids_.size() > std::numeric_limits<std::underlying_type_t<Id>>::max()) {
      throw std::invalid_argument("Registry::add: too many entries");
    }
    return append(info);
  }

 private:
  Id append(const Info& info) {
    infos_.push_back(info);
    ids_.push_back(static_cast<Id>(ids_.size()));
    return ids_.back();
  }

  std::deque<Info> infos_;
  std::vector<Id> ids_;
};

}  // namespace dubito
