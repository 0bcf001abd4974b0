// Deadlines against a model that sorts: each expires once, not early, in the order of its time, and
// not at all when it was disarmed; the loop's timer is always set for the first of them or earlier.
#include "upstream/deadlines.h"

#include <map>
#include <memory>
#include <random>
#include <vector>

#include "check.h"

namespace {

using namespace weir::upstream;

class Clock final : public Reactor {
 public:
  Watch* watch(int, unsigned, Watched&) override { return nullptr; }
  void hand_over(Watch*, Watched&) override {}
  void change(Watch*, unsigned) override {}
  void unwatch(Watch*) override {}
  std::uint64_t now_ms() const override { return now; }
  void set_timer(std::uint64_t at_ms) override { timer = at_ms; }
  void clear_timer() override { timer = kNever; }
  void ask_end_turn() override {}

  static constexpr std::uint64_t kNever = UINT64_MAX;
  std::uint64_t now = 1000;
  std::uint64_t timer = kNever;
};

class Alarm final : public Deadline {
 public:
  explicit Alarm(std::vector<Alarm*>& expired) : expired_(expired) {}
  void expire() override {
    CHECK(!armed());
    expired_.push_back(this);
  }

 private:
  std::vector<Alarm*>& expired_;
};

void random_deadlines(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Clock clock;
  Deadlines deadlines(clock);
  std::vector<Alarm*> expired;
  std::vector<std::unique_ptr<Alarm>> alarms;
  std::map<Alarm*, std::uint64_t> due;
  for (int i = 0; i < 20; ++i) alarms.push_back(std::make_unique<Alarm>(expired));
  constexpr std::uint32_t kDurations[] = {1, 10, 10, 75, 1000};
  for (int step = 0; step < 2000; ++step) {
    auto& alarm = alarms[random() % alarms.size()];
    switch (random() % 5) {
      case 0:
      case 1: {
        const std::uint32_t duration = kDurations[random() % 5];
        deadlines.arm(*alarm, duration);
        due[alarm.get()] = clock.now + duration;
        break;
      }
      case 2:
        alarm->disarm();
        due.erase(alarm.get());
        break;
      case 3:
        // One that goes takes its deadline with it.
        due.erase(alarm.get());
        alarm = std::make_unique<Alarm>(expired);
        break;
      default:
        clock.now += random() % 30;
        if (clock.timer > clock.now) break;
        clock.timer = Clock::kNever;
        while (Deadline* const one = deadlines.take_due()) one->expire();
        for (Alarm* const one : expired) {
          CHECK(due.contains(one) && due[one] <= clock.now);
          due.erase(one);
        }
        expired.clear();
        for (const auto& [one, at] : due) CHECK(at > clock.now);
    }
    for (const auto& one : alarms) CHECK(one->armed() == due.contains(one.get()));
    for (const auto& [one, at] : due) CHECK(clock.timer <= at);
  }
}

}  // namespace

int main() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) random_deadlines(seed);
  return weir::test::finish();
}
