import * as fc from 'fast-check';
import type * as z from 'zod/mini';

/** The parts that are read of how a schema describes itself. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  entries?: Record<string, string>;
  values?: unknown[];
  options?: z.ZodMiniType[];
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  in?: z.ZodMiniType;
  out?: z.ZodMiniType;
  format?: string;
  checks?: {
    _zod: {
      def: {
        check?: string;
        format?: string;
        pattern?: RegExp;
        value?: number;
        minimum?: number;
        maximum?: number;
      };
    };
  }[];
  pattern?: RegExp;
}

/** Texts and numbers that have broken programs before. */
const TEXTS = [
  '',
  ' ',
  ...[
    'e\u0301\u0327'.repeat(20),
    '9'.repeat(400),
    'x'.repeat(300),
    'x'.repeat(70_000),
    'a\r\nset-cookie: a=b',
  ],
  ...'\0 ¦ a\0b ¦ \ud800 ¦ \u202eevil\u202c ¦ 👩‍👩‍👧‍👦 ¦ ı İ ß ſ ¦ \u2028 ¦ ١٢٣ ¦ \\ ¦ $1 ¦ %s%n ¦ null ¦ NaN ¦ -1 ¦ 0x10 ¦ 1e309'.split(
    ' ¦ ',
  ),
  ..."' or 1=1 -- ¦ '; drop table person; -- ¦ <script>alert(1)</script> ¦ javascript:alert(1) ¦ ../../../../etc/passwd".split(
    ' ¦ ',
  ),
  ...'${7*7}{{7*7}} ¦ //evil.example ¦ __proto__ ¦ constructor ¦ 9223372036854775808'.split(' ¦ '),
];
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53 + 2, 1e308, 5e-324];
/** JSON that no serializer writes. */
const RAW_JSON = [
  '',
  ...String.raw`{ ¦ {"a":1,} ¦ {'a':1} ¦ {"a":1}{"b":2} ¦ NaN ¦ 01 ¦ 1e999 ¦ {"a":"\ud800"} ¦ {"a":"\u0000"}`.split(
    ' ¦ ',
  ),
  ...'\ufeff{} ¦ {"__proto__":{"isAdmin":true}} ¦ {"constructor":{"prototype":{"isAdmin":true}}}'.split(
    ' ¦ ',
  ),
  ...['{"enabled":true,"enabled":false}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ...[`{"a":"${'x'.repeat(70_000)}"}`, `[${'1,'.repeat(30_000)}1]`],
];

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);
const hostileNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.double(), fc.integer());
const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small' },
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(null, true, [], {}, [null], { toString: 1 }, { length: -1 }),
  fc.jsonValue({ noUnicodeString: false }),
  fc.dictionary(hostileText, hostileNumber, { maxKeys: 5 }),
);
export const hostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(...RAW_JSON),
  hostileJson.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/**
 * Valid values of a schema of the contract, made from what the schema says of itself.
 * @param known ids of the running product; those that fit are used as well
 * @throws Error for a type of schema that it does not know, so that none is left out unnoticed
 */
export function validValue(schema: z.ZodMiniType, known: readonly string[]): fc.Arbitrary<unknown> {
  return build(schema, known).filter((value) => schema.safeParse(value).success);
}

function build(schema: z.ZodMiniType, known: readonly string[]): fc.Arbitrary<unknown> {
  const definition = schema._zod.def as unknown as Definition;
  const inner = () => build(required(definition.innerType), known);
  switch (definition.type) {
    case 'string':
      return text(schema, definition, known);
    case 'number':
    case 'int':
      return fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer());
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'literal':
      return fc.constantFrom(...required(definition.values));
    case 'enum':
      return fc.constantFrom(...Object.values(required(definition.entries)));
    case 'optional':
    case 'default':
      return fc.option(inner(), { nil: undefined, freq: 4 });
    case 'nullable':
      return fc.option(inner(), { nil: null });
    case 'array':
      return fc.array(build(required(definition.element), known), { maxLength: 5 });
    case 'union':
      return fc.oneof(...required(definition.options).map((option) => build(option, known)));
    case 'pipe':
      // What stands before brings other spellings into shape; what comes after says what is meant.
      return isTransform(definition.in)
        ? build(required(definition.out), known)
        : build(required(definition.in), known);
    case 'object':
      return fc
        .record(
          Object.fromEntries(
            Object.entries(required(definition.shape)).map(([key, one]) => [key, build(one, known)]),
          ),
        )
        .map(withoutUndefined);
    default:
      throw new Error(`no arbitrary for a schema of the type '${definition.type}'`);
  }
}

function text(
  schema: z.ZodMiniType,
  definition: Definition,
  known: readonly string[],
): fc.Arbitrary<unknown> {
  const checks = (definition.checks ?? []).map((check) => check._zod.def);
  const format = definition.format ?? checks.find((check) => check.format !== undefined)?.format;
  const pattern = checks.find((check) => check.pattern !== undefined)?.pattern;
  const made =
    format === 'email'
      ? fc.integer({ min: 1, max: 10 ** 6 }).map((number) => `fuzz.${number}@example.com`)
      : pattern !== undefined
        ? fc.stringMatching(pattern)
        : fc.string({ maxLength: 30 });
  const fitting = known.filter((value) => schema.safeParse(value).success);
  return fitting.length === 0
    ? made
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: made });
}

/** A valid value with one thing broken, or nearly: it may still be taken. */
export function nearlyValid(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.nat(), fc.nat(), hostileJson, hostileText)
    .map(([value, service, how, json, words]) => {
      const paths = pathsOf(value);
      const path = paths[service % paths.length] ?? [];
      return changedAt(value, path, (old) => breakage(old, how, json, words));
    });
}

const REMOVED = Symbol('removed');

function breakage(old: unknown, how: number, json: unknown, words: string): unknown {
  const kind = how % 9;
  if (kind < 6) return [REMOVED, null, [old], { value: old }, json, JSON.stringify(old)][kind];
  const variants = variantsOf(old, words);
  if (variants !== null) return variants[how % variants.length];
  return typeof old === 'object' && old !== null && !Array.isArray(old) ? { ...old, [words]: json } : json;
}

function variantsOf(old: unknown, words: string): unknown[] | null {
  if (typeof old === 'string')
    return [old.toUpperCase(), `${old} `, ` ${old}`, `${old}\0`, old.slice(0, -1), old + words, words];
  if (typeof old === 'number') return [old + 0.5, -old, old * 1e9, String(old), 0];
  return typeof old === 'boolean' ? ['true', 1, 0, 'on', !old] : null;
}

function pathsOf(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...at, key]))];
}

function changedAt(value: unknown, path: readonly string[], change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    const changed = change(value);
    return changed === REMOVED ? undefined : changed;
  }
  const copy = { ...(value as Record<string, unknown>) };
  const changed = rest.length === 0 ? change(copy[key]) : changedAt(copy[key], rest, change);
  if (changed === REMOVED) {
    return Object.fromEntries(Object.entries(copy).filter(([name]) => name !== key));
  }
  copy[key] = changed;
  return copy;
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

function isTransform(schema: z.ZodMiniType | undefined): boolean {
  return (schema?._zod.def as { type?: string } | undefined)?.type === 'transform';
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('unknown schema definition');
  return value;
}
