// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/stats.h"
#include "report/comparison_words.h"
#include "report/html.h"

namespace schedlab {

namespace {

struct Range {
    double low = 0, high = 0;
    // Where `value` lies, 0..1; the middle if there is but one value.
    double part(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

Range range_of(const Comparison &c) {
    Range range{c.a.front(), c.a.front()};
    for (const std::vector<double> *values : {&c.a, &c.b})
        for (const double v : *values)
            range = {std::min(range.low, v), std::max(range.high, v)};
    return range;
}

std::string begin_svg(int width, int height, const std::string &title) {
    return fmt::format(R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img"><title>{2}</title>)", width, height,
                       escaped(title));
}

// A part of the whole → -1..1, logarithmic from 0.1 % to 100 %.
double squeezed(double part) {
    constexpr double least = 0.001, decades = 3;
    const double size = std::clamp(std::log10(1 + std::abs(part) / least) / decades, 0.0, 1.0);
    return part < 0 ? -size : size;
}

std::string verdict_class(const Comparison &c) { return c.verdict ? std::string(to_string(*c.verdict)) : "none"; }

// Margins of a chart with axes.
constexpr int left = 8, right = 8, top = 8, bottom = 20;

std::string axis_labels(const Comparison &c, const Range &range, int width, int height) {
    return fmt::format(R"(<text x="{}" y="{}">{}</text><text x="{}" y="{}" text-anchor="end">{}</text>)", left, height - 5,
                       escaped(value_words(c.metric, range.low)), width - right, height - 5,
                       escaped(value_words(c.metric, range.high)));
}

std::string steps(std::vector<double> values, const Range &range, int width, int height, const char *arm) {
    std::ranges::sort(values);
    const double w = width - left - right, h = height - top - bottom, n = double(values.size());
    std::string path = fmt::format("M{} {:.1f}", left, top + h);
    for (std::size_t i = 0; i < values.size(); ++i)
        path += fmt::format("H{:.1f}V{:.1f}", left + w * range.part(values[i]), top + h * (1 - double(i + 1) / n));
    return fmt::format(R"(<path class="line {}" d="{}H{}"/>)", arm, path, width - right);
}

std::size_t bins_of(const Comparison &c) {
    const double boots = double(c.a.size() + c.b.size());
    return std::size_t(std::clamp(2 * std::cbrt(boots), 4.0, 20.0)); // Rice's rule
}

std::vector<std::size_t> binned(const std::vector<double> &values, const Range &range, std::size_t bins) {
    std::vector<std::size_t> counts(bins);
    for (const double value : values)
        ++counts[std::min(bins - 1, std::size_t(range.part(value) * double(bins)))];
    return counts;
}

// The line that an arm's values follow, by Theil and Sen: the median of all slopes, through the middle. A boot far out does
// not bend it.
std::string drift_line(const std::vector<TimedValue> &points, bool of_b, double x0, double step, const auto &y) {
    std::vector<double> at, values, slopes;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].of_b == of_b) {
            for (std::size_t k = 0; k < at.size(); ++k)
                slopes.push_back((points[i].value - values[k]) / (double(i) - at[k]));
            at.push_back(double(i));
            values.push_back(points[i].value);
        }
    if (slopes.empty())
        return {};
    const double slope = median(slopes), middle = median(at), level = median(values);
    const auto end = [&](double i) { return fmt::format("{:.1f} {:.1f}", x0 + step * i, y(level + slope * (i - middle))); };
    return fmt::format(R"(<path class="drift {}" d="M{}L{}"/>)", of_b ? "b" : "a", end(at.front()), end(at.back()));
}

} // namespace

std::vector<TimedValue> in_time(const Comparison &c, const ComparisonReport &report) {
    std::vector<TimedValue> points;
    for (const bool of_b : {false, true}) {
        const std::vector<double> &values = of_b ? c.b : c.a;
        const std::vector<std::string> &began = of_b ? report.b.started_at : report.a.started_at;
        for (std::size_t i = 0; i < values.size(); ++i)
            points.push_back({i < began.size() ? began[i] : "", values[i], of_b});
    }
    std::ranges::stable_sort(points, {}, &TimedValue::began);
    return points;
}

std::string interval_chart(const Comparison &c) {
    constexpr double half = 70, mid = half + 4;
    constexpr int width = int(2 * mid), height = 18;
    const auto x = [&](double change) { return mid + half * squeezed(relative_change(c, change)); };
    std::string svg = begin_svg(width, height, c.metric.name + ": " + change_words(c) + ", 95 % interval " + interval_words(c));
    for (const double tick : {-1.0, -0.1, -0.01, 0.01, 0.1, 1.0})
        svg += fmt::format(R"(<path class="tick" d="M{:.1f} 2V16"/>)", mid + half * squeezed(tick));
    svg += fmt::format(R"(<path class="zero" d="M{0} 0V18"/>)", mid);
    if (c.interval)
        svg += fmt::format(R"(<path class="interval {}" d="M{:.1f} 9H{:.1f}"/>)", verdict_class(c), x(c.interval->low),
                           x(c.interval->high));
    return svg + fmt::format(R"(<circle class="{}" cx="{:.1f}" cy="9" r="3.5"/></svg>)", verdict_class(c), x(c.change));
}

std::string ecdf_chart(const Comparison &c) {
    constexpr int width = 260, height = 130;
    const Range range = range_of(c);
    return begin_svg(width, height, c.metric.name + ": distribution over boots; a dashed, b solid") +
           fmt::format(R"(<path class="axis" d="M{} {}V{}H{}"/>)", left, top, height - bottom, width - right) +
           steps(c.a, range, width, height, "a") + steps(c.b, range, width, height, "b") +
           axis_labels(c, range, width, height) + "</svg>";
}

std::string histogram_chart(const Comparison &c) {
    constexpr int width = 260, height = 130;
    const Range range = range_of(c);
    const std::size_t bins = bins_of(c);
    const std::vector<std::size_t> a = binned(c.a, range, bins), b = binned(c.b, range, bins);
    const double most = double(std::max(std::ranges::max(a), std::ranges::max(b)));
    const double w = double(width - left - right) / double(bins), h = height - top - bottom;
    const auto bar = [&](std::size_t bin, std::size_t boots, const char *arm, double shift) {
        const double tall = h * double(boots) / most;
        return fmt::format(R"(<rect class="bin {}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)", arm,
                           left + w * (double(bin) + shift), top + h - tall, 0.4 * w, tall);
    };
    std::string svg = begin_svg(width, height, fmt::format("{}: boots per value, at most {:.0f}; a outlined, b filled",
                                                           c.metric.name, most));
    for (std::size_t bin = 0; bin < bins; ++bin)
        svg += bar(bin, a[bin], "a", 0.08) + bar(bin, b[bin], "b", 0.52);
    return svg + fmt::format(R"(<path class="axis" d="M{} {}H{}"/>)", left, height - bottom, width - right) +
           axis_labels(c, range, width, height) + "</svg>";
}

std::string time_chart(const Comparison &c, const ComparisonReport &report) {
    constexpr int width = 540, height = 130;
    const std::vector<TimedValue> points = in_time(c, report);
    const Range range = range_of(c);
    const double w = width - left - right, h = height - top - bottom;
    const auto y = [&](double value) { return top + h * (1 - range.part(value)); };
    std::string svg = begin_svg(width, height, c.metric.name + ": runs in the order in which they began; a rings, b dots");
    svg += fmt::format(R"(<path class="axis" d="M{} {}V{}H{}"/>)", left, top, height - bottom, width - right);
    for (const auto &[median, arm] : {std::pair(c.median_a, "a"), std::pair(c.median_b, "b")})
        svg += fmt::format(R"(<path class="median {}" d="M{} {:.1f}H{}"/>)", arm, left, y(median), width - right);
    const double step = w / double(points.size()), first = left + step / 2;
    svg += drift_line(points, false, first, step, y) + drift_line(points, true, first, step, y);
    for (std::size_t i = 0; i < points.size(); ++i)
        svg += fmt::format(R"(<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="4"><title>{}</title></circle>)",
                           points[i].of_b ? "dot b" : "dot a", first + step * double(i),
                           y(points[i].value),
                           escaped(fmt::format("{}, {}: {}", points[i].of_b ? "b" : "a", points[i].began,
                                               value_words(c.metric, points[i].value))));
    return svg + fmt::format(R"(<text x="{}" y="{}">{} to {}</text></svg>)", left, height - 5,
                             escaped(value_words(c.metric, range.low)), escaped(value_words(c.metric, range.high)));
}

} // namespace schedlab
