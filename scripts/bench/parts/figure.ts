export interface Figure {
  what: string;
  measured: string;
  /** The value to compare with, measured or computed in the same run. */
  yardstick: string;
  /** The measured value divided by the yardstick. */
  ratio: number;
  /** The limit of the ratio; null: no limit. */
  limit: { atMost: number } | { atLeast: number } | null;
}

export function isMet({ ratio, limit }: Figure): boolean {
  if (limit === null) return true;
  return 'atMost' in limit ? ratio <= limit.atMost : ratio >= limit.atLeast;
}

export function describeLimit(limit: Figure['limit']): string {
  if (limit === null) return '';
  return 'atMost' in limit ? `at most ${limit.atMost}` : `at least ${limit.atLeast}`;
}

export function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

export function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
