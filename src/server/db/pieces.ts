/** Few enough rows that the statement blocks no other one for long. */
const ROWS = 5000;

/** Repeats a statement with a row limit until no rows are left. */
export async function inPieces(
  step: (limit: number) => Promise<{ numAffectedRows?: bigint }>,
): Promise<void> {
  let affected: number;
  do affected = Number((await step(ROWS)).numAffectedRows ?? 0);
  while (affected === ROWS);
}
