//! A picture in memory.

/// Rows of sRGB pixels with straight alpha, from the top left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue, alpha; `width * height` of them.
    pub pixels: Vec<[u8; 4]>,
}

impl Image {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Self {
        Self {
            width,
            height,
            pixels: vec![color; width as usize * height as usize],
        }
    }

    /// The pixel at column `x` and row `y`, or `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let inside = x < self.width && y < self.height;
        inside
            .then(|| {
                self.pixels
                    .get(y as usize * self.width as usize + x as usize)
                    .copied()
            })
            .flatten()
    }

    /// Sets a pixel; outside nothing happens.
    pub fn set(&mut self, x: u32, y: u32, color: [u8; 4]) {
        if x < self.width
            && let Some(pixel) = self.pixels.get_mut(y as usize * self.width as usize + x as usize)
        {
            *pixel = color;
        }
    }

    /// Copies another picture in with its top left corner at `x`, `y`. What reaches over
    /// the edge is left out.
    pub fn paste(&mut self, other: &Self, x: u32, y: u32) {
        let columns = other.width.min(self.width.saturating_sub(x)) as usize;
        let rows = other.height.min(self.height.saturating_sub(y)) as usize;
        for row in 0..rows {
            let from = row * other.width as usize;
            let to = (y as usize + row) * self.width as usize + x as usize;
            if let (Some(source), Some(target)) = (
                other.pixels.get(from..from + columns),
                self.pixels.get_mut(to..to + columns),
            ) {
                target.copy_from_slice(source);
            }
        }
    }
}
