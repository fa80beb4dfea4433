// An HTTP server that waits for a request only so long in all.
//
// cpp-httplib limits the wait for each piece of a request. A request that comes byte by byte thus holds a
// thread for hours. Here the whole request must be there within a given time of its first byte.
#pragma once

#include <chrono>
#include <memory>

namespace httplib {
class Server;
}

namespace marrow {

// request_time: from the first byte of a request to its last.
std::unique_ptr<httplib::Server> make_timed_server(std::chrono::milliseconds request_time);

}  // namespace marrow
