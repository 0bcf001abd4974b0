#include "tunnel/tunnel.h"

#include <utility>

#include "tunnel/tunnels.h"

namespace weir::tunnel {

namespace {

using namespace std::string_view_literals;

// A close frame with status 1001, "going away"; from a client it is masked (RFC 6455 5.3), with any
// key.
constexpr std::string_view kGoingAway = "\x88\x02\x03\xe9"sv;
constexpr std::string_view kGoingAwayMasked = "\x88\x82\x57\x45\x49\x52\x54\xac"sv;

}  // namespace

Tunnel::Tunnel(Tunnels& tunnels, front::Front& front, front::Connection& client,
               std::uint32_t its_number, bool is_websocket)
    : number(its_number),
      tunnels_(tunnels),
      front_(front),
      client_(&client),
      is_websocket_(is_websocket) {}

Tunnel::~Tunnel() = default;

// Hot.
void Tunnel::client_sent(std::string_view bytes) {
  if (is_over_ || backend_done_) return;
  bytes_in_ += bytes.size();
  front_.moved(*client_);
  if (!is_websocket_) {
    pass_to_backend(bytes);
  } else if (!draining_) {
    in_.follow(bytes);
    pass_to_backend(bytes);
  } else {
    pass_to_backend(bytes.substr(0, in_.follow_frame(bytes)));
    say_goodbye_to_backend();
  }
}

// Hot.
void Tunnel::backend_sent(std::string_view bytes) {
  if (is_over_ || client_done_ || client_ == nullptr) return;
  bytes_out_ += bytes.size();
  front_.moved(*client_);
  if (!is_websocket_) {
    pass_to_client(bytes);
  } else if (!draining_) {
    out_.follow(bytes);
    pass_to_client(bytes);
  } else {
    pass_to_client(bytes.substr(0, out_.follow_frame(bytes)));
    say_goodbye_to_client();
  }
}

void Tunnel::pass_to_client(std::string_view bytes) {
  if (!front_.pass(*client_, bytes)) backend_->pause(true);
}

void Tunnel::pass_to_backend(std::string_view bytes) {
  if (backend_->send(bytes) || client_ == nullptr) return;
  front_.pause(*client_, true);
}

void Tunnel::client_has_room() {
  if (is_over_) return;
  backend_->pause(false);
  if (is_over_) return;
  if (client_finished_) front_.shut(*client_);
  settle();
}

void Tunnel::backend_has_room() {
  if (is_over_) return;
  if (client_ != nullptr) front_.pause(*client_, false);
  settle();
}

void Tunnel::client_ended() {
  note(Ending::kClient);
  client_ended_ = true;
  finish_backend();
  settle();
}

void Tunnel::backend_ended() {
  note(Ending::kBackend);
  backend_ended_ = true;
  finish_client();
  settle();
}

void Tunnel::backend_broke() {
  note(Ending::kBackend);
  end(true);
}

void Tunnel::client_idles() { close(Ending::kIdle); }

// A plain client that was not told of an end has its own told by `client_ended`, so what closes its
// connection without that has broken it.
void Tunnel::client_gone() {
  const bool in_order = client_->listener->ssl != 0 || client_finished_ || client_ended_;
  client_ = nullptr;
  note(Ending::kClient);
  if (!in_order) {
    end(true);
    return;
  }
  client_ended_ = true;
  finish_backend();
  settle();
  // What it said last may still be on its way.
  if (!is_over_) tunnels_.linger(*this);
}

void Tunnel::finish_client() {
  if (client_finished_ || client_ == nullptr) return;
  client_done_ = client_finished_ = true;
  if (client_->backlog.empty()) front_.shut(*client_);
  if (draining_ && backend_finished_) tunnels_.linger(*this);
}

void Tunnel::finish_backend() {
  if (backend_finished_) return;
  backend_done_ = backend_finished_ = true;
  backend_->finish();
  if (draining_ && client_finished_) tunnels_.linger(*this);
}

void Tunnel::drain() {
  if (is_over_ || draining_) return;
  draining_ = true;
  note(Ending::kDrain);
  if (!is_websocket_) {
    finish_client();
    finish_backend();
  } else {
    say_goodbye_to_client();
    if (!is_over_) say_goodbye_to_backend();
  }
  settle();
}

void Tunnel::say_goodbye_to_client() {
  if (is_over_ || client_done_ || client_ == nullptr || !out_.between_frames()) return;
  client_done_ = true;
  if (!out_.has_closed()) pass_to_client(kGoingAway);
  settle();
}

void Tunnel::say_goodbye_to_backend() {
  if (is_over_ || backend_done_ || !in_.between_frames()) return;
  backend_done_ = true;
  if (!in_.has_closed()) pass_to_backend(kGoingAwayMasked);
  settle();
}

void Tunnel::close(Ending by) {
  note(by);
  end(false);
}

// It is over when both have said all, and all of it has gone. One that drains ends both sides when
// both have been told goodbye, and not before: a client with TLS is heard no more after that.
void Tunnel::settle() {
  if (draining_ && !is_over_ && client_done_ && backend_done_) {
    finish_client();
    finish_backend();
  }
  if (is_over_ || !client_ended_ || backend_->is_sending()) return;
  if (client_ == nullptr || (backend_ended_ && client_->backlog.empty())) end(false);
}

void Tunnel::end(bool broken) {
  if (is_over_) return;
  is_over_ = true;
  backend_->drop(broken);
  if (front::Connection* const client = std::exchange(client_, nullptr)) {
    front_.leave_tunnel(*client, broken);
  }
  tunnels_.over(*this, by_);
}

void Tunnel::abandon() {
  is_over_ = true;
  backend_->drop(false);
  if (client_ != nullptr) client_->passage = nullptr;
  client_ = nullptr;
}

}  // namespace weir::tunnel
