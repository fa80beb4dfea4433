#include "marrow/info_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/file.h"
#include "output/run/results_read.h"

namespace marrow {
namespace {

// A magnitude over the steps.
class Magnitude {
 public:
  void add(double value) {
    if (!std::isfinite(value)) return;
    last_ = value;
    peak_ = std::max(peak_, value);
    sum_ += value;
    ++count_;
  }
  // Steps without a row count as 0 in the mean, and so does the last one.
  std::string describe(bool is_last, double steps) const {
    if (count_ == 0) return fmt::format("{:>30}", "–");
    return fmt::format("{:>10.4g}{:>10.4g}{:>10.4g}", is_last ? last_ : 0.0, sum_ / std::max(1.0, steps),
                       peak_);
  }

 private:
  double last_ = 0, peak_ = 0, sum_ = 0;
  int count_ = 0;
};

struct Row {
  std::string name;
  double step = 0;
  std::string place;
  std::vector<Magnitude> magnitudes;
};

double find_length(const ResultsReader& reader, size_t first) {
  return std::hypot(reader.number(first), reader.number(first + 1), reader.number(first + 2));
}

// Rows by name, in the order in which names appear.
class Rows {
 public:
  explicit Rows(size_t magnitudes) : magnitudes_(magnitudes) {}

  Row& find(const std::string& name, double step) {
    const auto [at, is_new] = places_.try_emplace(name, rows.size());
    if (is_new) rows.push_back({name, 0, {}, std::vector<Magnitude>(magnitudes_)});
    rows[at->second].step = step;
    last_step = std::max(last_step, step);
    return rows[at->second];
  }

  size_t find_width() const {
    size_t width = 8;
    for (const Row& row : rows) width = std::max(width, row.name.size());
    return width;
  }

  void print() const {
    for (const Row& row : rows) {
      fmt::print("  {:<{}}{}", row.name, find_width(), row.place);
      for (const Magnitude& m : row.magnitudes)
        fmt::print(" {}", m.describe(row.step == last_step, last_step));
      fmt::print("\n");
    }
  }

  std::vector<Row> rows;
  double last_step = 0;

 private:
  size_t magnitudes_;
  std::map<std::string, size_t> places_;
};

void print_heads(const std::vector<const char*>& heads) {
  for (const char* head : heads) fmt::print(" {:>30}", head);
  fmt::print("\n");
}

double print_bodies(const std::string& path) {
  ResultsReader reader(path, {"step", "body", "x", "y", "z", "normal_x", "normal_y", "normal_z", "friction_x",
                              "friction_y", "friction_z", "reaction_x", "reaction_y", "reaction_z"});
  Rows bodies(3);
  while (reader.next()) {
    Row& row = bodies.find(reader.text(1), reader.number(0));
    row.place =
        fmt::format("{:>10.4g}{:>10.4g}{:>10.4g}", reader.number(2), reader.number(3), reader.number(4));
    for (size_t k = 0; k < 3; ++k) row.magnitudes[k].add(find_length(reader, 5 + 3 * k));
  }
  fmt::print(
      "bodies: last place of the centre of mass [m]; forces: last, mean, peak [N]\n  "
      "{:<{}}{:>10}{:>10}{:>10}",
      "", bodies.find_width(), "x", "y", "z");
  print_heads({"normal", "friction", "reaction"});
  bodies.print();
  return bodies.last_step;
}

void print_pairs(const std::string& path, double steps) {
  ResultsReader reader(path, {"step", "a", "b", "pressing", "normal_x", "normal_y", "normal_z", "friction_x",
                              "friction_y", "friction_z", "gap", "sticking"});
  Rows pairs(3);
  pairs.last_step = steps;
  std::map<std::string, double> gaps;
  while (reader.next()) {
    const std::string name = reader.text(1) + " – " + reader.text(2);
    Row& row = pairs.find(name, reader.number(0));
    row.magnitudes[0].add(find_length(reader, 4));
    row.magnitudes[1].add(find_length(reader, 7));
    row.magnitudes[2].add(reader.number(3));
    const double gap = reader.number(10);
    double& smallest = gaps.try_emplace(name, gap).first->second;
    if (gap < smallest || std::isnan(smallest)) smallest = gap;
    row.place = fmt::format("{:>12.3g}", smallest);
  }
  if (pairs.rows.empty()) return;
  fmt::print("pairs that touched: smallest gap [m]; forces: last, mean, peak [N]\n  {:<{}}{:>12}", "",
             pairs.find_width(), "gap");
  print_heads({"normal", "friction", "pressing"});
  pairs.print();
}

void print_joints(const std::string& path, double steps) {
  ResultsReader reader(path, {"step", "joint", "coordinate", "force_x", "force_y", "force_z", "torque_x",
                              "torque_y", "torque_z"});
  Rows joints(2);
  joints.last_step = steps;
  while (reader.next()) {
    Row& row = joints.find(reader.text(1), reader.number(0));
    row.place = fmt::format("{:>12.4g}", reader.number(2));
    row.magnitudes[0].add(find_length(reader, 3));
    row.magnitudes[1].add(find_length(reader, 6));
  }
  if (joints.rows.empty()) return;
  fmt::print(
      "joints: last coordinate [m or rad]; force [N] and torque [N m]: last, mean, peak\n  {:<{}}{:>12}", "",
      joints.find_width(), "coordinate");
  print_heads({"force", "torque"});
  joints.print();
}

}  // namespace

void print_results(const std::string& folder) {
  if (!is_file(folder + "/bodies.csv")) return;
  const double steps = print_bodies(folder + "/bodies.csv");
  if (is_file(folder + "/contacts.csv")) print_pairs(folder + "/contacts.csv", steps);
  if (is_file(folder + "/joints.csv")) print_joints(folder + "/joints.csv", steps);
}

}  // namespace marrow
