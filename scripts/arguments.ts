import { parseArgs } from 'node:util';

/** A command was asked for what it cannot do. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}

interface Command<Name extends string, Flag extends string> {
  /** Shown to whoever asks for help, and to whoever asked for something else than this. */
  usage: string;
  /** What is given as --name value. */
  names?: readonly Name[];
  /** What is given as --flag, or not. */
  flags?: readonly Flag[];
  /** Whether it takes words without a name. */
  takesWords?: boolean;
}

interface Given<Name extends string, Flag extends string> {
  values: Partial<Record<Name, string>>;
  flags: ReadonlySet<Flag>;
  words: string[];
}

/**
 * Reads what a command was asked for, before it does anything. --help prints the usage and ends with 0; whatever is not
 * understood is refused with the usage and 2, so that nobody starts something else than they meant.
 */
export function readArguments<Result, Name extends string = never, Flag extends string = never>(
  { usage, names = [], flags = [], takesWords = false }: Command<Name, Flag>,
  read: (given: Given<Name, Flag>) => Result,
  args: string[] = process.argv.slice(2),
): Result {
  try {
    const named = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const yesOrNo = Object.fromEntries(
      [...flags, 'help'].map((name) => [name, { type: 'boolean' as const }]),
    );
    const options = { ...named, ...yesOrNo };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: takesWords });
    if (values['help'] !== true) {
      const given = new Set(flags.filter((flag) => values[flag] === true));
      return read({
        values: values as Given<Name, Flag>['values'],
        flags: given,
        words: positionals,
      });
    }
    process.stdout.write(`${usage.trim()}\n`);
    return process.exit(0);
  } catch (error) {
    if (!(error instanceof NotUnderstood || isOfParser(error))) throw error;
    process.stderr.write(`${error.message}\n\n${usage.trim()}\n`);
    return process.exit(2);
  }
}

/** For a command that takes nothing. */
export function takeNoArguments(usage: string, args?: string[]): void {
  readArguments({ usage }, () => undefined, args);
}

function isOfParser(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('ERR_PARSE_ARGS_')
  );
}

/** @throws NotUnderstood */
export function whole(name: string, text: string, least: number, most: number): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new NotUnderstood(`--${name} is a whole number from ${least} to ${most}`);
  }
  return value;
}

/** @throws NotUnderstood */
export function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((one) => one === text);
  if (chosen === undefined) throw new NotUnderstood(`--${name} is one of: ${choices.join(', ')}`);
  return chosen;
}
