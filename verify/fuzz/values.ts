import * as fc from 'fast-check';
import type * as z from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';

/** Texts and numbers that often break programs. */
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
  ..."' or 1=1 -- ¦ '; drop table app_user; -- ¦ <script>alert(1)</script> ¦ javascript:alert(1) ¦ ../../../../etc/passwd".split(
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
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.dictionary(hostileText, hostileNumber, { maxKeys: 5 }),
);
export const hostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(...RAW_JSON),
  hostileJson.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** The types of schema that the contract uses. */
type Supported =
  | z.$ZodString
  | z.$ZodNumber
  | z.$ZodBoolean
  | z.$ZodNull
  | z.$ZodLiteral
  | z.$ZodEnum
  | z.$ZodOptional
  | z.$ZodDefault
  | z.$ZodNullable
  | z.$ZodArray
  | z.$ZodUnion
  | z.$ZodPipe
  | z.$ZodObject;

/**
 * Valid values of a schema of the contract, generated from its definition.
 * @param known ids of the running product; those that fit are used as well
 * @throws Error for an unknown type of schema, so that none is skipped silently
 */
export function validValue(schema: z.$ZodType, known: readonly string[]): fc.Arbitrary<unknown> {
  return build(schema, known).filter((value) => safeParse(schema, value).success);
}

function build(schema: z.$ZodType, known: readonly string[]): fc.Arbitrary<unknown> {
  const { def } = (schema as Supported)._zod;
  switch (def.type) {
    case 'string':
      return text(schema, known);
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer());
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'optional':
    case 'default':
      return fc.option(build(def.innerType, known), { nil: undefined, freq: 4 });
    case 'nullable':
      return fc.option(build(def.innerType, known), { nil: null });
    case 'array':
      return fc.array(build(def.element, known), { maxLength: 5 });
    case 'union':
      return fc.oneof(...def.options.map((option) => build(option, known)));
    case 'pipe':
      // The input of a pipe normalizes spellings; its output describes the value.
      return build(def.in._zod.def.type === 'transform' ? def.out : def.in, known);
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, one]) => [key, build(one, known)] as const);
      return fc.record(Object.fromEntries(fields)).map(withoutUndefined);
    }
    default:
      throw new Error(`no arbitrary for a schema of the type '${schema._zod.def.type}'`);
  }
}

function text(schema: z.$ZodType, known: readonly string[]): fc.Arbitrary<unknown> {
  const { def } = schema._zod;
  const rules = [
    def,
    ...(def.checks ?? []).map((check) => check._zod.def),
  ] as Partial<z.$ZodCheckStringFormatDef>[];
  const pattern = rules.slice(1).find((rule) => rule.pattern !== undefined)?.pattern;
  const made =
    rules.find((rule) => rule.format !== undefined)?.format === 'email'
      ? fc.integer({ min: 1, max: 10 ** 6 }).map((number) => `fuzz.${number}@example.com`)
      : pattern !== undefined
        ? fc.stringMatching(pattern)
        : fc.string({ maxLength: 30 });
  const fitting = known.filter((value) => safeParse(schema, value).success);
  return fitting.length === 0
    ? made
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: made });
}

/** A valid value with one defect; the contract may still accept it. */
export function nearlyValid(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.nat(), fc.nat(), hostileJson, hostileText)
    .map(([value, place, how, json, words]) =>
      changedAt(value, place, (old) => breakage(old, how, json, words)),
    );
}

/** Undefined: the field is left out. */
function breakage(old: unknown, how: number, json: unknown, words: string): unknown {
  const kind = how % 9;
  if (kind < 6) return [undefined, null, [old], { value: old }, json, JSON.stringify(old)][kind];
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

/** Changes one of the values inside a JSON value, or the whole of it; they are numbered from the inside. */
function changedAt(value: unknown, place: number, change: (old: unknown) => unknown): unknown {
  const json = JSON.stringify(value);
  const visit = (onValue: (index: number, one: unknown) => unknown): [visited: number, result: unknown] => {
    let index = 0;
    const result: unknown = JSON.parse(json, (_key, one: unknown) => onValue(index++, one));
    return [index, result];
  };
  const [count] = visit((_index, one) => one);
  return visit((index, one) => (index === place % count ? change(one) : one))[1];
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}
