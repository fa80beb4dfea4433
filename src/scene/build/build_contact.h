// From what a scene says about contact to what the solver needs: lengths resolved, names turned into numbers.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "scene/description.h"

namespace marrow {

// A body's extent at the start.
struct BodyBox {
  Eigen::AlignedBox3d box;
  bool is_obstacle = false;
};
std::vector<BodyBox> list_boxes(const Kinematics& kinematics);

// The box diagonal of the smallest body that moves by itself: what "small" means must not depend on the
// ground plate.
double compute_smallest_size(const std::vector<BodyBox>& bodies);

// The box of the bodies that are not obstacles, so that a ground plate does not decide what is close; of all
// if there is no other. Of many small bodies, as in a long chain, the smallest decides.
double compute_reference_length(const std::vector<BodyBox>& bodies, double smallest);

double choose_d_hat(const ContactOptions& options, double reference_length);

// kinematics: the scene's bodies, placed as at time 0; smallest: the size of the smallest that moves [m].
ContactModel build_contact(const Scene& scene, const Kinematics& kinematics, double smallest);

}  // namespace marrow
