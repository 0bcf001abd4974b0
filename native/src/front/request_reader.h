// Reads the HTTP/1.1 requests of one connection (contract 6; RFC 9112), in whatever pieces they
// come, and says what is next: a head, a piece of body, an end, or why it refuses. No sockets, no
// clock, and no allocation once it has grown to the requests it meets. A connection feeds it what a
// client sent, and what it lets through is the only thing that the server library ever reads.
//
// Behind weir are readers of all kinds, and a request that two of them would end at different
// places is one in which a client can hide another. So of whatever two readers could take
// differently, nothing is repaired and nothing is passed on: it is refused, and nothing is read
// after that, as nobody knows where the next request would begin.
// - Lines end with CRLF. LF alone, CR alone, NUL and other control characters have no place
//   anywhere; tab has one in values. A line does not begin with white space (obs-fold), has a name
//   of token characters, and the colon right behind it.
// - A request line is a method, one space, a target without white space, one space, a version.
//   HTTP/1.1 and 1.0; others are 505, and what begins like TLS, HTTP/2 or a PROXY protocol header
//   is told so.
// - A body has one `content-length` of 1 to 15 digits and no sign, or one `transfer-encoding` that
// is
//   `chunked` and nothing else (501), not both, and the latter not in HTTP/1.0. In chunks, sizes
//   are 1 to 15 hexadecimal digits; CRLF follows each chunk and each line.
// - `host` is there once and not empty, but may lack in HTTP/1.0. An absolute target, http or
// https,
//   says which host is meant, whatever `host` says, and has no user name; `*` is for OPTIONS, and
//   CONNECT is 405. `expect` is `100-continue` (417).
// - Head, target, lines, empty lines before a request, extensions and trailers are bounded.
//
// Taken for what they are: empty lines before a request, of which some clients send one too many;
// HTTP/1.0; absolute targets; extensions and trailers of chunks, which are checked and dropped;
// bytes above 127 in values and targets, as they came. Letters are those of ASCII: the Kelvin sign
// is no `k`, whatever it is in a language's folding.
//
// What is *in* a target, a host or a method, whether it is UTF-8 or a path is ambiguous, is judged
// in
// ../src/edge/request/ and ../src/http/: no two readers disagree there about where a request ends.
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

  // Likewise, but the pieces of a body in chunks that lie in `bytes` come as one: they are moved
  // together to where the first of them lies. So a body of tiny chunks costs no event for each.
  Event read_in_place(std::span<char> bytes, std::size_t& consumed);

  // The following are valid from `head` until the next request's first byte is read; before and
  // behind, they are empty.

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
  Event refuse_head();

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
