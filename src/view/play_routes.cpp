#include "view/play_routes.h"

#include <httplib.h>

#include <algorithm>

namespace marrow {
namespace {

using httplib::Request;
using httplib::Response;

// A page asks again after this long, and so shows that it is there.
constexpr std::chrono::milliseconds kLongestWait(500);

void refuse_play(Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
}

}  // namespace

void add_play_routes(httplib::Server& server, Desk& desk, PlaySource& source) {
  server.Post("/api/play", [&desk](const Request& request, Response& response) {
    if (request.get_header_value("Content-Type") != "application/json")
      return refuse_play(response, 415, "The body must be JSON.");
    const Desk::Answer answer = desk.take_message(request.body);
    response.status = answer.status;
    response.set_content(answer.text, "application/json");
  });
  // The next frame after the given one, for the page of this name.
  server.Get(R"(/api/next/(\d{1,15}))", [&desk, &source](const Request& request, Response& response) {
    if (request.has_param("page") && !desk.note_page(request.get_param_value("page")))
      return refuse_play(response, 400, "page must be 8 to 64 letters, digits or dashes.");
    const std::string answer = source.wait_for_next(std::stoull(request.matches[1]), kLongestWait);
    if (answer.empty()) {
      response.status = 204;
      return;
    }
    response.set_content(answer, "application/octet-stream");
  });
}

}  // namespace marrow
