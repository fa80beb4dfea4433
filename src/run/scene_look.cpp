#include "run/scene_look.h"

#include <nlohmann/json.hpp>

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// Only what the scene says.
Json describe_view(const ViewDescription& view) {
  Json json = Json::object();
  if (view.side) json["side"] = enum_name(*view.side);
  if (view.camera) json["camera"] = to_json(*view.camera);
  if (view.target) json["target"] = to_json(*view.target);
  if (!view.hide.empty()) json["hide"] = view.hide;
  if (const auto plane = parse_section(view.section)) {
    json["section"] = {
        {"normal", to_json(plane->normal)}, {"offset", plane->offset}, {"faces_camera", plane->faces_camera}};
  }
  if (!view.color.empty()) json["color"] = view.color;
  if (view.theme) json["theme"] = enum_name(*view.theme);
  if (!view.overlays.empty()) json["overlays"] = view.overlays;
  return json;
}

}  // namespace

SceneLook describe_look(const Scene& scene) {
  SceneLook look;
  for (const BodyDescription& body : scene.bodies) {
    BodyLook& own = look.bodies.emplace_back();
    if (body.color) own.color = parse_color(*body.color);
    own.is_visible = body.visible.value_or(true);
    own.radius = body.thickness.value_or(0) / 2;
    own.group = body.group;
  }
  ViewDescription view = scene.view.value_or(ViewDescription{});
  // What is flat is seen from the front.
  const bool is_flat = scene.dimension == 2 && !view.side && !view.camera;
  if (is_flat) view.side = ViewSide::Front;
  if (scene.view || is_flat)
    look.view = describe_view(view).dump(-1, ' ', false, Json::error_handler_t::replace);
  return look;
}

}  // namespace marrow
