import * as fc from 'fast-check';
import type * as z from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';

/** Texts and bodies that often break programs. */
const TEXTS = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '\u202eevil\u202c', '👩‍👩‍👧‍👦', 'ı İ ß ſ', '\\'],
  ...['%s%n', '$1', '-1', '1e309', "' or 1=1 --", '<script>alert(1)</script>', '../../../../etc/passwd'],
  ...['//evil.example', '__proto__', '9223372036854775808', 'a\r\nset-cookie: a=b', '9'.repeat(400)],
  'x'.repeat(70_000),
];
const BODIES = [
  ...['', '{', '{"a":1,}', 'NaN', '1e999', '\ufeff{}', '{"enabled":true,"enabled":false}', '{"a":"\\ud800"}'],
  ...['{"__proto__":{"isAdmin":true}}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
];
const VALUES: unknown[] = [null, true, [], {}, [null], 0, -0, 1.5, 2 ** 53 + 2, 1e308, { toString: 1 }];

export const hostileText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 60 }));
const hostileJson: fc.Arbitrary<unknown> = fc.oneof(hostileText, fc.constantFrom(...VALUES), fc.jsonValue());
export const hostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(...BODIES),
  hostileJson.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** The types of schema that the contract uses. */
type Supported =
  | (z.$ZodString | z.$ZodNumber | z.$ZodBoolean | z.$ZodNull | z.$ZodLiteral | z.$ZodEnum | z.$ZodOptional)
  | (z.$ZodDefault | z.$ZodNullable | z.$ZodArray | z.$ZodUnion | z.$ZodPipe | z.$ZodObject);

interface Wanted {
  /** Ids of the running product; those that fit are used as well. */
  known: readonly string[];
  /** False: anything may stand anywhere. */
  isValid: boolean;
}

/** Values of a schema of the contract. */
export function valuesFor(schema: z.$ZodType, wanted: Wanted): fc.Arbitrary<unknown> {
  const made = candidateFor(schema, wanted);
  if (wanted.isValid) return made.filter((value) => safeParse(schema, value).success);
  return fc.oneof({ weight: 5, arbitrary: made }, { weight: 1, arbitrary: hostileJson });
}

function candidateFor(schema: z.$ZodType, wanted: Wanted): fc.Arbitrary<unknown> {
  const build = (one: z.$ZodType): fc.Arbitrary<unknown> => valuesFor(one, wanted);
  const { def } = (schema as Supported)._zod;
  if (def.type === 'string') return textFor(schema, wanted.known);
  if (def.type === 'number') return fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ max: 0 }));
  if (def.type === 'boolean') return fc.boolean();
  if (def.type === 'null') return fc.constant(null);
  if (def.type === 'literal') return fc.constantFrom(...def.values);
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries));
  if (def.type === 'nullable') return fc.option(build(def.innerType));
  if (def.type === 'optional' || def.type === 'default') return build(def.innerType);
  if (def.type === 'array') return fc.array(build(def.element), { maxLength: 5 });
  if (def.type === 'union') return fc.oneof(...def.options.map(build));
  // The input of a pipe normalizes spellings; its output describes the value.
  if (def.type === 'pipe') return build(def.in._zod.def.type === 'transform' ? def.out : def.in);
  // Another type of schema has no shape and throws, so that none is skipped silently.
  const fields = Object.entries(def.shape);
  const required = fields.filter(([, field]) => !['optional', 'default'].includes(field._zod.def.type));
  const values = Object.fromEntries(fields.map(([key, field]) => [key, build(field)]));
  return fc.record(values, { requiredKeys: required.map(([key]) => key), noNullPrototype: true });
}

function textFor(schema: z.$ZodType, known: readonly string[]): fc.Arbitrary<string> {
  const { def } = schema._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def) as Partial<z.$ZodCheckStringFormatDef>[];
  const isEmail = [def as (typeof checks)[0], ...checks].some(({ format }) => format === 'email');
  const { pattern = /^.{0,30}$/ } = checks.find((rule) => rule.pattern !== undefined) ?? {};
  const made = isEmail ? fc.nat().map((number) => `fuzz.${number}@example.com`) : fc.stringMatching(pattern);
  const fitting = known.filter((value) => safeParse(schema, value).success);
  if (fitting.length === 0) return made;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: made });
}
