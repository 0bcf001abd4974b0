// The upstream client with everything around it that a test needs: the loop, the owner's memory,
// and an owner that writes down what it is told of each call and checks what always holds.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../check.h"
#include "poll_reactor.h"
#include "scripted_server.h"
#include "upstream/client.h"
#include "upstream/record.h"
#include "usual_options.h"

namespace weir::test {

// What was told of one call.
struct Heard {
  std::string order;  // one letter a record, see `letter`
  int status = 0;
  std::string passed;
  std::string lines;
  std::string body;
  double length = -2;
  int failure = 0;
  std::string text;
  std::vector<std::int32_t> failed_addresses;
  bool wanted_at_once = false;
  bool aborted = false;

  bool whole() const { return order.find_first_of("WE") != std::string::npos; }
  bool failed() const { return order.find('F') != std::string::npos; }
  bool over() const { return whole() || failed(); }
  std::size_t count(char letter) const {
    return static_cast<std::size_t>(std::count(order.begin(), order.end(), letter));
  }
};

inline char letter(upstream::RecordKind kind) {
  // Whole, Response, Data, End, Failed, body Wanted, Drained, Attempt failed, Retry, backend
  // Closed, Upgraded, 100 (the backend asks)
  return "?WRDEFBdarCU1"[static_cast<int>(kind)];
}

class Harness final : public upstream::Owner {
 public:
  explicit Harness(const upstream::ClientOptions& options = kUsualClient,
                   std::size_t record_count = 1024,
                   std::size_t arena_bytes = std::size_t{512} * 1024)
      : records_(record_count), arena_(arena_bytes) {
    client_ = std::make_unique<upstream::Client>(options, reactor, *this, records_, arena_);
    reactor.serve(client_.get());
  }
  ~Harness() { end(); }

  PollReactor reactor;
  // by number; a number that is used again begins anew, and the one before moves to `earlier`
  std::map<std::int32_t, Heard> calls;
  std::vector<Heard> earlier;
  std::map<std::int32_t, int> backends_closed;
  std::size_t deliveries = 0;
  // Called for each record, within deliver.
  std::function<void(const upstream::Record&)> on_record;
  std::vector<ScriptedServer*> servers;
  // Overwrites the memory after each delivery.
  bool poison = true;

  upstream::Client& client() { return *client_; }
  void end() { client_.reset(); }

  std::int32_t backend(const upstream::BackendOptions& options = kUsualBackend) {
    const std::int32_t number = client_->open_backend(options);
    backends_closed.erase(number);
    std::vector<upstream::Address> addresses;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      addresses.push_back({static_cast<std::int32_t>(i), "127.0.0.1", servers[i]->port});
    }
    CHECK(client_->set_addresses(number, addresses));
    return number;
  }

  std::int32_t send(std::int32_t backend, const upstream::Request& request) {
    bool wanted = false;
    const std::int32_t number = client_->send(backend, request, wanted);
    if (calls.contains(number)) {
      earlier.push_back(calls[number]);
      CHECK(earlier.back().over() || earlier.back().aborted);
    }
    calls[number] = Heard{};
    calls[number].wanted_at_once = wanted;
    return number;
  }

  std::int32_t get(std::int32_t backend, std::string_view path = "/") {
    const std::string head = "GET " + std::string(path) + " HTTP/1.1\r\nhost: test\r\n";
    return send(backend, {.head = head, .idempotent = true});
  }
  std::int32_t post(std::int32_t backend, std::int64_t length) {
    return send(backend, {.head = "POST / HTTP/1.1\r\nhost: test\r\n", .body_length = length});
  }
  bool write(std::int32_t call, std::string_view bytes) { return client_->write(call, bytes); }
  void abort(std::int32_t call) {
    calls[call].aborted = true;
    client_->abort(call);
  }

  bool step() {
    bool moved = reactor.turn();
    for (ScriptedServer* const server : servers) moved = server->step() || moved;
    return moved;
  }
  // Until nothing moves any more.
  void settle() {
    int quiet = 0;
    for (int turns = 0; quiet < 3; ++turns) {
      quiet = step() ? 0 : quiet + 1;
      CHECK(turns < 100'000);
      if (turns >= 100'000) return;
    }
  }
  void advance(std::uint64_t milliseconds) {
    reactor.advance(milliseconds);
    settle();
  }

  void deliver(std::size_t count) override {
    ++deliveries;
    CHECK(count <= records_.size());
    for (std::size_t i = 0; i < count; ++i) {
      const upstream::Record record = records_[i];
      hear(record);
      if (on_record) on_record(record);
    }
    // Nobody may look at it any more.
    if (poison) std::fill(arena_.begin(), arena_.end(), '\xEE');
  }

 private:
  std::string text(std::int32_t offset, std::int32_t length) const {
    CHECK(offset >= 0 && length >= 0 &&
          static_cast<std::size_t>(offset) + static_cast<std::size_t>(length) <= arena_.size());
    return std::string(arena_.data() + offset, static_cast<std::size_t>(length));
  }

  void hear(const upstream::Record& record) {
    using upstream::RecordKind;
    const auto kind = static_cast<RecordKind>(record.kind);
    if (kind == RecordKind::kBackendClosed) {
      CHECK(++backends_closed[record.call] == 1);
      return;
    }
    CHECK(calls.contains(record.call));
    Heard& call = calls[record.call];
    if (call.aborted) return;
    const bool late = call.over();
    CHECK(!late);
    call.order += letter(kind);
    if (late) std::fprintf(stderr, "call %d was told %s\n", record.call, call.order.c_str());
    switch (kind) {
      case RecordKind::kWhole:
      case RecordKind::kResponse:
      case RecordKind::kUpgraded:
        CHECK(call.status == 0);
        call.status = record.code;
        call.length = record.length;
        call.passed = text(record.passed_offset, record.passed_length);
        call.lines = text(record.text_offset, record.text_length);
        call.body = text(record.body_offset, record.body_length);
        break;
      case RecordKind::kData:
        CHECK(call.status != 0 && record.body_length > 0);
        call.body += text(record.body_offset, record.body_length);
        break;
      case RecordKind::kEnd:
        CHECK(call.status != 0);
        break;
      case RecordKind::kFailed:
        call.failure = record.code;
        call.text = text(record.text_offset, record.text_length);
        CHECK(!call.text.empty());
        break;
      case RecordKind::kAttemptFailed:
        call.failed_addresses.push_back(record.address);
        break;
      default:
        break;
    }
  }

  std::vector<upstream::Record> records_;
  std::vector<char> arena_;
  std::unique_ptr<upstream::Client> client_;
};

}  // namespace weir::test
