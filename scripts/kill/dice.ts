/** Dice with a seed: the same seed rolls the same, so that a run can be repeated. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1): mulberry32. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.roll() * (high - low);
  }

  chance(share: number): boolean {
    return this.roll() < share;
  }

  pick<T>(from: readonly T[]): T {
    const found = from[Math.floor(this.roll() * from.length)];
    if (found === undefined) throw new Error('there is nothing to pick from');
    return found;
  }
}
