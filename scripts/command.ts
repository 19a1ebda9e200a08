/** Commands print their own output. */
export const silent = { info: nothing, warn: nothing, error: nothing };

function nothing(): void {
  return undefined;
}

/** Ends a command: prints the error in one sentence and exits with 1. */
export function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
