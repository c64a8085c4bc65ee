//! A common scale for all features. In: a value and the scale of its column. Out: a number from -2 to 2. Next: own,
//! design.

/// Scaled features are clipped to this absolute value: one odd segment must not outweigh a thousand others, and
/// linfa-logistic 0.8.1 loses rows whose logits differ by more than 34 from the largest of all.
pub const CLIP: f64 = 2.0;

/// A column of differences that are all smaller than this fraction of the features themselves is rounding noise.
pub(super) const NOISE: f64 = 1e-9;

/// Whether [`scaled`] clips a value.
pub(super) fn is_clipped(value: f64, scale: f64) -> bool {
    scale != 0.0 && (value / scale).abs() > CLIP
}

/// A value in units of its scale, clipped; 0 where the scale is 0.
pub(super) fn scaled(value: f64, scale: f64) -> f64 {
    if scale == 0.0 { 0.0 } else { (value / scale).clamp(-CLIP, CLIP) }
}
