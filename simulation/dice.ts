/** The only source of chance in a simulated history: the same seed rolls the same, on every machine. */
export interface Dice {
  /** Uniform in [0, 1). */
  roll(): number;
  /** Whole, from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Dice of their own for one purpose, so that more rolls for one do not shift those for another. */
  for(purpose: string): Dice;
}

export function createDice(seed: string): Dice {
  const roll = mulberry32(hash(seed));
  const whole = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1));
  return {
    roll,
    whole,
    chance: (probability) => roll() < probability,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[whole(0, list.length - 1)] as T;
    },
    for: (purpose) => createDice(`${seed}/${purpose}`),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** Tommy Ettinger's, public domain. */
function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
