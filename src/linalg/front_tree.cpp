#include "linalg/front_tree.h"

#include <algorithm>
#include <numeric>

#include "exec/buckets.h"

namespace marrow {
namespace {

// A child joins its parent's front if the two are small or few zeros come in: up to this many columns, with
// at most this share of zeros.
struct Relaxation {
  Index columns;
  double zeros;
};
constexpr Relaxation kRelaxations[] = {{4, 1.0}, {10, 0.5}, {24, 0.2}, {1 << 30, 0.06}};

// Fronts above so many subtrees are eliminated in tiles.
constexpr size_t kSubtrees = 16;

// Subtrees with less than this part of all work are one task; so are those with less than the least work,
// which takes some ten times what it costs to hand a task out. [speed only]
constexpr double kTaskPart = 1.0 / 128;
constexpr double kLeastTaskWork = 1500;
// Of a front beside that of its numbers. [speed only]
constexpr double kFrontWork = 100;

// For every column (in elimination order) the columns it is coupled to, on one side of it.
using Couplings = exec::Buckets<Index>;

enum class Side { Earlier, Later };

Couplings list_couplings(const BlockPattern& pattern, const std::vector<Index>& position, Side side) {
  const auto n = static_cast<size_t>(pattern.node_count());
  Couplings couplings;
  const auto visit = [&](size_t j, const auto& emit) {
    for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
      const Index a = position[j], b = position[pattern.rows[k]];
      if (a == b) continue;
      const Index early = std::min(a, b), late = std::max(a, b);
      emit(side == Side::Earlier ? late : early, side == Side::Earlier ? early : late);
    }
  };
  exec::parallel_buckets("linear.couplings", n, n, visit, couplings);
  return couplings;
}

// Liu's algorithm with path compression.
std::vector<Index> compute_elimination_tree(const Couplings& couplings, Index n) {
  std::vector<Index> parent(static_cast<size_t>(n), kNone), ancestor(static_cast<size_t>(n), kNone);
  for (Index j = 0; j < n; ++j) {
    for (Index k = couplings.offsets[j]; k < couplings.offsets[j + 1]; ++k) {
      for (Index i = couplings.items[k]; i != kNone && i < j;) {
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

// The same tree over columns in another order that keeps children before parents: it stays their elimination
// tree.
std::vector<Index> renumber_tree(const std::vector<Index>& parent, const std::vector<Index>& order) {
  std::vector<Index> place(order.size()), renumbered(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
  for (size_t k = 0; k < order.size(); ++k) {
    const Index above = parent[order[k]];
    renumbered[k] = above == kNone ? kNone : place[above];
  }
  return renumbered;
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
      for (Index i = couplings.items[k]; mark[i] != j; i = parent[i]) {
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
  const Couplings later = list_couplings(pattern, tree.position, Side::Later);
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
    for (Index k = later.offsets[front.first]; k < later.offsets[end]; ++k) add(later.items[k]);
    for (const Index child : tree.children[f]) {
      for (const Index column : tree.fronts[child].rows) add(column);
    }
    std::sort(front.rows.begin(), front.rows.end());
    if (front.rows.empty()) continue;
    front.parent = front_of[front.rows.front()];
    tree.children[front.parent].push_back(static_cast<Index>(f));
  }
}

// The work of all fronts below each, and its own.
template <class Work>
std::vector<double> sum_subtrees(const FrontTree& tree, const Work& work_of) {
  std::vector<double> work(tree.fronts.size(), 0);
  for (size_t f = 0; f < tree.fronts.size(); ++f) {
    work[f] += work_of(tree.fronts[f]);
    if (tree.fronts[f].parent != kNone) work[tree.fronts[f].parent] += work[f];
  }
  return work;
}

// Opens the heaviest subtree until there are enough of them; the fronts above are tiled.
void choose_tiled(FrontTree& tree) {
  const std::vector<double> work =
      sum_subtrees(tree, [](const Front& front) { return front.compute_work(); });
  std::vector<Index> roots;
  for (size_t f = 0; f < tree.fronts.size(); ++f) {
    tree.work += tree.fronts[f].compute_work();
    if (tree.fronts[f].parent == kNone) roots.push_back(static_cast<Index>(f));
  }
  while (!roots.empty() && roots.size() < kSubtrees) {
    const auto heaviest =
        std::max_element(roots.begin(), roots.end(), [&](Index a, Index b) { return work[a] < work[b]; });
    const Index f = *heaviest;
    if (tree.children[f].empty() || work[f] < tree.work / (4 * kSubtrees)) break;
    roots.erase(heaviest);
    roots.insert(roots.end(), tree.children[f].begin(), tree.children[f].end());
    tree.fronts[f].is_tiled = true;
  }
}

// Cuts the tree into tasks.
void list_tasks(FrontTree& tree) {
  const size_t count = tree.fronts.size();
  const std::vector<double> work =
      sum_subtrees(tree, [](const Front& front) { return front.compute_work() + kFrontWork; });
  double whole = 0;
  for (size_t f = 0; f < count; ++f) {
    if (tree.fronts[f].parent == kNone) whole += work[f];
  }
  const double least = std::max(kLeastTaskWork, kTaskPart * whole);
  // Small trees beside each other are one task too: they follow each other.
  std::vector<Index> task_of(count, kNone);
  double open_work = 0;
  for (size_t f = count; f-- > 0;) {
    const Index parent = tree.fronts[f].parent;
    const bool is_part = parent != kNone && work[parent] <= least;
    if (is_part) {
      task_of[f] = task_of[parent];
      continue;
    }
    const bool joins_next =
        parent == kNone && work[f] <= least && open_work > 0 && open_work + work[f] <= least;
    open_work = parent == kNone && work[f] <= least ? (joins_next ? open_work : 0) + work[f] : 0;
    if (!joins_next) tree.tasks.push_back({static_cast<Index>(f), static_cast<Index>(f)});
    task_of[f] = static_cast<Index>(tree.tasks.size()) - 1;
  }
  // They were found last to first.
  const auto task_count = static_cast<Index>(tree.tasks.size());
  std::reverse(tree.tasks.begin(), tree.tasks.end());
  tree.task_parents.assign(tree.tasks.size(), kNone);
  for (size_t f = 0; f < count; ++f) {
    const Index task = task_of[f] = task_count - 1 - task_of[f];
    tree.tasks[task].first = std::min(tree.tasks[task].first, static_cast<Index>(f));
  }
  for (size_t f = 0; f < count; ++f) {
    const Index parent = tree.fronts[f].parent;
    if (parent != kNone && task_of[parent] != task_of[f]) tree.task_parents[task_of[f]] = task_of[parent];
  }
}

// Calls visit(front, row) for every row of a front beyond its task, in order.
template <class Visit>
void for_each_kept(const FrontTree& tree, const Visit& visit) {
  for (const FrontTask& task : tree.tasks) {
    const Front& last = tree.fronts[task.last];
    const Index end = last.first + last.width;
    for (Index f = task.first; f <= task.last; ++f) {
      const std::vector<Index>& rows = tree.fronts[f].rows;
      for (auto row = std::lower_bound(rows.begin(), rows.end(), end); row != rows.end(); ++row)
        visit(f, *row);
    }
  }
}

void list_kept(FrontTree& tree) {
  tree.kept_starts.assign(tree.fronts.size(), 0);
  tree.kept_offsets.assign(tree.order.size() + 1, 0);
  Index before = kNone;
  for_each_kept(tree, [&](Index f, Index row) {
    if (f != before) tree.kept_starts[f] = tree.kept_count;
    before = f;
    ++tree.kept_count;
    ++tree.kept_offsets[row + 1];
  });
  std::partial_sum(tree.kept_offsets.begin(), tree.kept_offsets.end(), tree.kept_offsets.begin());
  tree.kept_sources.resize(static_cast<size_t>(tree.kept_count));
  std::vector<Index> next(tree.kept_offsets.begin(), tree.kept_offsets.end() - 1);
  Index number = 0;
  for_each_kept(tree, [&](Index, Index row) { tree.kept_sources[next[row]++] = number++; });
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
  std::vector<Index> parent =
      compute_elimination_tree(list_couplings(pattern, tree.position, Side::Earlier), n);
  const std::vector<Index> postorder = compute_postorder(parent);
  std::vector<Index> order(postorder.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = node_order[postorder[k]];
  set_order(std::move(order), tree);
  const Couplings couplings = list_couplings(pattern, tree.position, Side::Earlier);
  parent = renumber_tree(parent, postorder);

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
  choose_tiled(tree);
  list_tasks(tree);
  list_kept(tree);
  return tree;
}

}  // namespace marrow
