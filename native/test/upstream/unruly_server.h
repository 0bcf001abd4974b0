// What a storm's servers do: they echo the id of each request in header and body, late, in pieces,
// framed this way or that; and now and then they close, reset, fall silent or talk nonsense. They
// write down what they saw, for the checks.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../check.h"
#include "scripted_server.h"

namespace weir::test {

using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t bound) {
  return static_cast<std::size_t>(random() % bound);
}

// One request as the storm knows it; its id is in the path.
struct Sent {
  bool idempotent = false;
  bool head_method = false;
  std::size_t body_bytes = 0;
  bool chunked = false;
  // times that its head came to a server
  std::size_t arrivals = 0;
  // and times that some of its body did
  std::size_t body_arrivals = 0;
  // a server has said all of an answer
  bool answered = false;
};
using SentById = std::map<std::uint64_t, Sent>;

// The body that belongs to an id; some are larger than what is read at a time.
inline std::string body_of(std::uint64_t id) {
  const std::string piece = std::to_string(id) + ";";
  const std::size_t times = id % 17 == 0 ? 40'000 : id % 5 == 0 ? 0 : id % 40;
  std::string body;
  body.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i) body += piece;
  return body;
}

class UnrulyPeer {
 public:
  UnrulyPeer(Peer& peer, std::size_t pipelining) : peer_(peer), pipelining_(pipelining) {}

  void step(Random& random, SentById& sent, bool calm) {
    if (!peer_.open()) return;
    read(sent);
    if (hung_up_) {
      hang_up();
      return;
    }
    if (!calm && below(random, 60) == 0) {
      mischief(random);
      return;
    }
    if (asked_.empty() || silent_ > 0) {
      if (silent_ > 0) --silent_;
      return;
    }
    if (saying_.empty() && !begun_) begin(random, sent, calm);
    if (!begun_) return;
    const std::size_t bytes =
        calm || below(random, 3) > 0 ? saying_.size() : below(random, saying_.size() + 1);
    peer_.say(std::string_view(saying_).substr(0, bytes));
    saying_.erase(0, bytes);
    if (saying_.empty()) done(sent);
  }

 private:
  void mischief(Random& random) {
    switch (below(random, 6)) {
      case 0:
        peer_.reset();
        return;
      case 1:
        if (!close_delimited_) peer_.close();
        return;
      case 2:
        // Unasked, or in the middle of something: never an answer.
        if (!close_delimited_ && !asked_.empty() && !begun_) peer_.say("\x01nonsense");
        return;
      case 3:
        // Maybe while a request is on its way, which then takes it for its answer.
        if (!asked_.empty()) return;
        peer_.say("HTTP/1.1 408 Late\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        hang_up();
        return;
      default:
        silent_ = below(random, 60);
    }
  }

  // Takes whole requests apart; of one whose body is still to come, the head.
  void read(SentById& sent) {
    std::string& bytes = peer_.received;
    for (;;) {
      if (skipping_chunks_) {
        if (!bytes.empty()) note_body(sent);
        const std::size_t end = bytes.find("0\r\n\r\n");
        if (end == std::string::npos) {
          if (bytes.size() > 4) bytes.erase(0, bytes.size() - 4);
          return;
        }
        bytes.erase(0, end + 5);
        skipping_chunks_ = false;
      }
      const std::size_t skipped = std::min(skipping_, bytes.size());
      bytes.erase(0, skipped);
      skipping_ -= skipped;
      if (skipped > 0) note_body(sent);
      if (skipping_ > 0) return;
      const std::size_t end = bytes.find("\r\n\r\n");
      if (end == std::string::npos) return;
      const std::uint64_t id = std::strtoull(bytes.c_str() + bytes.find('/') + 1, nullptr, 10);
      CHECK(sent.contains(id));
      Sent& request = sent[id];
      ++request.arrivals;
      CHECK(request.arrivals == 1 || request.idempotent);
      CHECK(request.arrivals < 12);
      asked_.push_back(id);
      last_asked_ = id;
      body_noted_ = false;
      CHECK(asked_.size() <= pipelining_);
      bytes.erase(0, end + 4);
      skipping_ = request.body_bytes;
      skipping_chunks_ = request.chunked;
    }
  }

  // Bytes of a body that come to a server never come to another.
  void note_body(SentById& sent) {
    if (body_noted_) return;
    body_noted_ = true;
    CHECK(++sent[last_asked_].body_arrivals == 1);
  }

  void begin(Random& random, const SentById& sent, bool calm) {
    if (!calm && below(random, 3) == 0) return;
    begun_ = true;
    const std::uint64_t id = asked_.front();
    const Sent& request = sent.at(id);
    const std::string body = request.head_method ? "" : body_of(id);
    if (below(random, 8) == 0) saying_ += "HTTP/1.1 103 Hints\r\nlink: x\r\n\r\n";
    saying_ += "HTTP/1.1 200 OK\r\nx-id: " + std::to_string(id) + "\r\n";
    closes_ = skipping_ > 0 || skipping_chunks_ || below(random, 8) == 0;
    if (closes_) saying_ += "connection: close\r\n";
    switch (below(random, 5)) {
      case 0:
        saying_ += "transfer-encoding: chunked\r\n\r\n";
        if (request.head_method) break;
        for (std::size_t at = 0; at < body.size();) {
          const std::size_t size = std::min(body.size() - at, 1 + below(random, 50'000));
          std::array<char, 16> digits;
          std::snprintf(digits.data(), digits.size(), "%zx\r\n", size);
          saying_ += digits.data() + body.substr(at, size) + "\r\n";
          at += size;
        }
        saying_ += "0\r\n\r\n";
        break;
      case 1:
        if (!request.head_method) {
          closes_ = close_delimited_ = true;
          saying_ += "\r\n" + body;
          break;
        }
        [[fallthrough]];
      default:
        saying_ += "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
  }

  void done(SentById& sent) {
    if (close_delimited_ && peer_.unsaid() > 0) return;
    sent.at(asked_.front()).answered = true;
    asked_.erase(asked_.begin());
    begun_ = close_delimited_ = false;
    if (closes_) hang_up();
  }

  // As servers do who want their last words to be heard.
  void hang_up() {
    hung_up_ = true;
    peer_.step();
    if (peer_.unsaid() == 0) peer_.half_close();
  }

  Peer& peer_;
  const std::size_t pipelining_;
  std::vector<std::uint64_t> asked_;
  std::uint64_t last_asked_ = 0;
  bool body_noted_ = false;
  // of the answer to the first of them
  std::string saying_;
  bool begun_ = false;
  bool closes_ = false;
  bool hung_up_ = false;
  bool close_delimited_ = false;
  std::size_t silent_ = 0;
  std::size_t skipping_ = 0;
  bool skipping_chunks_ = false;
};

class UnrulyServer {
 public:
  ScriptedServer server;

  bool step(Random& random, SentById& sent, std::size_t pipelining, bool calm) {
    server.accepts = calm || below(random, 10) > 0;
    const bool moved = server.step();
    while (behaviours_.size() < server.peers.size()) {
      behaviours_.emplace_back(*server.peers[behaviours_.size()], pipelining);
    }
    for (std::size_t i = 0; i < behaviours_.size(); ++i) {
      if (server.peers[i]->ended && server.peers[i]->open()) server.peers[i]->close();
      behaviours_[i].step(random, sent, calm);
    }
    return moved;
  }

 private:
  std::vector<UnrulyPeer> behaviours_;
};

}  // namespace weir::test
