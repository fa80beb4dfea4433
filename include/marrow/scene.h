// A scene: bodies, how they move, contact, time, output (docs/scene.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <marrow/types.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  class Scene {
   public:
    struct Parts;  // of the library

    explicit Scene(std::shared_ptr<const Parts> parts);

    // Changes a value, as --set KEY=VALUE of the command line does: set("time.step", "0.02"),
    // set("bodies[0].material.youngs_modulus", "5e4"). Text that is not JSON counts as a string. Throws
    // InputError.
    void set(const std::string& key, const std::string& value);

    // Several values at once ("KEY=VALUE"), where one alone would not make a valid scene.
    void set(const std::vector<std::string>& assignments);

    // The scene as JSON, with every key.
    std::string to_json() const;

    // What an imported scene has that is ignored or different here.
    const std::vector<std::string>& notices() const;

    const Parts& parts() const { return *parts_; }

   private:
    std::shared_ptr<const Parts> parts_;
  };

  // Reads a scene file, an IPC script (.txt) or a rigid-ipc fixture. overrides: "KEY=VALUE". Throws
  // InputError.
  Scene read_scene(const std::string& path, const std::vector<std::string>& overrides = {});

  // The same from JSON text. folder: names of meshes are relative to it.
  Scene parse_scene(const std::string& json, const std::string& folder = ".");

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
