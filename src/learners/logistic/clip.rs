//! One scale for all features. In: a value and the size of such values. Out: a number from -2 to 2. Next: own, design.

/// Scaled features further out than this are moved here: one strange segment must not outweigh a thousand others, and
/// linfa-logistic 0.8.1 loses rows whose logits differ by more than 34 from the largest of all.
pub const CLIP: f64 = 2.0;

/// A column whose values are all smaller than this part of the features themselves is rounding noise.
pub(super) const NOISE: f64 = 1e-9;

/// Whether [`scaled`] clips a value.
pub(super) fn is_clipped(value: f64, scale: f64) -> bool {
    scale != 0.0 && (value / scale).abs() > CLIP
}

/// A value in units of its scale, clipped; 0 where the scale is 0.
pub(super) fn scaled(value: f64, scale: f64) -> f64 {
    if scale == 0.0 { 0.0 } else { (value / scale).clamp(-CLIP, CLIP) }
}
