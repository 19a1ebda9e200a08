/** A shorter run says more of how the product warms up than of what it keeps. */
const REQUESTS = 20_000;
const PART = 5;
const GROWTH = 1.5;
const GROWTH_BYTES = 30e6;

/**
 * Whether the product keeps what it should let go of: what is in use after a collection, at the run's end and at its
 * beginning. Each is the middle one of several, since a single one may have caught a large answer on its way.
 */
export function faultsOfMemory(heapBytes: readonly number[], requests: number): string[] {
  if (requests < REQUESTS) return [];
  const few = Math.max(1, Math.floor(heapBytes.length / PART));
  const first = middleOf(heapBytes.slice(0, few));
  const last = middleOf(heapBytes.slice(-few));
  if (last <= first * GROWTH || last - first <= GROWTH_BYTES) return [];
  const [from, to] = [first, last].map((bytes) => Math.round(bytes / 1e6));
  return [`its memory grows: ${from} MB were in use at first, and ${to} MB at last`];
}

function middleOf(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}
