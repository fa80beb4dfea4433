#include "linalg/node_order.h"

#include <cholmod.h>

#include "core/trace.h"

namespace marrow {
namespace {

// Above this many nodes nested dissection pays for itself against minimum degree.
constexpr Index kNestedDissectionNodes = 500;

}  // namespace

std::vector<Index> compute_node_order(const BlockPattern& pattern) {
  const trace::Scope scope("linear.order");
  cholmod_common common = {};
  cholmod_start(&common);
  common.print = 0;
  const Index n = pattern.node_count();
  cholmod_sparse graph = {};
  graph.nrow = graph.ncol = static_cast<size_t>(n);
  graph.nzmax = pattern.block_count();
  graph.p = const_cast<Index*>(pattern.column_offsets.data());
  graph.i = const_cast<Index*>(pattern.rows.data());
  graph.stype = -1;
  graph.itype = CHOLMOD_INT;
  graph.xtype = CHOLMOD_PATTERN;
  graph.dtype = CHOLMOD_DOUBLE;
  graph.sorted = graph.packed = 1;
  std::vector<Index> order(static_cast<size_t>(n));
  const bool is_large = n > kNestedDissectionNodes;
  if (!is_large || !cholmod_metis(&graph, nullptr, 0, 1, order.data(), &common)) {
    cholmod_amd(&graph, nullptr, 0, order.data(), &common);
  }
  cholmod_finish(&common);
  return order;
}

}  // namespace marrow
