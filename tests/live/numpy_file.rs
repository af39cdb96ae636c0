//! Writes small NumPy files byte by byte.

/// A NumPy file with two whole numbers.
pub(crate) fn two_numbers(first: i64, second: i64) -> Vec<u8> {
    let mut file =
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }"
            .to_vec();
    file.resize(127, b' ');
    file.push(b'\n');
    file.extend([first, second].iter().flat_map(|number| number.to_le_bytes()));
    file
}
