// SPDX-License-Identifier: GPL-2.0-or-later
// Five tasks, as on Android:
//
//   vsync       a timer; tells the UI thread by an eventfd
//   UI          (the calling task) lays a frame out, hands it to the render thread and waits until it was copied
//   render      copies, draws, and calls the composer, which answers (as binder does: a write that wakes the
//               reader with the hint that the writer will sleep at once); then the next frame
//   composer    takes the buffer, answers, composes
//   completion  waits for the GPU, which is a timer, and finishes the frame
//
// Each stage stamps its own field of the frame's row in a log that was allocated before; what is to be kept is
// written through io_uring when a frame is complete (loads/frame_log.h). No stage waits for storage.
#include "loads/frames.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <numeric>
#include <optional>
#include <pthread.h>
#include <random>
#include <sys/eventfd.h>
#include <thread>

#include "core/error.h"
#include "loads/clock.h"
#include "loads/frame_log.h"
#include "loads/limits.h"
#include "loads/work.h"
#include "sys/fd.h"
#include "sys/interrupt.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::int64_t frames, warmup, refresh, every, layout, copy, draw, binder, compose, gpu, finish, spread,
        heavy_every, heavy_layout, heavy_draw;

    explicit Options(const Json &json)
        : frames(json.at("frames")), warmup(json.at("warmup")), refresh(json.at("refresh")),
          every(json.at("every")), layout(json.at("layout")), copy(json.at("copy")), draw(json.at("draw")),
          binder(json.at("binder")), compose(json.at("compose")), gpu(json.at("gpu")), finish(json.at("finish")),
          spread(json.at("spread")), heavy_every(json.at("heavy-every")),
          heavy_layout(json.at("heavy-layout")), heavy_draw(json.at("heavy-draw")) {}

    std::int64_t period_ns() const { return 1'000'000'000 / refresh; }
};

// A row of the log.
struct Frame {
    std::int64_t layout_us, draw_us; // its work, drawn from the seed
    std::int64_t vsync_ns, start_ns, drawn_ns, completed_ns;
    bool last; // the UI thread waits for its completion

    std::int64_t total_ns() const { return completed_ns - start_ns; }
};

// Both arms of a comparison draw the same frames from one seed.
std::vector<Frame> plan_frames(const Options &o, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    // Around `us` by up to o.spread per cent of it. No library's distribution: they differ.
    const auto varied = [&](std::int64_t us) {
        const auto per_mille = std::int64_t(random() % 2001) - 1000;
        return us + us * o.spread * per_mille / 100'000;
    };
    std::vector<Frame> frames(std::size_t(o.warmup + o.frames), Frame{});
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const bool heavy = o.heavy_every > 0 && i % std::size_t(o.heavy_every) == 0;
        frames[i].layout_us = varied(o.layout + (heavy ? o.heavy_layout : 0));
        frames[i].draw_us = varied(o.draw + (heavy ? o.heavy_draw : 0));
    }
    return frames;
}

// Hands one thing at a time from one task to another; both sleep on a futex, without spinning first.
template <class T> class Mailbox {
public:
    void post(T letter) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !full_; });
        letter_ = letter;
        full_ = true;
        changed_.notify_one();
    }
    T take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return full_; });
        full_ = false;
        changed_.notify_one();
        return letter_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    T letter_{};
    bool full_ = false;
};

// A signal is the UI thread's affair: it looks for one at each frame.
template <class T> bool put(const Fd &fd, const T &value) {
    ssize_t n;
    while ((n = ::write(fd.get(), &value, sizeof(value))) < 0 && errno == EINTR)
        ;
    return n == sizeof(value);
}

template <class T> bool get(const Fd &fd, T &value) {
    ssize_t n;
    while ((n = ::read(fd.get(), &value, sizeof(value))) < 0 && errno == EINTR)
        ;
    return n == sizeof(value);
}

class Pipeline {
public:
    // `kept`: where counted frames are written to, or nullptr.
    Pipeline(const Options &o, std::uint64_t seed, FrameLog *kept)
        : o_(o), log_(plan_frames(o, seed)), kept_(kept) {
        if (!ticks_)
            throw environment_error("load frames: cannot make an eventfd: " + errno_text(errno));
        render_ = start("render", [this] { render(); });
        composer_ = start("composer", [this] { compose(); });
        completion_ = start("completion", [this] { complete(); });
        vsync_ = start("vsync", [this] { tick(); });
    }
    // Stages end one after the other: each is told by the one before it.
    ~Pipeline() {
        stopping_ = true;
        to_render_.post(nullptr);
    }
    Pipeline(const Pipeline &) = delete;
    Pipeline &operator=(const Pipeline &) = delete;

    // The UI thread: the next `count` frames, until the last of them is complete.
    void show(std::int64_t count) {
        next_vsync();
        skipped_ = 0; // those that passed before are not these frames'
        for (; count > 0; --count) {
            Frame &frame = log_[shown_++];
            frame.last = count == 1;
            lay_out(frame);
            if (frame.last)
                completed_.take();
        }
    }

    std::span<const Frame> log() const { return log_; }
    std::int64_t skipped() const { return skipped_; }

    // The counted frames, from the first vsync on.
    std::vector<FrameTimes> times() const {
        std::vector<FrameTimes> rows;
        for (const Frame *frame = first_counted(); frame != log_.data() + log_.size(); ++frame)
            rows.push_back({{}, frame - first_counted() + 1, frame->vsync_ns - first_vsync_, frame->start_ns - first_vsync_,
                            frame->drawn_ns - first_vsync_, frame->completed_ns - first_vsync_});
        return rows;
    }

private:
    template <class Stage> std::jthread start(const char *name, Stage stage) {
        std::jthread thread(stage);
        ::pthread_setname_np(thread.native_handle(), name);
        return thread;
    }

    void tick() {
        const std::int64_t step = o_.every * o_.period_ns();
        for (std::int64_t next = first_vsync_; !stopping_; next += step) {
            sleep_until_ns(next);
            put(ticks_, std::uint64_t(1));
        }
    }

    // Sleeps until a vsync. Those that passed while the last frame was laid out are skipped, as Choreographer does.
    std::int64_t next_vsync() {
        std::uint64_t passed = 0;
        if (!get(ticks_, passed))
            throw run_error("load frames: no vsync: " + errno_text(errno));
        throw_if_interrupted();
        vsyncs_ += std::int64_t(passed);
        skipped_ += std::int64_t(passed) - 1;
        return first_vsync_ + (vsyncs_ - 1) * o_.every * o_.period_ns();
    }

    void lay_out(Frame &frame) {
        frame.vsync_ns = next_vsync();
        frame.start_ns = monotonic_ns();
        work(frame.layout_us);
        to_render_.post(&frame);
        copied_.take();
    }

    void render() {
        while (Frame *frame = to_render_.take()) {
            work(o_.copy);
            copied_.post(true);
            work(frame->draw_us);
            frame->drawn_ns = monotonic_ns();
            bool answered = false;
            if (!put(calls_.write, frame) || !get(answers_.read, answered))
                return;
        }
        put(calls_.write, static_cast<Frame *>(nullptr));
    }

    void compose() {
        for (Frame *frame = nullptr; get(calls_.read, frame) && frame;) {
            work(o_.binder);
            put(answers_.write, true);
            work(o_.compose);
            to_completion_.post(frame);
        }
        to_completion_.post(nullptr);
    }

    void complete() {
        while (Frame *frame = to_completion_.take()) {
            sleep_until_ns(frame->drawn_ns + o_.gpu * 1000);
            work(o_.finish);
            frame->completed_ns = monotonic_ns();
            if (kept_ && frame >= first_counted())
                keep(*frame);
            if (frame->last)
                completed_.post(true);
        }
    }

    const Frame *first_counted() const { return log_.data() + o_.warmup; }

    void keep(const Frame &frame) {
        const auto us = [this](std::int64_t ns) { return (ns - first_vsync_) / 1000; };
        const auto number = std::size_t(&frame - first_counted()) + 1;
        kept_->write(number, fmt::format("{:>7} {:>13} {:>13} {:>13} {:>13}", number, us(frame.vsync_ns),
                                         us(frame.start_ns), us(frame.drawn_ns), us(frame.completed_ns)));
    }

    const Options &o_;
    std::vector<Frame> log_;
    FrameLog *const kept_;
    const std::int64_t first_vsync_ = monotonic_ns() + o_.period_ns();
    std::size_t shown_ = 0;
    std::int64_t vsyncs_ = 0, skipped_ = 0;
    std::atomic<bool> stopping_ = false;
    Fd ticks_{::eventfd(0, EFD_CLOEXEC)};
    Mailbox<Frame *> to_render_, to_completion_;
    Mailbox<bool> copied_, completed_;
    Pipe calls_ = make_pipe(), answers_ = make_pipe();
    std::jthread vsync_, render_, composer_, completion_;
};

// Between neighbours in proportion, as the tables of 2017 were made (pandas' describe()). `sorted` is not empty.
double percentile(std::span<const double> sorted, double percent) {
    const double at = percent / 100 * double(sorted.size() - 1);
    const auto below = std::size_t(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

Metric time_metric(std::string name, std::string unit, MetricKind kind, double value) {
    return {std::move(name), std::move(unit), MetricClass::time, Direction::lower_is_better, kind, value};
}

std::vector<Metric> metrics_of(std::span<const Frame> frames, std::int64_t period_ns, std::int64_t skipped) {
    std::vector<double> ms;
    for (const Frame &frame : frames)
        ms.push_back(double(frame.total_ns()) / 1e6);
    std::ranges::sort(ms);
    const double count = double(ms.size()), mean = std::accumulate(ms.begin(), ms.end(), 0.0) / count;
    double squares = 0;
    for (const double value : ms)
        squares += (value - mean) * (value - mean);
    const auto janks = std::ranges::count_if(
        frames, [&](const Frame &frame) { return frame.completed_ns > frame.vsync_ns + period_ns; });

    std::vector<Metric> metrics = {
        {"frames", "1", MetricClass::time, Direction::neutral, MetricKind::count, count},
        time_metric("frame_ms.mean", "ms", MetricKind::value, mean),
        time_metric("frame_ms.std", "ms", MetricKind::value, std::sqrt(squares / std::max(count - 1, 1.0)))};
    for (const int percent : {25, 50, 75, 95, 99})
        metrics.push_back(time_metric("frame_ms.p" + std::to_string(percent), "ms", MetricKind::value,
                                      percentile(ms, percent)));
    metrics.push_back(time_metric("janks", "1", MetricKind::count, double(janks)));
    metrics.push_back(time_metric("vsyncs_skipped", "1", MetricKind::count, double(skipped)));
    return metrics;
}

void check(const Json &json) {
    const Options options(json);
    if (options.layout + options.draw == 0)
        throw usage_error("load frames: frames without work", "name a --test, or set --layout and --draw");
    if (options.refresh != 60 && options.refresh != 90 && options.refresh != 120)
        throw usage_error(
            fmt::format("load frames: --refresh {}: displays have 60, 90 or 120 Hz", options.refresh));
    check_tasks("frames", 4);
    check_memory("frames", std::uint64_t(options.warmup + options.frames) * sizeof(Frame));
    check_descriptors("frames", 5);
}

LoadResult run(const Json &json, std::uint64_t seed, const LoadHooks &hooks) {
    const Options options(json);
    calibrate_work();
    std::optional<FrameLog> kept;
    if (const std::string path = json.at("log"); !path.empty()) {
        kept.emplace(path, std::size_t(options.frames) + 1);
        kept->write(0, fmt::format("{:>7} {:>13} {:>13} {:>13} {:>13}", "frame", "vsync, us", "start", "drawn",
                                   "complete"));
    }
    Pipeline pipeline(options, seed, kept ? &*kept : nullptr);
    pipeline.show(options.warmup);

    hooks.begin();
    const std::int64_t started = monotonic_ns();
    pipeline.show(options.frames);
    const std::int64_t elapsed = monotonic_ns() - started;
    hooks.end();
    if (kept)
        kept->finish();

    const std::span<const Frame> counted = pipeline.log().subspan(std::size_t(options.warmup));
    return {std::uint64_t(options.frames), elapsed,
            metrics_of(counted, options.period_ns(), pipeline.skipped()), pipeline.times()};
}

Option cost(std::string name, std::string help) {
    return {std::move(name), 0, OptionType::integer, 0, 0, 1'000'000, "us of " + std::move(help)};
}

} // namespace

Load frames_load() {
    return {"frames",
            "frames through UI, render thread, composer and completion at each vsync (Jankbench)",
            {{"test", 't', OptionType::text, "list_view", 0, 0, "whose values the options below have if not given: "
              "list_view, image_list_view, shadow_grid, low_hitrate_text, high_hitrate_text, edit_text, or a file"},
             {"frames", 'n', OptionType::integer, 300, 1, 1'000'000, "counted frames"},
             {"warmup", 0, OptionType::integer, 30, 1, 1'000'000, "frames before counting begins"},
             {"refresh", 'r', OptionType::integer, 60, 60, 120, "vsyncs per second: 60, 90 or 120"},
             {"log", 0, OptionType::text, "", 0, 0, "write each counted frame's times to this file"},
             {"every", 0, OptionType::integer, 1, 1, 1000, "a frame at each Nth vsync"},
             cost("layout", "UI thread: input, animation, layout, recording"),
             cost("copy", "render thread, while the UI thread waits"),
             cost("draw", "render thread: drawing commands"),
             cost("binder", "composer, while the render thread waits"),
             cost("compose", "composer: composition"),
             cost("gpu", "GPU from the end of drawing on: no CPU is used"),
             cost("finish", "completion"),
             {"spread", 0, OptionType::integer, 0, 0, 100, "layout and draw vary by up to this many per cent"},
             {"heavy-every", 0, OptionType::integer, 0, 0, 1'000'000, "each Nth frame is heavy; 0: none"},
             cost("heavy-layout", "layout that a heavy frame has more"),
             cost("heavy-draw", "draw that a heavy frame has more")},
            check,
            run,
            {"migrations", "frame_ms.p95", "janks"}};
}

} // namespace schedlab
