//! Weights that come one number at a time, in any order.

use ligament::character::{Influence, JointIndex, Weights, WeightsBuilder};

use crate::import::ImportError;

/// Collects influences until every vertex has some.
pub(crate) struct Gathered {
    vertices: usize,
    found: Vec<(u32, Influence)>,
}

impl Gathered {
    pub fn new(vertices: usize) -> Self {
        Self {
            vertices,
            found: Vec::new(),
        }
    }

    /// Adds one number. Zeros say nothing and are dropped.
    pub fn add(&mut self, vertex: usize, joint: JointIndex, weight: f32) -> Result<(), String> {
        if vertex >= self.vertices {
            return Err(format!("vertex {vertex} is none of the mesh's {}", self.vertices));
        }
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(format!("{weight} is no weight"));
        }
        if weight > 0.0 {
            self.found.push((vertex as u32, Influence { joint, weight }));
        }
        Ok(())
    }

    /// The weights, or which vertex has none.
    pub fn finish(mut self) -> Result<Weights, ImportError> {
        self.found.sort_by_key(|&(vertex, _)| vertex);
        let mut builder = WeightsBuilder::with_capacity(self.vertices, 0);
        let mut rest = self.found.as_slice();
        let mut of_vertex = Vec::new();
        for vertex in 0..self.vertices {
            let count = rest.iter().take_while(|&&(v, _)| v as usize == vertex).count();
            of_vertex.clear();
            of_vertex.extend(rest[..count].iter().map(|&(_, influence)| influence));
            rest = &rest[count..];
            builder
                .push(&of_vertex)
                .map_err(|e| ImportError::malformed("the weights", e.to_string()))?;
        }
        Ok(builder.finish())
    }
}
