// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/item_lister.h"

#include <memory>

namespace dubito {

ItemLister::ItemLister(Session& session, WindowJobs& jobs, Messages& messages, QObject* parent)
    : QObject(parent), session_(session), messages_(messages), job_(jobs.listThread()) {
  connect(&session_.listing(), &ItemListing::queryChanged, this, &ItemLister::list);
}

void ItemLister::list() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    job_.abandon();
    return;
  }
  job_.restart<ItemList>(
      tr("Sorting"), {},
      [analysis, query = session_.listing().query()](RunContext&) -> Expected<ItemList> {
        return std::make_shared<const ItemRefs>(findItems(*analysis, query));
      },
      this,
      [this](Expected<ItemList> items) {
        if (items) {
          session_.listing().setItems(*items);
        } else {
          messages_.report(items.error());
        }
      });
}

}  // namespace dubito
