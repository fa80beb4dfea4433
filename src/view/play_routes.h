// What the server answers beside the viewer's own paths while a scene plays (docs/play.md).
#pragma once

#include "play/desk.h"
#include "view/play_source.h"

namespace httplib {
class Server;
}

namespace marrow {

// Both must outlive the server.
void add_play_routes(httplib::Server& server, Desk& desk, PlaySource& source);

}  // namespace marrow
