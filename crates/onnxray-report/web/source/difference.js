// A ratio of latencies as people say it, by the rules of the analyzer's `difference`: a share of
// the first latency, and from a factor of two on that factor.

/**
 * `66.2 % slower than A (95 % CI 65.0 to 67.4 %)`, of B / A and the ends of its interval.
 * @param {{ratio: number, low?: number, high?: number}} what
 */
export function differenceFromA({ ratio, low, high }) {
  const interval = low === undefined || high === undefined ? "" : ` (${confidence(ratio, low, high)})`;
  const { number, unit, word } = size(ratio, false);
  return `${number}${unit}${word} than A${interval}`;
}

/** `95 % CI 65.0 to 67.4 %`; with signs where the direction is not sure. */
function confidence(ratio, low, high) {
  if (low >= 1 && ratio >= 1) return `95 % CI ${ends(ratio, low, high, false)}`;
  if (high <= 1 && ratio < 1) return `95 % CI ${ends(ratio, high, low, false)}`;
  return `95 % CI ${ends(ratio, low, high, true)}`;
}

/** In the unit of the ratio: a reader compares the three. */
function ends(ratio, first, last, hasSign) {
  const [a, b] = [first, last].map((end) => size(end, hasSign, isFactor(ratio)));
  const whole = ({ number, unit, word }) => `${number}${unit}${hasSign ? word : ""}`;
  if (!hasSign || a.word === b.word) return `${a.number} to ${whole(b)}`;
  return `${whole(a)} to ${whole(b)}`;
}

// Of no time at all, the factor would be infinite.
const isFactor = (ratio) => factorOf(ratio) >= 2 && ratio > 0;

const factorOf = (ratio) => (ratio < 1 ? 1 / ratio : ratio);

function size(ratio, hasSign, asFactor = isFactor(ratio)) {
  const word = ratio < 1 ? " faster" : " slower";
  if (asFactor) {
    const factor = factorOf(ratio);
    const hundredths = Math.round(factor * 100) / 100;
    return { number: factor === Infinity ? "∞" : hundredths.toFixed(2), unit: "x", word };
  }
  const percent = (ratio - 1) * 100;
  if (percent === Infinity) return { number: "∞", unit: " %", word };
  const tenths = Math.round(Math.abs(percent) * 10) / 10;
  if (!hasSign) return { number: tenths.toFixed(1), unit: " %", word };
  // What rounds to 0 has no negative sign.
  const sign = percent < 0 && tenths > 0 ? "-" : "+";
  return { number: `${sign}${tenths.toFixed(1)}`, unit: " %", word: "" };
}
