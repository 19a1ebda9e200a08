import { parseArgs } from 'node:util';

/** The arguments of a command are invalid. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}

interface Command<Name extends string, Flag extends string> {
  /** Printed for --help and for invalid arguments. */
  usage: string;
  /** Options with a value: --name value. */
  names?: readonly Name[];
  /** Options without a value: --flag. */
  flags?: readonly Flag[];
  /** Whether the command takes positional arguments. */
  takesWords?: boolean;
}

interface Given<Name extends string, Flag extends string> {
  values: Partial<Record<Name, string>>;
  flags: ReadonlySet<Flag>;
  words: string[];
}

/**
 * Parses the arguments before the command does anything. --help prints the
 * usage and exits with 0. Invalid arguments print the usage and exit with 2.
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
