import * as fc from 'fast-check';
import type * as z from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import type { Random } from '../fixtures/random.ts';

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

function sample<T>(random: Random, arbitrary: fc.Arbitrary<T>): T {
  return fc.sample(arbitrary, { seed: random.whole(0, 2 ** 31), numRuns: 1 })[0] as T;
}

export function hostileText(random: Random): string {
  return random.chance(0.5)
    ? random.pick(TEXTS)
    : sample(random, fc.string({ unit: 'binary', maxLength: 60 }));
}

function hostileJson(random: Random): unknown {
  const simple = random.pick([hostileText(random), random.pick(VALUES)]);
  return random.chance(0.8) ? simple : sample(random, fc.jsonValue());
}

export function hostileBody(random: Random): string | Buffer {
  if (random.chance(0.3)) return random.pick(BODIES);
  if (random.chance(0.6)) return JSON.stringify(hostileJson(random));
  return Buffer.from(sample(random, fc.uint8Array({ maxLength: 200 })));
}

/** The types of schema that the contract uses. */
type Supported =
  | (z.$ZodString | z.$ZodNumber | z.$ZodBoolean | z.$ZodNull | z.$ZodLiteral | z.$ZodEnum | z.$ZodOptional)
  | (z.$ZodDefault | z.$ZodNullable | z.$ZodArray | z.$ZodUnion | z.$ZodPipe | z.$ZodObject);

/**
 * A valid value of a schema of the contract, made from its definition.
 * @param known ids of the running product; those that fit are used as well
 */
export function validValue(random: Random, schema: z.$ZodType, known: readonly string[]): unknown {
  for (;;) {
    const value = candidate(random, schema, known);
    if (safeParse(schema, value).success) return value;
  }
}

function candidate(random: Random, schema: z.$ZodType, known: readonly string[]): unknown {
  const build = (one: z.$ZodType): unknown => validValue(random, one, known);
  const { def } = (schema as Supported)._zod;
  if (def.type === 'string') return text(random, schema, known);
  if (def.type === 'number') return random.whole(1, 60) - random.pick([0, 0, 60, 2 ** 31]);
  if (def.type === 'boolean') return random.chance(0.5);
  if (def.type === 'null') return null;
  if (def.type === 'literal') return random.pick(def.values);
  if (def.type === 'enum') return random.pick(Object.values(def.entries));
  if (def.type === 'nullable') return random.chance(0.8) ? build(def.innerType) : null;
  if (def.type === 'array') return Array.from({ length: random.whole(0, 5) }, () => build(def.element));
  if (def.type === 'union') return build(random.pick(def.options));
  // The input of a pipe normalizes spellings; its output describes the value.
  if (def.type === 'pipe') return build(def.in._zod.def.type === 'transform' ? def.out : def.in);
  if (def.type === 'optional' || def.type === 'default')
    return random.chance(0.8) ? build(def.innerType) : undefined;
  // Another type of schema has no shape and throws, so that none is skipped silently.
  const fields = Object.entries(def.shape).map(([key, field]) => [key, build(field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function text(random: Random, schema: z.$ZodType, known: readonly string[]): string {
  const fitting = known.filter((value) => safeParse(schema, value).success);
  if (fitting.length > 0 && random.chance(0.8)) return random.pick(fitting);
  const { def } = schema._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def) as Partial<z.$ZodCheckStringFormatDef>[];
  if ([def as (typeof checks)[0], ...checks].some(({ format }) => format === 'email'))
    return `fuzz.${random.whole(0, 1e6)}@example.com`;
  const { pattern = /^.{0,30}$/ } = checks.find((rule) => rule.pattern !== undefined) ?? {};
  return sample(random, fc.stringMatching(pattern));
}

/** The value with one defect somewhere inside; the contract may still accept it. */
export function nearlyValid(random: Random, value: unknown): unknown {
  const whole = JSON.stringify(value ?? null);
  let count = 0;
  JSON.parse(whole, () => (count += 1));
  let left = random.whole(1, count);
  const change = (old: unknown): unknown => {
    const word = String(old);
    const texts = [
      word.toUpperCase(),
      `${word} `,
      `${word}\0`,
      word.slice(0, -1),
      word + hostileText(random),
    ];
    const others = [hostileText(random), hostileJson(random), JSON.stringify(old)];
    // Undefined: the field is left out.
    return random.pick<unknown>([undefined, null, [old], { value: old }, ...texts, ...others]);
  };
  return JSON.parse(whole, (_key, one: unknown) => ((left -= 1) === 0 ? change(one) : one)) as unknown;
}
