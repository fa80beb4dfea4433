// Bodies that do what their author hardly meant, told when it happens, once for each body: one that only
// falls with nothing below it, one that has left the scene; at the end, one that creeps.
//
// Only bodies that move by themselves count: no obstacles, nothing prescribed, no joint.
#pragma once

#include <string>
#include <vector>

#include "mesh/point_box.h"
#include "sim/model/model.h"
#include "sim/model/report.h"

namespace marrow {

class BodyNotes {
 public:
  // The model must outlive this.
  explicit BodyNotes(const Model& model);

  // Sentences about what is new in this step.
  std::vector<std::string> add(const State& state, const StepReport& report);

  // Bodies that creep, after the last step.
  std::vector<std::string> list() const;

 private:
  struct Watched {
    Index body = 0;
    std::vector<double> shares;  // of its mass, by node
    Vec3 start = Vec3::Zero();   // of its centre of mass
    bool is_told = false;
    // Since when the centre has been slower than epsilon_v, and where it was then.
    int slow_since = -1;
    double slow_time = 0;
    Vec3 slow_start = Vec3::Zero();
    double slow_shift = 0;  // from there to now [m]
  };

  Vec3 find_center(const Watched& watched, const VecX& nodes) const;
  void watch_creep(const Vec3& center, const State& state, Watched& watched) const;
  std::string describe_lost(const Watched& watched, const Vec3& center, const State& state) const;
  bool is_above_something(Index body, const VecX& nodes) const;

  const Model& model_;
  Eigen::AlignedBox3d box_;  // of all bodies at time 0
  double own_size_ = 0;      // diagonal of the box of all bodies but obstacles at time 0 [m]
  std::vector<Watched> watched_;
  int last_step_ = 0;
  double last_time_ = 0;      // [s]
  bool is_touching_ = false;  // anything, at the end of the last step
  bool is_moved_ = false;     // something prescribed was moved by the last step
};

}  // namespace marrow
