// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/task.h"

#include <algorithm>

namespace dubito {
namespace {

const Task* findTask(std::string_view key) {
  const auto found =
      std::ranges::find_if(tasks(), [&](const Task& task) { return key == task.key; });
  return found == tasks().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<Task>& tasks() {
  static const std::vector<Task> all = {
      {kClassification, "one of K classes", "a probability for each class"},
  };
  return all;
}

bool isTask(std::string_view key) {
  return findTask(key) != nullptr;
}

bool isTaskOf(std::string_view key, std::string_view of) {
  for (const Task* task = findTask(key); task != nullptr;
       task = task->kind_of == nullptr ? nullptr : findTask(task->kind_of)) {
    if (task->key == of) {
      return true;
    }
  }
  return false;
}

std::string taskKeys() {
  std::string keys;
  for (const Task& task : tasks()) {
    keys += std::string(keys.empty() ? "'" : ", '") + task.key + "'";
  }
  return keys;
}

}  // namespace dubito
