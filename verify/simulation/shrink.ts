import type { Report, Task } from './worker.ts';

const PLAYS = 250;

/**
 * Finds a short history that fails in the same way: omits parts, halves
 * first and single moments last (delta debugging), while it still fails.
 */
export async function shrink(play: (task: Task) => Promise<Report>, failed: Report): Promise<Report> {
  const wanted = kindOf(failed);
  let best = failed;
  let kept = Array.from({ length: failed.events }, (_none, index) => index);
  let plays = 0;
  for (let parts = 2; kept.length > 1 && parts <= kept.length && plays < PLAYS;) {
    const size = Math.ceil(kept.length / parts);
    let hasShrunk = false;
    for (let from = 0; from < kept.length && plays < PLAYS; from += size) {
      const only = kept.toSpliced(from, size);
      plays += 1;
      const report = await play({ seed: failed.seed, only });
      if (kindOf(report) !== wanted) continue;
      best = report;
      kept = only;
      hasShrunk = true;
      break;
    }
    if (hasShrunk) parts = Math.max(2, parts - 1);
    else if (size === 1) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return best;
}

/** The violation without the numbers, names and times of this history. */
function kindOf({ violations: [first] }: Report): string | null {
  return first?.split('\n', 1)[0]?.replaceAll(/[\d.:TZ-]+/g, '#') ?? null;
}
