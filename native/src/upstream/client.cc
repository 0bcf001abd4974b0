#include "upstream/client.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "upstream/core.h"

namespace weir::upstream {

namespace {

// What one turn settles of what its own deliveries lead to; the rest is the next turn's.
constexpr int kRoundsPerTurn = 4;
// An owner that takes no more for so long passes on to somebody slow.
constexpr std::uint64_t kSlowReaderMs = 250;

void append_number(std::string& text, std::uint64_t value, int base) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

}  // namespace

void Core::ask() {
  if (asked) return;
  asked = true;
  reactor.ask_end_turn();
}

Call& Core::take_call() {
  if (free_calls.empty()) {
    const auto number = static_cast<std::int32_t>(calls.size());
    calls.push_back(std::make_unique<Call>(*this, number));
    return *calls.back();
  }
  Call& call = *calls[static_cast<std::size_t>(free_calls.back())];
  free_calls.pop_back();
  return call;
}

void Core::end_call(Call& call) {
  if (call.state == CallState::kOver) return;
  call.disarm();
  call.empty_body();
  call.state = CallState::kOver;
  call.connection = nullptr;
  ending.push_back(&call);
  ask();
}

void Core::fail_call(Call& call, Failure failure, std::string_view text) {
  Record record;
  record.kind = static_cast<std::int32_t>(RecordKind::kFailed);
  record.call = call.number;
  record.code = static_cast<std::int32_t>(failure);
  record.address = call.address;
  record.attempts = static_cast<std::int32_t>(call.attempts);
  record.connect_us = call.connect_us;
  batch.add_later(record, text);
  ask();
  end_call(call);
}

void Core::tell(RecordKind kind, std::int32_t call, std::int32_t code, std::string_view text) {
  Record record;
  record.kind = static_cast<std::int32_t>(kind);
  record.call = call;
  record.code = code;
  batch.add_later(record, text);
  ask();
}

void Core::tell_attempt(RecordKind kind, const Call& call, std::int32_t address, std::int32_t code,
                        std::string_view text) {
  Record record;
  record.kind = static_cast<std::int32_t>(kind);
  record.call = call.number;
  record.code = code;
  record.address = address;
  record.backend = call.backend->number;
  batch.add_later(record, text);
  ask();
}

void Core::deliver() {
  // Only what the owner hears of now. What ends while it is told is the next delivery's, for there
  // may be records of it that are not told yet.
  told_calls.swap(ending);
  told_backends.swap(ending_backends);
  std::size_t left = batch.waiting();
  do {
    left -= batch.settle(left);
    if (batch.count() > 0) owner.deliver(batch.count());
    batch.clear();
  } while (left > 0);
  for (Call* const call : told_calls) {
    call->clear();
    free_calls.push_back(call->number);
  }
  told_calls.clear();
  for (const std::int32_t number : told_backends) {
    if (!backend(number).may_go()) continue;
    backends[static_cast<std::size_t>(number)].reset();
    free_backends.push_back(number);
  }
  told_backends.clear();
}

void Core::end_turn() {
  // Whoever asks meanwhile is heard in the next round, or at the end.
  asked = true;
  for (int round = 0; round < kRoundsPerTurn; ++round) {
    draining.swap(to_drain);
    for (Backend* const backend : draining) backend->drain();
    draining.clear();
    if (batch.empty() && ending.empty() && ending_backends.empty()) break;
    deliver();
  }
  // Flushing may close a connection, never add one to the list.
  for (Connection* const connection : dirty) {
    connection->dirty = false;
    connection->flush();
  }
  dirty.clear();
  closed.clear();
  asked = false;
  if (!batch.empty() || !to_drain.empty() || !ending.empty() || !ending_backends.empty()) ask();
}

Client::Client(const ClientOptions& options, Reactor& reactor, Owner& owner,
               std::span<Record> records, std::span<char> arena)
    : core_(std::make_unique<Core>(options, reactor, owner, records, arena)) {}

Client::~Client() = default;

std::int32_t Client::open_backend(const BackendOptions& options) {
  Core& core = *core_;
  std::int32_t number = 0;
  if (core.free_backends.empty()) {
    number = static_cast<std::int32_t>(core.backends.size());
    core.backends.emplace_back();
  } else {
    number = core.free_backends.back();
    core.free_backends.pop_back();
  }
  // Distinct, so that the delays of backends differ.
  const std::uint64_t seed =
      (core.options.random_seed + static_cast<std::uint64_t>(number) + 1) * 0x9e3779b97f4a7c15U;
  BackendOptions bounded = options;
  bounded.pipelining = std::min(options.pipelining, core.options.pipelining_max);
  core.backends[static_cast<std::size_t>(number)] =
      std::make_unique<Backend>(core, number, bounded, seed);
  return number;
}

bool Client::has_backend(std::int32_t backend) const {
  const auto index = static_cast<std::size_t>(backend);
  return backend >= 0 && index < core_->backends.size() && core_->backends[index] != nullptr;
}

bool Client::has_call(std::int32_t call) const {
  const auto index = static_cast<std::size_t>(call);
  return call >= 0 && index < core_->calls.size() && core_->calls[index]->state != CallState::kFree;
}

bool Client::set_addresses(std::int32_t backend, std::span<const Address> addresses) {
  return core_->backend(backend).set_addresses(addresses);
}

void Client::fail_waiting(std::int32_t backend, std::string_view text) {
  core_->backend(backend).fail_waiting(text);
}

void Client::close_backend(std::int32_t backend) { core_->backend(backend).close(); }

std::int32_t Client::send(std::int32_t backend, const Request& request, bool& body_wanted) {
  Core& core = *core_;
  Call& call = core.take_call();
  call.state = CallState::kWaiting;
  call.head.append(request.head);
  call.head_method = request.head_method;
  call.idempotent = request.idempotent;
  call.upgrade = request.upgrade;
  call.expects = request.expects;
  call.body_length = request.body_length;
  if (request.body_length > 0) {
    call.head.append("content-length: ");
    append_number(call.head, static_cast<std::uint64_t>(request.body_length), 10);
    call.head.append("\r\n");
  } else if (request.body_length < 0) {
    call.head.append("transfer-encoding: chunked\r\n");
  }
  call.head.append("\r\n");
  call.being_sent = true;
  core.backend(backend).accept(call);
  call.being_sent = false;
  body_wanted = call.body_wanted;
  return call.number;
}

bool Client::write(std::int32_t number, std::span<const char> bytes) {
  Call& call = core_->call(number);
  if (call.state == CallState::kOver || call.state == CallState::kForgotten) return false;
  if (!call.has_body()) return false;
  if (bytes.empty()) return !call.pushed_back;
  if (call.body_finished && call.body_length < 0) return false;
  call.body_received += static_cast<std::int64_t>(bytes.size());
  if (call.body_length >= 0 && call.body_received > call.body_length) {
    core_->give_up(call, "the request body is longer than announced");
    return false;
  }
  // The response may come before the owner says that this was all.
  call.body_finished = call.body_received == call.body_length;
  Connection* const connection = call.connection;
  // Nobody reads it, unless nothing of the request is sent: then all of it goes elsewhere.
  const bool is_lost = connection != nullptr && connection->write_broken();
  if (is_lost && call.state != CallState::kAssigned) return false;
  if (call.body_length < 0) {
    append_number(call.body, bytes.size(), 16);
    call.body.append("\r\n");
  }
  call.body.append(bytes.data(), bytes.size());
  if (call.body_length < 0) call.body.append("\r\n");
  call.note_body();
  if (connection != nullptr) {
    connection->ask_flush();
    // Much at a time goes out at once, rather than to pile up until the end of the turn.
    if (connection->is_open() && call.body_pending() >= core_->options.body_buffer_bytes) {
      connection->flush();
    }
  }
  call.pushed_back = call.body_pending() >= core_->options.body_buffer_bytes;
  return !call.pushed_back;
}

void Client::finish(std::int32_t number) {
  Call& call = core_->call(number);
  if (call.state == CallState::kOver || call.state == CallState::kForgotten) return;
  if (call.body_finished || !call.has_body()) return;
  if (call.body_length > 0 && call.body_received < call.body_length) {
    core_->give_up(call, "the request body is shorter than announced");
    return;
  }
  call.body_finished = true;
  if (call.body_length < 0) call.body.append("0\r\n\r\n");
  call.note_body();
  Connection* const connection = call.connection;
  if (connection == nullptr || connection->write_broken()) return;
  if (call.body_pending() > 0) {
    connection->ask_flush();
  } else {
    connection->body_finished();
  }
}

std::size_t Client::body_bytes(std::int32_t backend) const {
  return core_->backend(backend).body_bytes;
}

std::size_t Client::pressed(std::int32_t backend) const {
  return core_->backend(backend).pressed();
}

double Client::occupancy(std::int32_t backend) const { return core_->backend(backend).occupancy(); }

std::size_t Client::take_states(std::int32_t backend, std::vector<AddressState>& states) {
  return core_->backend(backend).take_states(states);
}

void Client::pause(std::int32_t number) {
  Call& call = core_->call(number);
  if (call.state != CallState::kResponding || call.paused) return;
  call.paused = true;
  call.paused_ms = core_->reactor.now_ms();
  call.connection->update_reading();
}

void Client::resume(std::int32_t number) {
  Call& call = core_->call(number);
  if (call.state != CallState::kResponding || !call.paused) return;
  call.paused = false;
  call.moved_ms = core_->reactor.now_ms();
  call.slow_reader = call.moved_ms - call.paused_ms >= kSlowReaderMs;
  call.connection->update_reading();
}

void Client::abort(std::int32_t number) {
  Call& call = core_->call(number);
  switch (call.state) {
    case CallState::kWaiting:
      core_->end_call(call);
      call.backend->withdraw(call);
      return;
    case CallState::kAssigned:
    case CallState::kSending:
    case CallState::kSent:
    case CallState::kResponding:
    case CallState::kUpgraded:
      call.connection->drop(call);
      return;
    case CallState::kFree:
    case CallState::kForgotten:
    case CallState::kOver:
      return;
  }
}

bool Client::is_upgraded(std::int32_t number, std::int32_t serial) const {
  const Call& call = core_->call(number);
  return call.state == CallState::kUpgraded && call.upgrade_serial == serial;
}

Upgraded Client::take_upgraded(std::int32_t number, std::int32_t serial) {
  if (!is_upgraded(number, serial)) return {};
  Call& call = core_->call(number);
  return call.connection->hand_over(call);
}

void Core::give_up(Call& call, std::string_view text) {
  if (call.connection != nullptr) {
    call.connection->give_up(call, text);
  } else {
    fail_call(call, Failure::kBroken, text);
    call.backend->withdraw(call);
  }
}

void Client::on_timer() {
  while (Deadline* const due = core_->deadlines.take_due()) due->expire();
}

void Client::end_turn() { core_->end_turn(); }

std::size_t Client::open_connections() const { return core_->open_connections; }

std::size_t Client::kept_bytes() const {
  std::size_t bytes = 0;
  for (const auto& call : core_->calls) bytes += call->head.capacity() + call->body.capacity();
  for (const auto& backend : core_->backends) {
    if (backend != nullptr) bytes += backend->kept_bytes();
  }
  return bytes;
}

}  // namespace weir::upstream
