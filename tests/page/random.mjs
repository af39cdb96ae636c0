// Random numbers by a seed, so that what fails can be done again.

/** Numbers that follow from a seed (xorshift). */
export class Random {
  #state;

  constructor(seed) {
    this.#state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0 || 1;
  }

  /** A number from 0 up to, and without, 1. */
  unit() {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state / 2 ** 32;
  }

  /** A whole number below another. */
  below(end) {
    return Math.floor(this.unit() * end);
  }

  /** One of a list. */
  of(list) {
    return list[this.below(list.length)];
  }

  /** A number between two, with some digits. */
  between(low, high, digits = 6) {
    return Number((low + this.unit() * (high - low)).toFixed(digits));
  }
}
