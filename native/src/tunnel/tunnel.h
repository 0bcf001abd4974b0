// One tunnel: the bytes of a client that were no HTTP any more, on their way to a backend and back,
// past JS (README.md, "Tunnels"). Each side is read only while the other takes what it says, so
// that what is kept is one read of each. Made by tunnels.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "front/front.h"
#include "front/passage.h"
#include "tunnel/backend_end.h"
#include "tunnel/frame_tracker.h"
#include "tunnel/owner.h"

namespace weir::tunnel {

class Tunnels;

class Tunnel final : public front::Passage {
 public:
  Tunnel(Tunnels& tunnels, front::Front& front, front::Connection& client, std::uint32_t number,
         bool is_websocket);
  ~Tunnel();
  Tunnel(const Tunnel&) = delete;
  Tunnel& operator=(const Tunnel&) = delete;

  const std::uint32_t number;

  // Before anything else. From then on the end may be told.
  void join(std::unique_ptr<BackendEnd> backend) { backend_ = std::move(backend); }

  // Of the backend.
  void backend_sent(std::string_view bytes);
  void backend_ended();
  void backend_broke();
  void backend_has_room();

  // Of the client.
  void client_sent(std::string_view bytes) override;
  void client_ended() override;
  void client_has_room() override;
  void client_idles() override;
  void client_gone() override;

  // An end in good order, as soon as one is possible.
  void drain();
  // Both connections are closed.
  void close(Ending by);
  // The environment ends: nobody is told of anything.
  void abandon();

  bool is_over() const { return is_over_; }
  std::uint64_t bytes_in() const { return bytes_in_; }
  std::uint64_t bytes_out() const { return bytes_out_; }
  // when somebody has waited long enough for the last bytes to go (Tunnels::linger)
  std::uint64_t until_ms = 0;

 private:
  void note(Ending by) {
    if (by_ == Ending::kNone) by_ = by;
  }
  // The client is told, behind all that was passed, that there will be no more.
  void finish_client();
  void finish_backend();
  void pass_to_client(std::string_view bytes);
  void pass_to_backend(std::string_view bytes);
  // A close frame is due, if what goes to this side is between two frames.
  void say_goodbye_to_client();
  void say_goodbye_to_backend();
  void settle();
  void end(bool broken);

  Tunnels& tunnels_;
  front::Front& front_;
  // nullptr: closed
  front::Connection* client_;
  std::unique_ptr<BackendEnd> backend_;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
  // what goes to the backend, and what goes to the client
  FrameTracker in_;
  FrameTracker out_;
  Ending by_ = Ending::kNone;
  const bool is_websocket_;
  bool is_over_ = false;
  bool draining_ = false;
  // It has ended its side.
  bool client_ended_ = false;
  bool backend_ended_ = false;
  // Nothing that the other side says goes to it any more.
  bool client_done_ = false;
  bool backend_done_ = false;
  // It is told that there will be no more.
  bool client_finished_ = false;
  bool backend_finished_ = false;
};

}  // namespace weir::tunnel
