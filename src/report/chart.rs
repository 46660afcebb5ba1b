//! Line charts as inline SVG: axes with round numbers, one line a series, bars where a point has an error.

use std::fmt::Write;

use super::escaped;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// Told apart also by eyes that do not see all colours.
const COLORS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31"];

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Below the horizontal axis.
    pub x: String,
    /// Beside the vertical axis.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// By ascending x. Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// Half the length of a bar at each point; empty for none.
    pub errors: Vec<f64>,
}

/// The range of an axis with about five round marks in it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            return None;
        }
        if low == high {
            (low, high) = (low - 0.5, high + 0.5);
        }
        let rough = (high - low) / 5.0;
        let ten = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * ten).find(|&step| step >= rough).unwrap_or(rough);
        Some(Axis { low: (low / step).floor() * step, high: (high / step).ceil() * step, step })
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let (low, step) = (self.low, self.step);
        let count = ((self.high - low) / step).round() as usize;
        (0..=count).map(move |i| low + i as f64 * step)
    }

    fn label(&self, value: f64) -> String {
        let decimals = (-self.step.log10().floor()).clamp(0.0, 6.0) as usize;
        let text = format!("{value:.decimals$}");
        if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { text.replace('-', "") } else { text }
    }
}

impl Chart {
    /// The chart as an SVG element; nothing where there are no points.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| series.points.iter());
        let spread = self.series.iter().flat_map(|series| {
            series.points.iter().enumerate().flat_map(|(i, &(_, y))| {
                let error = series.errors.get(i).copied().unwrap_or(0.0);
                [y - error, y + error]
            })
        });
        let (Some(x), Some(y)) = (Axis::over(points().map(|point| point.0)), Axis::over(spread)) else {
            return String::new();
        };
        let across = |value: f64| LEFT + x.share(value) * (WIDTH - LEFT - RIGHT);
        let down = |value: f64| HEIGHT - BOTTOM - y.share(value) * (HEIGHT - TOP - BOTTOM);
        let mut svg =
            format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{}</title>\n", escaped(&self.title));
        for mark in y.marks() {
            let (at, right) = (down(mark), WIDTH - RIGHT);
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                y.label(mark)
            );
        }
        for mark in x.marks() {
            let at = across(mark);
            let _ = writeln!(
                svg,
                "<text class=\"middle\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
                HEIGHT - BOTTOM + 16.0,
                x.label(mark)
            );
        }
        for (index, series) in self.series.iter().enumerate() {
            svg += &series.svg(COLORS[index % COLORS.len()], &across, &down);
            let top = TOP + 14.0 * index as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                WIDTH - RIGHT + 12.0,
                COLORS[index % COLORS.len()],
                WIDTH - RIGHT + 27.0,
                top + 9.0,
                escaped(&series.name)
            );
        }
        let _ = writeln!(
            svg,
            "<text class=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text><text class=\"middle\" \
             transform=\"translate(12 {:.1}) rotate(-90)\">{}</text></svg>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 6.0,
            escaped(&self.x),
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escaped(&self.y)
        );
        svg
    }
}

impl Series {
    fn svg(&self, color: &str, across: &impl Fn(f64) -> f64, down: &impl Fn(f64) -> f64) -> String {
        let shown = || self.points.iter().enumerate().filter(|(_, (x, y))| x.is_finite() && y.is_finite());
        let line: Vec<String> = shown().map(|(_, &(x, y))| format!("{:.1},{:.1}", across(x), down(y))).collect();
        let mut svg = format!("<polyline points=\"{}\" stroke=\"{color}\"/>\n", line.join(" "));
        for (index, &(x, y)) in shown() {
            let at = across(x);
            let _ = write!(svg, "<circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{color}\"/>", down(y));
            if let Some(error) = self.errors.get(index).filter(|error| error.is_finite()) {
                let (top, bottom) = (down(y + error), down(y - error));
                let _ = write!(
                    svg,
                    "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\" stroke=\"{color}\"/>"
                );
            }
        }
        svg + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_marks_around_the_values() {
        let axis = Axis::over([13.2, 16.9].into_iter()).unwrap();
        assert_eq!(axis, Axis { low: 13.0, high: 17.0, step: 1.0 });
        assert_eq!(axis.marks().collect::<Vec<_>>(), [13.0, 14.0, 15.0, 16.0, 17.0]);
        let axis = Axis::over([-0.004, 0.031].into_iter()).unwrap();
        assert_eq!((axis.label(0.0), axis.label(0.02)), ("0.00".to_string(), "0.02".to_string()));
        assert_eq!(Axis::over(std::iter::empty()), None);
        assert!(Axis::over([5.0, f64::NAN].into_iter()).is_some());
    }

    #[test]
    fn lower_values_are_drawn_lower() {
        let series =
            Series { name: "a<b".to_string(), points: vec![(0.0, 1.0), (1.0, 3.0)], errors: vec![0.5, f64::NAN] };
        let chart = Chart { title: "t".to_string(), x: "x".to_string(), y: "y".to_string(), series: vec![series] };
        let svg = chart.svg();
        let points = svg.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let heights: Vec<f64> =
            points.split(' ').map(|point| point.split(',').nth(1).unwrap().parse().unwrap()).collect();
        // SVG counts from the top.
        assert!(heights[0] > heights[1]);
        assert!(svg.contains("a&lt;b") && !svg.contains("NaN"));
        assert_eq!(Chart { series: vec![], ..chart }.svg(), "");
    }
}
