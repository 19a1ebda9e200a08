/** A measured value beside what it is compared with. */
export interface Figure {
  what: string;
  measured: string;
  yardstick: string;
  /** The measured value divided by the yardstick. */
  ratio: number;
  /** The limit of the ratio; absent: the figure is only shown. */
  atMost?: number;
}

/** @returns whether every ratio is within its limit */
export function printFigures(figures: readonly Figure[]): boolean {
  for (const { what, measured, yardstick, ratio, atMost } of figures) {
    const limit = atMost === undefined ? '' : `, ${ratio <= atMost ? 'at most' : 'EXCEEDS'} ${atMost}`;
    process.stdout.write(`${ratio.toFixed(2)}${limit} | ${what}: ${measured} (${yardstick})\n`);
  }
  return figures.every(({ ratio, atMost = Infinity }) => ratio <= atMost);
}
