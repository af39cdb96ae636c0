//! Elements of short types as numbers: floats of a byte or less, integers of which several
//! share a byte.

use onnxray_format::DataType;

/// First `count` elements in `bytes`, packed without gaps, lowest bits first. `None` if there are
/// fewer, or for types of more than 8 bits.
pub(in crate::model) fn decoded(
    data_type: DataType,
    bytes: &[u8],
    count: usize,
) -> Option<Vec<f64>> {
    let bits = u32::try_from(data_type.bits()?).ok().filter(|&bits| bits <= 8)?;
    let codes = codes(bytes, bits, count)?;
    Some(codes.map(|code| number(data_type, bits, code)).collect())
}

/// First `count` codes of `bits` each; `None` if `bits` does not divide 8, or if there are too few
/// bytes.
pub(in crate::model) fn codes(
    bytes: &[u8],
    bits: u32,
    count: usize,
) -> Option<impl Iterator<Item = u8> + '_> {
    let in_byte = matches!(bits, 1 | 2 | 4 | 8).then(|| 8 / bits as usize)?;
    let mask = (u8::MAX) >> (8 - bits);
    let is_enough = bytes.len() >= count.div_ceil(in_byte);
    let code =
        move |place: usize| bytes[place / in_byte] >> (place % in_byte * bits as usize) & mask;
    is_enough.then(|| (0..count).map(code))
}

fn number(data_type: DataType, bits: u32, code: u8) -> f64 {
    match data_type {
        DataType::S8 | DataType::S4 | DataType::S2 => {
            // The highest bit is the sign's.
            let unused = 8 - bits;
            // Shifted up and back down, an i8 repeats the sign in the unused bits.
            f64::from(((code << unused) as i8) >> unused)
        }
        // E4M3FN has no infinity: all ones is NaN. The FNUZ types have one NaN, which would be -0,
        // and a bias larger by one (ONNX, "Float stored in 8 bits").
        DataType::Fp8E4M3Fn if code & 0x7f == 0x7f => f64::NAN,
        DataType::Fp8E4M3Fn => small_float(code, 4, 3, 7),
        DataType::Fp8E5M2 if code & 0x7f > 0x7c => f64::NAN,
        DataType::Fp8E5M2 if code & 0x7f == 0x7c => {
            if code == 0x7c {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            }
        }
        DataType::Fp8E5M2 => small_float(code, 5, 2, 15),
        DataType::Fp8E4M3FnUz | DataType::Fp8E5M2FnUz if code == 0x80 => f64::NAN,
        DataType::Fp8E4M3FnUz => small_float(code, 4, 3, 8),
        DataType::Fp8E5M2FnUz => small_float(code, 5, 2, 16),
        DataType::Fp8E8M0 if code == 0xff => f64::NAN,
        DataType::Fp8E8M0 => 2f64.powi(i32::from(code) - 127),
        DataType::Fp4E2M1 => small_float(code, 2, 1, 1),
        _ => f64::from(code),
    }
}

/// Sign, exponent and mantissa; subnormal where the exponent is 0.
fn small_float(code: u8, exponent_bits: u32, mantissa_bits: u32, bias: i32) -> f64 {
    let mantissa = f64::from(code & ((1 << mantissa_bits) - 1)) / f64::from(1 << mantissa_bits);
    let exponent = i32::from(code >> mantissa_bits & ((1 << exponent_bits) - 1));
    let size = match exponent {
        0 => mantissa * 2f64.powi(1 - bias),
        _ => (1.0 + mantissa) * 2f64.powi(exponent - bias),
    };
    if code >> (exponent_bits + mantissa_bits) & 1 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_share_bytes_lowest_bits_first() {
        let check = |data_type, bytes: &[u8], expected: &[f64]| {
            assert_eq!(decoded(data_type, bytes, expected.len()).unwrap(), expected);
        };
        check(DataType::U4, &[0x21, 0xf3], &[1.0, 2.0, 3.0]);
        check(DataType::S4, &[0x87, 0xf0], &[7.0, -8.0, 0.0, -1.0]);
        check(DataType::U2, &[0b11_10_01_00], &[0.0, 1.0, 2.0, 3.0]);
        check(DataType::S2, &[0b11_10_01_00], &[0.0, 1.0, -2.0, -1.0]);
        check(DataType::S8, &[0x80, 0x7f], &[-128.0, 127.0]);
        assert_eq!(decoded(DataType::U4, &[0x21], 3), None, "one is missing");
        assert_eq!(decoded(DataType::Fp16, &[0, 0], 1), None, "longer than a byte");
    }

    /// Smallest, one, one and a bit, largest, as the definitions of the types state them.
    #[test]
    fn floats_are_what_their_definitions_say() {
        use DataType::*;
        let check = |data_type, codes: &[u8], expected: &[f64]| {
            // Two of four bits fill a byte.
            let bytes: Vec<u8> = match data_type {
                Fp4E2M1 => codes.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect(),
                _ => codes.to_vec(),
            };
            assert_eq!(decoded(data_type, &bytes, codes.len()).unwrap(), expected, "{data_type}");
        };
        let small = |exponent: i32| 2f64.powi(exponent);
        check(Fp8E4M3Fn, &[1, 0x38, 0x39, 0x7e, 0xb8], &[small(-9), 1.0, 1.125, 448.0, -1.0]);
        check(Fp8E4M3FnUz, &[1, 0x40, 0x41, 0x7f, 0xc0], &[small(-10), 1.0, 1.125, 240.0, -1.0]);
        check(Fp8E5M2, &[1, 0x3c, 0x3d, 0x7b, 0xbc], &[small(-16), 1.0, 1.25, 57344.0, -1.0]);
        check(Fp8E5M2FnUz, &[1, 0x40, 0x41, 0x7f, 0xc0], &[small(-17), 1.0, 1.25, 57344.0, -1.0]);
        check(Fp8E8M0, &[0, 127, 128, 254], &[small(-127), 1.0, 2.0, small(127)]);
        check(Fp4E2M1, &[0, 1, 2, 3, 7, 15], &[0.0, 0.5, 1.0, 1.5, 6.0, -6.0]);
        check(Fp8E5M2, &[0x7c, 0xfc], &[f64::INFINITY, f64::NEG_INFINITY]);
        for (data_type, code) in [
            (Fp8E4M3Fn, 0x7f),
            (Fp8E4M3FnUz, 0x80),
            (Fp8E5M2, 0x7d),
            (Fp8E5M2FnUz, 0x80),
            (Fp8E8M0, 0xff),
        ] {
            assert!(decoded(data_type, &[code], 1).unwrap()[0].is_nan(), "{data_type}");
        }
    }
}
