//! Curves of losses over steps, logarithmic upwards.

use ligament::bind::cells::CurvePoint;
use ligament_render::{Image, draw_text};

use super::picture::save_image;

const SIZE: (u32, u32) = (640, 320);
const MARGIN: (u32, u32) = (56, 24);
const COLORS: [[u8; 4]; 4] = [
    [200, 70, 50, 255],
    [225, 160, 40, 255],
    [40, 110, 190, 255],
    [60, 150, 80, 255],
];
const INK: [u8; 4] = [52, 56, 64, 255];
const RULE: [u8; 4] = [222, 224, 228, 255];

/// A curve and its name.
pub struct Line<'a> {
    pub name: &'a str,
    pub curve: &'a [CurvePoint],
}

/// Each point the mean of the points within a twentieth of the curve around it: single
/// steps look at a few poses and jump.
pub fn smoothed(curve: &[CurvePoint]) -> Vec<(usize, f64, f64)> {
    let reach = (curve.len() / 40).max(1);
    (0..curve.len())
        .map(|i| {
            let around = &curve[i.saturating_sub(reach)..(i + reach + 1).min(curve.len())];
            let mean = around.iter().map(|p| p.total).sum::<f64>() / around.len() as f64;
            (curve[i].step, curve[i].seconds, mean)
        })
        .collect()
}

/// The first step, and its time, from which a smoothed curve stays at or under a loss.
pub fn reached(curve: &[CurvePoint], loss: f64) -> Option<(usize, f64)> {
    let smooth = smoothed(curve);
    let after = smooth.iter().rposition(|p| p.2 > loss).map_or(0, |i| i + 1);
    smooth.get(after).map(|p| (p.0, p.1))
}

/// Draws curves over a common axis of steps and saves them.
pub fn save(lines: &[Line<'_>], file: &str) -> anyhow::Result<()> {
    let (width, height) = SIZE;
    let mut image = Image::filled(width, height, [250, 250, 251, 255]);
    let curves: Vec<Vec<(usize, f64, f64)>> = lines.iter().map(|l| smoothed(l.curve)).collect();
    let points = || curves.iter().flatten();
    let steps = points().map(|p| p.0).max().unwrap_or(1).max(1) as f64;
    let low = points()
        .map(|p| p.2)
        .fold(f64::INFINITY, f64::min)
        .max(1e-9)
        .log10();
    let high = points().map(|p| p.2).fold(1e-9, f64::max).log10();
    let (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
    let (left, below) = MARGIN;
    let across = f64::from(width - left - 12);
    let up = f64::from(height - below - 12);
    let x_of = |step: f64| f64::from(left) + across * step / steps;
    let y_of = |log: f64| 12.0 + up * (high - log) / (high - low);
    for decade in low as i32..=high as i32 {
        let y = y_of(f64::from(decade)) as u32;
        for x in left..width - 12 {
            image.set(x, y, RULE);
        }
        let label = match decade {
            0..=3 => format!("{}", 10f64.powi(decade)),
            _ => format!("1e{decade}"),
        };
        draw_text(&mut image, 6, y.saturating_sub(3), 1, INK, &label);
    }
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let label = format!("{:.0}", share * steps);
        let x = (x_of(share * steps) as u32).saturating_sub(8);
        draw_text(&mut image, x, height - below + 8, 1, INK, &label);
    }
    for (i, (line, curve)) in lines.iter().zip(&curves).enumerate() {
        let color = COLORS[i % COLORS.len()];
        for pair in curve.windows(2) {
            let from = (x_of(pair[0].0 as f64), y_of(pair[0].2.max(1e-9).log10()));
            let to = (x_of(pair[1].0 as f64), y_of(pair[1].2.max(1e-9).log10()));
            let pieces = ((to.0 - from.0).abs().max((to.1 - from.1).abs()) * 2.0)
                .ceil()
                .max(1.0);
            for k in 0..=pieces as u32 {
                let t = f64::from(k) / pieces;
                let x = (from.0 + t * (to.0 - from.0)) as u32;
                let y = (from.1 + t * (to.1 - from.1)) as u32;
                image.set(x, y, color);
                image.set(x, y + 1, color);
            }
        }
        let y = 18 + 14 * i as u32;
        draw_text(&mut image, width - 220, y, 1, color, line.name);
    }
    save_image(&image, file)
}
