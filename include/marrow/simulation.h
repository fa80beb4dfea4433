// A simulation in memory, step by step.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <marrow/potential.h>
#include <marrow/results.h>
#include <marrow/scene.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  struct StepReport {
    bool is_solved = false;   // false: the state is as it was before the step
    std::string outcome;      // "converged", … (docs/models/time_step.md)
    std::string explanation;  // of a failure, for a person
    int step = 0;
    double time = 0;  // at the end of the step [s]
    int newton_iterations = 0;
    int parts = 0;  // 1, or more where the step had to be split
    std::size_t contacts = 0;
    double smallest_gap = std::numeric_limits<double>::infinity();  // [m]
    double motion_remaining =
        0;  // how far a prescribed point is from its target because something blocks it [m]
    double kinetic_energy = 0, elastic_energy = 0, gravity_energy = 0, spring_energy = 0;  // [J]
    Vec3 momentum = {};                                                                    // [kg m/s]
    Vec3 angular_momentum = {};  // about the origin [kg m²/s]
  };

  // The state of a simulation, exactly: a simulation of the same scene restored from it continues bit for
  // bit.
  struct Checkpoint {
    std::string bytes;  // as in the files of a run's folder
  };

  // Forces on the points of a body [N], at the beginning of a step; they act over all of it.
  using ForceField = std::function<void(double time, std::span<const Vec3> points,
                                        std::span<const Vec3> velocities, std::span<Vec3> forces)>;

  class Simulation {
   public:
    // Builds the bodies and checks the start exactly. Throws InputError, also if something intersects.
    explicit Simulation(const Scene& scene);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // Takes one step. Nothing intersects before, during and after it.
    StepReport step();

    bool is_finished() const;  // the scene's duration is over; more steps may be taken all the same
    int step_count() const;    // of the scene
    int current_step() const;
    double time() const;  // [s]

    std::vector<std::string> bodies() const;
    // Where a body's points are and how fast [m, m/s]; valid until the next step. In the order of its mesh.
    std::span<const Vec3> points(const std::string& body) const;
    std::span<const Vec3> velocities(const std::string& body) const;
    std::vector<Triangle> triangles(const std::string& body) const;  // of its surface
    std::vector<Tet> tets(const std::string& body) const;

    // The pose of a body now, and the forces of the last step. Before the first step, and after restore,
    // there are none.
    Pose pose(const std::string& body) const;
    BodyForces forces(const std::string& body) const;
    std::vector<ContactForce> contact_forces() const;  // of the bodies that touched
    std::vector<JointForce> joint_forces() const;

    Checkpoint save() const;
    void restore(const Checkpoint& checkpoint);  // throws InputError if it is of another scene

    // Added terms act in all steps from now on. They are not part of checkpoints.
    void add_force(const std::string& body, ForceField force);
    // elements: the numbers of the points of each.
    void add_potential(const std::string& body, const std::vector<std::vector<std::int32_t>>& elements,
                       const std::shared_ptr<const Potential>& potential);

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
  };

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
