/** What a command has to say it says itself. */
export const silent = { info: nothing, warn: nothing, error: nothing };

function nothing(): void {
  return undefined;
}

/** For the end of a command: what went wrong, in a sentence, and 1. */
export function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
