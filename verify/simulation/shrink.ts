import type { Report, Task } from './play-history.ts';

const PLAYS = 250;

/** Finds a short history that fails in the same way: omits halves first and single moments last, while it still fails. */
export async function shrink(play: (task: Task) => Promise<Report>, failed: Report): Promise<Report> {
  let best = failed;
  let kept = Array.from({ length: failed.events }, (_none, index) => index);
  let plays = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let from = 0; from < kept.length && plays < PLAYS; plays += 1) {
      const only = kept.toSpliced(from, size);
      const report = await play({ seed: failed.seed, only });
      if (kindOf(report) === kindOf(failed)) [best, kept] = [report, only];
      else from += size;
    }
  return best;
}

/** The violation without the numbers, names and times of this history. */
function kindOf({ violations: [first] }: Report): string | undefined {
  return first?.split('\n', 1)[0]?.replaceAll(/[\d.:TZ-]+/g, '#');
}
