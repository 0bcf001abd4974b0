// What a connection's bytes come to: the requests that are read from them, and how it ends. Read
// here as a connection reads, from pieces that come one after another. Every call of the reader
// gets memory of exactly its bytes, so that the address sanitizer sees a look beyond them, and
// another block than the call before, so that it sees a look back.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "front/request_reader.h"

namespace weir::test {

struct SeenField {
  std::string name;
  std::string value;
  front::Name known = front::Name::other;

  bool operator==(const SeenField&) const = default;
};

struct SeenRequest {
  std::string head;
  std::string method;
  std::string target;
  std::string authority;
  bool has_host = false;
  int minor_version = 1;
  std::vector<SeenField> fields;
  bool ascii = true;
  front::BodyKind kind = front::BodyKind::none;
  std::uint64_t body_bytes = 0;
  bool keep_alive = true;
  bool expects_continue = false;
  std::string body;
  bool ended = false;

  bool operator==(const SeenRequest&) const = default;
};

struct Transcript {
  std::vector<SeenRequest> requests;
  // 0: not refused
  int status = 0;
  std::string code;
  std::string sentence;
  bool mid_message = false;

  bool operator==(const Transcript&) const = default;
};

class Conversation {
 public:
  // @param cuts offsets into `input`, ascending; pieces may be empty
  // @param keeps each head is kept, and looked at again when its memory has gone; and what is read
  //   is read in place
  Conversation(std::string_view input, const std::vector<std::size_t>& cuts,
               const front::ReaderBounds& bounds, bool keeps)
      : input_(input), keeps_(keeps), reader_(bounds) {
    require(!reader_.mid_message(), "nothing was read yet");
    for (const std::size_t cut : cuts) take(cut);
    take(input.size());
    transcript_.mid_message = reader_.mid_message();
    if (transcript_.status == 0 && !transcript_.mid_message) {
      reader_.release();
      require(!reader_.mid_message() && reader_.head().empty(), "nothing is left to see");
    }
  }

  const Transcript& transcript() const { return transcript_; }
  // What the reader promised and did not keep; empty: nothing.
  const std::string& broken_promise() const { return broken_; }

 private:
  // Nobody who looks at it later finds what was there.
  class Piece {
   public:
    explicit Piece(std::string_view bytes) : memory_(new char[bytes.size()]), size_(bytes.size()) {
      std::memcpy(memory_.get(), bytes.data(), size_);
    }
    ~Piece() { std::memset(memory_.get(), '?', size_); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

    std::string_view bytes() const { return {memory_.get(), size_}; }
    std::span<char> changeable() const { return {memory_.get(), size_}; }

   private:
    std::unique_ptr<char[]> memory_;
    std::size_t size_;
  };

  void require(bool holds, const char* promise) {
    if (!holds && broken_.empty()) broken_ = promise;
  }

  void take(std::size_t until) {
    for (;;) {
      const std::size_t size = until - at_;
      const Piece memory(input_.substr(at_, size));
      const std::string_view bytes = memory.bytes();
      std::size_t consumed = 0;
      const front::Event event = keeps_ ? reader_.read_in_place(memory.changeable(), consumed)
                                        : reader_.read(bytes, consumed);
      if (event == front::Event::refused) {
        if (transcript_.status == 0) note_refusal();
        require(transcript_.sentence == reader_.refusal().sentence, "a refusal stays what it is");
        return;
      }
      require(transcript_.status == 0, "nothing is read after a refusal");
      require(consumed <= size, "no more is consumed than there is");
      note(event, bytes.substr(0, consumed));
      at_ += consumed;
      if (event != front::Event::more) continue;
      require(consumed == size, "more is wanted where all was read");
      return;
    }
  }

  void note_refusal() {
    transcript_.status = reader_.refusal().status;
    transcript_.code = reader_.refusal().code;
    transcript_.sentence = reader_.refusal().sentence;
    require(transcript_.status >= 400 && !transcript_.sentence.empty(), "a refusal says why");
    const bool shows_nothing =
        reader_.fields().empty() && reader_.method().empty() && reader_.target().empty();
    require(!reader_.head().empty() || shows_nothing, "of a refused head nothing is shown");
  }

  void note(front::Event event, std::string_view consumed) {
    const bool in_request = !transcript_.requests.empty() && !transcript_.requests.back().ended;
    require(event == front::Event::data || reader_.data().empty(), "data is there for `data` only");
    if (event == front::Event::head) {
      require(!in_request && reader_.mid_message(), "a head begins a request");
      const char* const from = reader_.head().data();
      const bool is_view = from >= consumed.data() && from < consumed.data() + consumed.size();
      lasts_ = keeps_ || !is_view;
      transcript_.requests.push_back(seen());
      if (keeps_) reader_.keep();
      require(transcript_.requests.back() == seen(), "what is kept is the same");
      return;
    }
    if (event == front::Event::more) return;
    require(in_request, "a body belongs to a request");
    if (!in_request) return;
    SeenRequest& request = transcript_.requests.back();
    if (event == front::Event::data) {
      const std::string_view data = reader_.data();
      require(!data.empty() && data.data() >= consumed.data() &&
                  data.data() + data.size() <= consumed.data() + consumed.size(),
              "data lies in what was consumed");
      request.body += data;
      return;
    }
    require(!reader_.mid_message(), "the end is the end");
    if (lasts_) {
      SeenRequest again = seen();
      again.body = request.body;
      require(again == request, "a head lasts until the next one begins");
    }
    request.ended = true;
  }

  SeenRequest seen() const {
    SeenRequest request;
    request.head = reader_.head();
    request.method = reader_.method();
    request.target = reader_.target();
    request.authority = reader_.authority();
    request.has_host = reader_.has_host();
    request.minor_version = reader_.minor_version();
    for (const front::Field& field : reader_.fields()) {
      request.fields.push_back({.name = request.head.substr(field.name_at, field.name_bytes),
                                .value = request.head.substr(field.value_at, field.value_bytes),
                                .known = field.name});
    }
    request.ascii = reader_.ascii();
    request.kind = reader_.body();
    request.body_bytes = reader_.body_bytes();
    request.keep_alive = reader_.keep_alive();
    request.expects_continue = reader_.expects_continue();
    return request;
  }

  std::string_view input_;
  bool keeps_;
  front::RequestReader reader_;
  Transcript transcript_;
  std::string broken_;
  std::size_t at_ = 0;
  // what the last head shows outlives the memory that it came in
  bool lasts_ = false;
};

// @returns what the pieces change, or what was promised and not kept; empty: nothing
inline std::string piece_complaint(const Transcript& whole, std::string_view input,
                                   const std::vector<std::size_t>& cuts,
                                   const front::ReaderBounds& bounds, bool keeps) {
  const Conversation pieces(input, cuts, bounds, keeps);
  if (!pieces.broken_promise().empty()) return pieces.broken_promise();
  return pieces.transcript() == whole ? "" : "the result depends on the pieces";
}

}  // namespace weir::test
