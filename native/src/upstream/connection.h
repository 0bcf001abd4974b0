// One connection to an address: connects, writes requests, reads responses, and says what came of
// them. Requests in flight are in the order in which they are written; their responses come in that
// order. There is more than one only where the backend has `pipelining` and all of them are
// idempotent and without body. Made by backend.cc.
//
// A connection that is closed stays in memory until the end of the turn, for it may close itself,
// or its owner closes it, while it is reading.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "upstream/addresses.h"
#include "upstream/call.h"
#include "upstream/client.h"
#include "upstream/deadlines.h"
#include "upstream/reactor.h"
#include "upstream/record.h"
#include "upstream/response_parser.h"

namespace weir::upstream {

class Connection final : public Watched, public Deadline {
 public:
  Connection(Core& core, Backend& backend, Target& target);
  ~Connection();

  // Begins to connect. @returns 0, or errno
  int open();
  // Sends the call when it can; it must have room.
  void assign(Call& call);
  // It could not even begin to connect.
  void refuse(Call& call, int error);
  // The last byte of the body is there.
  void body_finished();
  // Something is there to be written at the end of the turn.
  void ask_flush();
  // Writes what is ready. Called once a turn for those that asked, or when much is ready.
  void flush();
  // The owner wants no more, or wants more again, of the response that is at the front.
  void update_reading();
  // The call's request or response is given up; others in flight go on or are sent again elsewhere.
  void drop(Call& call);
  // As `drop`, for the call at the front, whose backend took too long.
  void fail(Call& call, Failure failure, std::string_view text);
  // As `drop`, for a call whose owner broke what it had announced: that is final.
  void give_up(Call& call, std::string_view text);
  // Of the call at the front, which was answered with 101: gives its socket away and closes.
  Upgraded hand_over(Call& call);
  // Nothing of it is used any more.
  void close();

  bool is_open() const { return state_ == State::kOpen; }
  bool write_broken() const { return write_broken_; }
  std::size_t depth() const { return in_flight_.size(); }
  bool has_unwritten() const { return written_ < in_flight_.size(); }
  std::uint64_t idle_since_ms() const { return idle_since_ms_; }
  // Milliseconds for which it may be kept unused; 0: not at all.
  std::uint32_t idle_limit_ms() const;
  void begin_idle(std::uint32_t limit_ms);
  Target& target() const { return target_; }
  // Another request may follow those in flight.
  bool takes_more() const;
  // bytes of memory of a response header that is not complete
  std::size_t kept_bytes() const { return kept_.capacity(); }

  void on_ready(unsigned events) override;
  // Connecting took too long, or nobody used it for long, or others wait behind a long response.
  void expire() override;

  // place in the list of its backend
  std::size_t index = 0;
  // In the lists of its target.
  bool listed_idle = false;
  bool listed_pipeline = false;
  // in the core's list of those to be flushed
  bool dirty = false;

 private:
  enum class State : std::uint8_t { kNew, kConnecting, kOpen, kClosed };

  void connected();
  void connect_failed(Failure failure, std::string_view text);
  void read();
  // As `read`, where the beginning of a header was read before.
  void read_behind_kept();
  void take(std::span<char> bytes);
  // @returns false if there is nothing more to be read now
  bool take_head(Verdict verdict, std::size_t consumed, std::span<char>& bytes);
  bool take_body(std::span<char>& bytes);
  // 101: what follows is nobody's yet.
  void upgraded(Call& call, std::span<char> bytes);
  void tell_continue(Call& call);
  void tell_head(Call& call, RecordKind kind, std::span<char> body);
  Record& add_head(const Call& call, RecordKind kind, std::span<char> body);
  void tell_data(Call& call, std::span<char> body);
  // The response to the call at the front is complete and told.
  void response_done();
  Call& pop_front();
  void ended();
  void refused();
  // The call at the front fails or is sent again elsewhere, as are those behind it.
  void broke(Failure failure, std::string_view text);
  // Nothing of the call at the front is sent, or there is none.
  bool front_unsent() const { return written_ == 0 && head_written_ == 0; }
  void retry_or_fail(Call& call, bool sent, bool response_byte, Failure failure,
                     std::string_view text);
  void close_and_send_again();
  // The first `sent` of these calls are at least in part.
  void send_again(std::span<Call* const> calls, std::size_t sent);
  // The response at the front takes too long for those behind it: they go elsewhere.
  void free_those_behind();
  // Whether all there is to come is for nobody.
  bool all_forgotten() const;
  std::size_t sent_count() const { return written_ + (head_written_ > 0 ? 1 : 0); }
  void take_out(Call& call);
  std::size_t write_some();
  void wrote(std::size_t bytes);
  void request_sent(Call& call);
  void watch_idle(Call& call);
  void disarm_idle();
  void update_events();

  Core& core_;
  Backend& backend_;
  Target& target_;
  State state_ = State::kNew;
  int socket_ = -1;
  Reactor::Watch* watch_ = nullptr;
  unsigned events_ = 0;

  std::vector<Call*> in_flight_;
  // how many of `in_flight_` are written whole, and how many bytes of the next one's head
  std::size_t written_ = 0;
  std::size_t head_written_ = 0;
  // writing failed; what the backend has said before is still read
  bool write_broken_ = false;
  bool reset_ = false;
  bool write_blocked_ = false;

  ResponseParser parser_;
  // the parser has the head of the response to the call at the front
  bool in_body_ = false;
  Head head_;
  // the beginning of a response header that is not complete; or what came behind a 101's
  std::string kept_;
  bool keep_alive_ = true;
  // The call at the front was answered with 101.
  bool upgraded_ = false;
  std::size_t responses_ = 0;
  std::int32_t hinted_seconds_ = -1;
  std::uint64_t idle_since_ms_ = 0;
  std::chrono::steady_clock::time_point opened_;
};

}  // namespace weir::upstream
