#include "linalg/front_tree.h"

#include <algorithm>
#include <numeric>

namespace marrow {
namespace {

// A child joins its parent's front if the two are small or few zeros come in: up to this many columns, with
// at most this share of zeros.
struct Relaxation {
  Index columns;
  double zeros;
};
constexpr Relaxation kRelaxations[] = {{4, 1.0}, {10, 0.5}, {24, 0.2}, {1 << 30, 0.06}};

constexpr size_t kSubtrees = 16;

// For every column (in elimination order) the earlier columns it is coupled to.
struct Couplings {
  std::vector<Index> offsets, columns;

  Couplings(const BlockPattern& pattern, const std::vector<Index>& position) {
    const Index n = pattern.node_count();
    offsets.assign(static_cast<size_t>(n) + 1, 0);
    for_each(pattern, position, [&](Index, Index late) { ++offsets[late + 1]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    columns.resize(static_cast<size_t>(offsets[n]));
    std::vector<Index> next(offsets.begin(), offsets.end() - 1);
    for_each(pattern, position, [&](Index early, Index late) { columns[next[late]++] = early; });
  }

  template <class Visit>
  static void for_each(const BlockPattern& pattern, const std::vector<Index>& position, const Visit& visit) {
    for (Index j = 0; j < pattern.node_count(); ++j) {
      for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
        const Index a = position[j], b = position[pattern.rows[k]];
        if (a != b) visit(std::min(a, b), std::max(a, b));
      }
    }
  }
};

// Liu's algorithm with path compression.
std::vector<Index> compute_elimination_tree(const Couplings& couplings, Index n) {
  std::vector<Index> parent(static_cast<size_t>(n), kNone), ancestor(static_cast<size_t>(n), kNone);
  for (Index j = 0; j < n; ++j) {
    for (Index k = couplings.offsets[j]; k < couplings.offsets[j + 1]; ++k) {
      for (Index i = couplings.columns[k]; i != kNone && i < j;) {
        const Index next = ancestor[i];
        ancestor[i] = j;
        if (next == kNone) parent[i] = j;
        i = next;
      }
    }
  }
  return parent;
}

std::vector<std::vector<Index>> list_children(const std::vector<Index>& parent) {
  std::vector<std::vector<Index>> children(parent.size());
  for (size_t j = 0; j < parent.size(); ++j) {
    if (parent[j] != kNone) children[parent[j]].push_back(static_cast<Index>(j));
  }
  return children;
}

// Children before parents, subtrees together.
std::vector<Index> compute_postorder(const std::vector<Index>& parent) {
  const std::vector<std::vector<Index>> children = list_children(parent);
  std::vector<Index> order, stack;
  order.reserve(parent.size());
  for (size_t root = 0; root < parent.size(); ++root) {
    if (parent[root] != kNone) continue;
    stack.push_back(static_cast<Index>(root));
    const size_t start = order.size();
    while (!stack.empty()) {
      const Index j = stack.back();
      stack.pop_back();
      order.push_back(j);
      for (const Index child : children[j]) stack.push_back(child);
    }
    std::reverse(order.begin() + static_cast<std::ptrdiff_t>(start), order.end());
  }
  return order;
}

// How many later columns every column touches, and the number of its children in the tree.
struct ColumnCounts {
  std::vector<Index> counts, child_counts;
};

ColumnCounts count_columns(const Couplings& couplings, const std::vector<Index>& parent) {
  // Row by row: the columns of row j are the paths from its couplings up the tree to j.
  const auto n = static_cast<Index>(parent.size());
  ColumnCounts result{std::vector<Index>(parent.size(), 0), std::vector<Index>(parent.size(), 0)};
  std::vector<Index> mark(parent.size(), kNone);
  for (Index j = 0; j < n; ++j) {
    mark[j] = j;
    if (parent[j] != kNone) ++result.child_counts[parent[j]];
    for (Index k = couplings.offsets[j]; k < couplings.offsets[j + 1]; ++k) {
      for (Index i = couplings.columns[k]; mark[i] != j; i = parent[i]) {
        mark[i] = j;
        ++result.counts[i];
      }
    }
  }
  return result;
}

// A front while fronts are still being joined.
struct Draft {
  Index first, width, rows;  // rows: how many later columns
  double zeros;              // blocks of the panel that are zero
};

double panel_blocks(double width, double rows) { return width * (width + 1) / 2 + width * rows; }

// Whether the draft before joins the one after it; fills in the joined one.
bool join(const Draft& child, const Draft& parent, Draft& joined) {
  joined = {child.first, child.width + parent.width, parent.rows, 0};
  const double whole = panel_blocks(joined.width, joined.rows);
  const double filled = panel_blocks(child.width, child.rows) - child.zeros +
                        panel_blocks(parent.width, parent.rows) - parent.zeros;
  joined.zeros = whole - filled;
  for (const Relaxation& relaxation : kRelaxations) {
    if (joined.width > relaxation.columns) continue;
    return joined.zeros <= relaxation.zeros * whole;
  }
  return false;
}

// Chains of columns with the same structure, then small neighbours joined.
std::vector<Draft> partition_columns(const std::vector<Index>& parent, const ColumnCounts& columns) {
  const auto n = static_cast<Index>(parent.size());
  std::vector<Draft> drafts;
  for (Index j = 0; j < n; ++j) {
    const bool continues = j > 0 && parent[j - 1] == j && columns.counts[j - 1] == columns.counts[j] + 1 &&
                           columns.child_counts[j] == 1;
    if (continues) {
      ++drafts.back().width;
      drafts.back().rows = columns.counts[j];
    } else {
      drafts.push_back({j, 1, columns.counts[j], 0});
    }
    // The last child of a column lies directly before it; whole fronts join when their parent is complete.
    const bool is_complete = j + 1 == n || parent[j] != j + 1 ||
                             columns.counts[j] != columns.counts[j + 1] + 1 ||
                             columns.child_counts[j + 1] != 1;
    while (is_complete && drafts.size() > 1) {
      const Draft& parent_draft = drafts.back();
      const Draft& child = drafts[drafts.size() - 2];
      const Index above = parent[child.first + child.width - 1];
      if (above < parent_draft.first || above >= parent_draft.first + parent_draft.width) break;
      Draft joined;
      if (!join(child, parent_draft, joined)) break;
      drafts.pop_back();
      drafts.back() = joined;
    }
  }
  return drafts;
}

// The later columns of every front: those its columns are coupled to, and those of its children.
void add_rows(const BlockPattern& pattern, FrontTree& tree) {
  const auto n = static_cast<size_t>(pattern.node_count());
  // Later couplings of every column.
  std::vector<Index> offsets(n + 1, 0);
  Couplings::for_each(pattern, tree.position, [&](Index early, Index) { ++offsets[early + 1]; });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Index> later(static_cast<size_t>(offsets[n]));
  std::vector<Index> next(offsets.begin(), offsets.end() - 1);
  Couplings::for_each(pattern, tree.position, [&](Index early, Index late) { later[next[early]++] = late; });

  std::vector<Index> front_of(n), mark(n, kNone);
  for (size_t f = 0; f < tree.fronts.size(); ++f) {
    const Front& front = tree.fronts[f];
    std::fill_n(front_of.begin() + front.first, front.width, static_cast<Index>(f));
  }
  tree.children.assign(tree.fronts.size(), {});
  for (size_t f = 0; f < tree.fronts.size(); ++f) {
    Front& front = tree.fronts[f];
    const Index end = front.first + front.width;
    const auto add = [&](Index column) {
      if (column < end || mark[column] == static_cast<Index>(f)) return;
      mark[column] = static_cast<Index>(f);
      front.rows.push_back(column);
    };
    for (Index k = offsets[front.first]; k < offsets[end]; ++k) add(later[k]);
    for (const Index child : tree.children[f]) {
      for (const Index column : tree.fronts[child].rows) add(column);
    }
    std::sort(front.rows.begin(), front.rows.end());
    if (front.rows.empty()) continue;
    front.parent = front_of[front.rows.front()];
    tree.children[front.parent].push_back(static_cast<Index>(f));
  }
}

// Cuts the tree: the heaviest subtree is opened until there are enough of them.
void cut_subtrees(FrontTree& tree) {
  std::vector<double> work(tree.fronts.size(), 0);
  for (size_t f = 0; f < tree.fronts.size(); ++f) {
    work[f] += tree.fronts[f].compute_work();
    tree.work += tree.fronts[f].compute_work();
    if (tree.fronts[f].parent != kNone) work[tree.fronts[f].parent] += work[f];
  }
  std::vector<Index> roots;
  for (size_t f = 0; f < tree.fronts.size(); ++f) {
    if (tree.fronts[f].parent == kNone) roots.push_back(static_cast<Index>(f));
  }
  while (!roots.empty() && roots.size() < kSubtrees) {
    const auto heaviest =
        std::max_element(roots.begin(), roots.end(), [&](Index a, Index b) { return work[a] < work[b]; });
    const Index f = *heaviest;
    if (tree.children[f].empty() || work[f] < tree.work / (4 * kSubtrees)) break;
    roots.erase(heaviest);
    roots.insert(roots.end(), tree.children[f].begin(), tree.children[f].end());
    tree.top.push_back(f);
  }
  std::sort(tree.top.begin(), tree.top.end());
  std::sort(roots.begin(), roots.end(),
            [&](Index a, Index b) { return work[a] > work[b] || (work[a] == work[b] && a < b); });
  for (const Index root : roots) {
    // A subtree is contiguous: it ends at its root.
    std::vector<Index> members = {root};
    for (size_t k = 0; k < members.size(); ++k) {
      members.insert(members.end(), tree.children[members[k]].begin(), tree.children[members[k]].end());
    }
    std::sort(members.begin(), members.end());
    tree.subtrees.push_back(std::move(members));
  }
}

void set_order(std::vector<Index> order, FrontTree& tree) {
  tree.position.resize(order.size());
  for (size_t k = 0; k < order.size(); ++k) tree.position[order[k]] = static_cast<Index>(k);
  tree.order = std::move(order);
}

}  // namespace

FrontTree build_front_tree(const BlockPattern& pattern, const std::vector<Index>& node_order) {
  const Index n = pattern.node_count();
  FrontTree tree;
  // Renumber by a postorder of the elimination tree, so that fronts are ranges of columns.
  set_order(node_order, tree);
  std::vector<Index> parent = compute_elimination_tree(Couplings(pattern, tree.position), n);
  const std::vector<Index> postorder = compute_postorder(parent);
  std::vector<Index> order(postorder.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = node_order[postorder[k]];
  set_order(std::move(order), tree);
  const Couplings couplings(pattern, tree.position);
  parent = compute_elimination_tree(couplings, n);

  for (const Draft& draft : partition_columns(parent, count_columns(couplings, parent))) {
    Front front;
    front.first = draft.first;
    front.width = draft.width;
    tree.fronts.push_back(std::move(front));
  }
  add_rows(pattern, tree);
  for (Front& front : tree.fronts) {
    front.panel = tree.panel_size;
    tree.panel_size += 9 * static_cast<size_t>(front.height()) * static_cast<size_t>(front.width);
  }
  cut_subtrees(tree);
  return tree;
}

}  // namespace marrow
