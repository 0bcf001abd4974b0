// Reads the HTTP/1.1 requests of one connection (contract 6; RFC 9112), in whatever pieces they
// come. No sockets, no clock, and no allocation once it has grown to the requests it meets. Strict:
// whatever two readers could understand differently is refused, and nothing is read after that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "front/refusals.h"
#include "front/request_head.h"
#include "http/chunked_decoder.h"

namespace weir::front {

enum class Event : std::uint8_t {
  more,     // all of `bytes` was read, and nothing is complete
  head,     // a request's head is complete
  data,     // a piece of its body
  end,      // the request is complete
  refused,  // `refusal()`; of this connection nothing more is to be read
};

class RequestReader {
 public:
  explicit RequestReader(const ReaderBounds& bounds) : bounds_(bounds) {}
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Reads `bytes` up to the next event; to be called with the rest until it returns `more` or
  // `refused`. `end` comes after `head` without reading anything where there is no body, and behind
  // it the next request begins.
  // @param consumed how much of `bytes` was read; of no meaning if refused
  Event read(std::string_view bytes, std::size_t& consumed);

  // The following are valid from `head` until the next request's first byte is read.

  // From the method to the empty line. A view of `bytes` if all of it was there, and then valid
  // only as long as they are: keep() copies it.
  std::string_view head() const { return text_; }
  void keep();
  std::string_view method() const { return head_.method(text_); }
  // In origin form, or `*`: of an absolute target the path and the query.
  std::string_view target() const { return head_.target(text_); }
  // Of an absolute target, or else of `host`; empty in HTTP/1.0 without.
  std::string_view authority() const { return head_.authority(text_); }
  bool has_host() const { return head_.has(Name::host); }
  bool has(Name name) const { return head_.has(name); }
  int minor_version() const { return head_.minor_version(); }
  // In order, as they came.
  std::span<const Field> fields() const { return head_.fields(); }
  // No byte of target and values is above 127.
  bool ascii() const { return head_.ascii(); }
  BodyKind body() const { return head_.body(); }
  // if sized
  std::uint64_t body_bytes() const { return head_.body_bytes(); }
  bool keep_alive() const { return head_.keep_alive(); }
  // The client waits for 100 Continue before it sends its body.
  bool expects_continue() const { return head_.expects_continue(); }

  // After `data`: not empty, a part of `bytes`.
  std::string_view data() const { return data_; }

  // A request has begun and not ended. Empty lines are no beginning.
  bool mid_message() const { return state_ != State::between; }
  const Refusal& refusal() const { return refusal_; }

  // Gives back what memory it can, for a connection that has nothing to say for now. Between
  // requests it forgets the last one.
  void release();

 private:
  enum class State : std::uint8_t { between, head, sized, chunked, over, refused };

  // @returns false for want of bytes, or if refused
  bool begin_request(std::string_view bytes, std::size_t& consumed);
  Event read_head(std::string_view bytes, std::size_t& consumed);
  Event read_chunks(std::string_view bytes, std::size_t& consumed);
  Event begin_body(std::string_view text);
  Event refuse(const Refusal& refusal);

  ReaderBounds bounds_;
  RequestHead head_;
  std::string_view text_;
  std::string_view data_;
  // what of a head came before, or the whole of one that is kept
  std::string kept_;
  http::ChunkedDecoder chunked_;
  Refusal refusal_{};
  // of a body whose size is known
  std::uint64_t left_ = 0;
  std::uint32_t empty_lines_ = 0;
  State state_ = State::between;
  // CR of an empty line has come
  bool after_return_ = false;
};

}  // namespace weir::front
