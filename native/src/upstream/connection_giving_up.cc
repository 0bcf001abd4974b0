// What becomes of the calls of a connection that breaks, takes too long or says what can't be
// understood, and of those whose owner wants no more: one fails or is tried again, the others go
// elsewhere. Called by the other files of the connection, call.cc and client.cc.
#include <algorithm>

#include "upstream/connection.h"
#include "upstream/core.h"
#include "upstream/retry.h"

namespace weir::upstream {

void Connection::refused() {
  // Where its responses end can't be told: not one to have several in flight with.
  if (in_flight_.size() > 1) Backend::stop_pipelining(target_);
  broke(Failure::kBroken, parser_.reason());
}

void Connection::broke(Failure failure, std::string_view text) {
  if (front_unsent()) {
    close_and_send_again();
    return;
  }
  Call& call = pop_front();
  const bool response_byte = in_body_ || !parser_.untouched();
  // It takes connections and answers nothing: as good as one that takes none.
  if (responses_ == 0 && !response_byte && failure == Failure::kBroken) {
    backend_.connection_refused(*this);
  }
  close_and_send_again();
  if (call.state == CallState::kForgotten) {
    core_.end_call(call);
  } else {
    retry_or_fail(call, true, response_byte, failure, text);
  }
}

void Connection::retry_or_fail(Call& call, bool sent, bool response_byte, Failure failure,
                               std::string_view text) {
  const std::int32_t code = static_cast<std::int32_t>(failure);
  call.disarm();
  call.connection = nullptr;
  core_.tell_attempt(RecordKind::kAttemptFailed, call, target_.id, code, text);
  const std::size_t addresses = backend_.address_count();
  const Retry retry = decide_retry({.idempotent = call.idempotent,
                                    .sent = sent,
                                    .reused = call.reused,
                                    .response_byte = response_byte,
                                    .body_touched = call.body_touched(),
                                    .timed_out = sent && failure == Failure::kTimeout,
                                    .attempts = call.attempts,
                                    .addresses = addresses});
  if (retry == Retry::kFreshConnection) {
    call.wants_fresh = true;
  } else if (retry == Retry::kOtherAddress) {
    call.tried.push_back(target_.id);
  }
  if (retry == Retry::kNo || !backend_.has_untried(call)) {
    core_.fail_call(call, failure, text);
    return;
  }
  core_.tell_attempt(RecordKind::kRetry, call, target_.id, code, "");
  backend_.again(call);
}

// Those in flight are repeatable or not sent at all, and hear nothing of it.
void Connection::close_and_send_again() {
  std::vector<Call*> left;
  left.swap(in_flight_);
  close();
  send_again(left, sent_count());
}

void Connection::free_those_behind() {
  if (in_flight_.size() == 1) return;
  keep_alive_ = false;
  const std::vector<Call*> behind(in_flight_.begin() + 1, in_flight_.end());
  in_flight_.resize(1);
  const std::size_t sent = sent_count();
  if (written_ > 0) {
    written_ = 1;
    head_written_ = 0;
  }
  send_again(behind, sent - 1);
}

void Connection::send_again(std::span<Call* const> calls, std::size_t sent) {
  // The last first, since each goes to the front of the queue.
  for (std::size_t i = calls.size(); i > 0; --i) {
    Call& call = *calls[i - 1];
    call.connection = nullptr;
    call.disarm();
    if (call.state == CallState::kForgotten) {
      core_.end_call(call);
      continue;
    }
    if (i <= sent) {
      call.wants_fresh = true;
      core_.tell_attempt(RecordKind::kRetry, call, target_.id, 0, "");
    } else {
      --call.attempts;
    }
    backend_.again(call);
  }
}

void Connection::drop(Call& call) {
  const auto found = std::find(in_flight_.begin(), in_flight_.end(), &call);
  if (found == in_flight_.end()) return;
  const auto place = static_cast<std::size_t>(found - in_flight_.begin());
  if (place > written_ || (place == written_ && head_written_ == 0)) {
    // Nothing of it is sent.
    core_.end_call(call);
    take_out(call);
    if (!in_flight_.empty() && all_forgotten()) close_and_send_again();
    return;
  }
  const bool has_begun = in_body_ && place == 0;
  call.state = CallState::kForgotten;
  call.paused = false;
  // Its answer is read over for the sake of others behind it, and only if it is still to come.
  if (has_begun || all_forgotten()) {
    close_and_send_again();
    return;
  }
  update_events();
}

bool Connection::all_forgotten() const {
  return std::all_of(in_flight_.begin(), in_flight_.end(),
                     [](const Call* call) { return call->state == CallState::kForgotten; });
}

void Connection::fail(Call& call, Failure failure, std::string_view text) {
  if (!front_unsent()) {
    broke(failure, text);
    return;
  }
  // The socket takes nothing, which is a reason to go elsewhere.
  pop_front();
  close_and_send_again();
  retry_or_fail(call, false, false, failure, text);
}

// A call with a body has its connection for itself.
void Connection::give_up(Call& call, std::string_view text) {
  const bool unsent = front_unsent();
  core_.tell_attempt(RecordKind::kAttemptFailed, call, target_.id,
                     static_cast<std::int32_t>(Failure::kBroken), text);
  core_.fail_call(call, Failure::kBroken, text);
  if (unsent) {
    take_out(call);
  } else {
    pop_front();
    close_and_send_again();
  }
}

// Nothing of it is sent.
void Connection::take_out(Call& call) {
  const bool front = in_flight_.front() == &call;
  std::erase(in_flight_, &call);
  if (!in_flight_.empty()) {
    if (front) parser_.begin(in_flight_.front()->head_method, in_flight_.front()->upgrade);
    if (takes_more() && !in_body_) backend_.release(*this);
  } else if (state_ == State::kOpen) {
    backend_.release(*this);
  }
}

}  // namespace weir::upstream
