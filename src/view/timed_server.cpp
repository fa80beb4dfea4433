#include "view/timed_server.h"

#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/clock.h"

namespace marrow {
namespace {

using std::chrono::milliseconds;

milliseconds to_milliseconds(time_t seconds, time_t microseconds) {
  return std::chrono::duration_cast<milliseconds>(std::chrono::seconds(seconds) +
                                                  std::chrono::microseconds(microseconds));
}

// True if the socket becomes ready for these events within the wait.
bool wait_for(int socket, short events, milliseconds wait) {
  pollfd entry = {socket, events, 0};
  int ready = 0;
  do {
    ready = ::poll(&entry, 1, static_cast<int>(std::max<milliseconds::rep>(wait.count(), 0)));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

// True if the other side has closed the connection.
bool is_closed(int socket) {
  if (!wait_for(socket, POLLIN, milliseconds(0))) return false;
  char byte = 0;
  return ::recv(socket, &byte, 1, MSG_PEEK) <= 0;
}

// One request and its answer.
class TimedStream final : public httplib::Stream {
 public:
  TimedStream(int socket, milliseconds request_time, milliseconds write_time)
      : socket_(socket), deadline_(Clock::now() + request_time), write_time_(write_time) {}

  bool is_readable() const override { return first_ < last_ || wait_for(socket_, POLLIN, time_left()); }
  bool is_writable() const override { return wait_for(socket_, POLLOUT, write_time_) && !is_closed(socket_); }

  // The parser reads single bytes, so the input is buffered.
  ssize_t read(char* to, size_t size) override {
    if (first_ == last_) {
      if (!wait_for(socket_, POLLIN, time_left())) return -1;
      const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (got <= 0) return got;
      first_ = 0;
      last_ = static_cast<size_t>(got);
    }
    const size_t count = std::min(size, last_ - first_);
    std::memcpy(to, buffer_.data() + first_, count);
    first_ += count;
    return static_cast<ssize_t>(count);
  }

  using httplib::Stream::write;
  ssize_t write(const char* from, size_t size) override {
    if (!wait_for(socket_, POLLOUT, write_time_)) return -1;
    return ::send(socket_, from, size, MSG_NOSIGNAL);
  }

  // The addresses are not used.
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  socket_t socket() const override { return socket_; }

 private:
  milliseconds time_left() const {
    return std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
  }

  int socket_;
  Clock::time_point deadline_;
  milliseconds write_time_;
  std::array<char, 4096> buffer_;
  size_t first_ = 0, last_ = 0;  // of the unread bytes
};

class TimedServer final : public httplib::Server {
 public:
  explicit TimedServer(milliseconds request_time) : request_time_(request_time) {}

 private:
  // Answers requests until either side closes the connection.
  bool process_and_close_socket(socket_t socket) override {
    const milliseconds write_time = to_milliseconds(write_timeout_sec_, write_timeout_usec_);
    const milliseconds idle_time = to_milliseconds(keep_alive_timeout_sec_, 0);
    bool is_served = false;
    for (size_t left = keep_alive_max_count_; left > 0 && svr_sock_ != INVALID_SOCKET; --left) {
      if (!wait_for(socket, POLLIN, idle_time)) break;
      TimedStream stream(socket, request_time_, write_time);
      bool is_at_end = false;
      is_served = process_request(stream, left == 1, is_at_end, nullptr);
      if (!is_served || is_at_end) break;
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return is_served;
  }

  milliseconds request_time_;
};

}  // namespace

std::unique_ptr<httplib::Server> make_timed_server(milliseconds request_time) {
  return std::make_unique<TimedServer>(request_time);
}

}  // namespace marrow
