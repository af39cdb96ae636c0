//! Cells become launches. A value stands for a block of iterations: a cell; cells are listed
//! launch by launch.

/// The mean of each launch's blocks. A launch without blocks has none and is left
/// out.
pub(crate) fn launch_values(values: &[f64], blocks: &[usize]) -> Vec<f64> {
    let mut rest = values;
    let of_launch = |&count: &usize| {
        let (own, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        (count > 0).then(|| own.iter().sum::<f64>() / count as f64)
    };
    blocks.iter().filter_map(of_launch).collect()
}

/// The mean over launches of the mean over their blocks: every launch counts the
/// same, however many blocks it has. Not a number if there is no block.
pub(crate) fn location(values: &[f64], blocks: &[usize]) -> f64 {
    let launches = launch_values(values, blocks);
    launches.iter().sum::<f64>() / launches.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_launch_counts_the_same() {
        assert_eq!(launch_values(&[1.0, 3.0, 10.0], &[2, 0, 1]), [2.0, 10.0]);
        assert_eq!(location(&[1.0, 3.0, 10.0], &[2, 0, 1]), 6.0);
        assert!(location(&[], &[]).is_nan());
    }
}
