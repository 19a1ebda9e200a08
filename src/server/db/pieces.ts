/** So many rows go at once without anybody having to wait for it. */
const ROWS = 5000;

/** Repeats what goes about so many rows at most until there are no more. */
export async function inPieces(
  step: (limit: number) => Promise<{ numAffectedRows?: bigint }>,
): Promise<void> {
  let affected: number;
  do affected = Number((await step(ROWS)).numAffectedRows ?? 0);
  while (affected === ROWS);
}
