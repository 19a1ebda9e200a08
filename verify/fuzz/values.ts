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

export function hostileText(random: Random): string {
  if (random.chance(0.5)) return random.pick(TEXTS);
  return Array.from({ length: random.whole(0, 60) }, () =>
    String.fromCodePoint(random.whole(0, random.pick([0x7f, 0xffff, 0x10ffff]))),
  ).join('');
}

function hostileJson(random: Random): unknown {
  const next = random.next();
  if (next < 0.4) return hostileText(random);
  if (next < 0.8) return random.pick(VALUES);
  return random.chance(0.5) ? [hostileJson(random)] : { [hostileText(random)]: hostileJson(random) };
}

export function hostileBody(random: Random): string | Buffer {
  const next = random.next();
  if (next < 0.3) return random.pick(BODIES);
  if (next < 0.7) return JSON.stringify(hostileJson(random));
  return Buffer.from(Array.from({ length: random.whole(0, 200) }, () => random.whole(0, 255)));
}

/** The types of schema that the contract uses. */
type Supported =
  | (z.$ZodString | z.$ZodNumber | z.$ZodBoolean | z.$ZodNull | z.$ZodLiteral | z.$ZodEnum | z.$ZodOptional)
  | (z.$ZodDefault | z.$ZodNullable | z.$ZodArray | z.$ZodUnion | z.$ZodPipe | z.$ZodObject);

/**
 * A valid value of a schema of the contract, made from its definition.
 * @param known ids of the running product; those that fit are used as well
 * @throws Error for an unknown type of schema, so that none is skipped silently
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
  switch (def.type) {
    case 'string':
      return text(random, schema, known);
    case 'number':
      return random.chance(0.5) ? random.whole(1, 60) : random.whole(-(2 ** 31), 2 ** 31);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'literal':
      return random.pick(def.values);
    case 'enum':
      return random.pick(Object.values(def.entries));
    case 'optional':
    case 'default':
      return random.chance(0.8) ? build(def.innerType) : undefined;
    case 'nullable':
      return random.chance(0.8) ? build(def.innerType) : null;
    case 'array':
      return Array.from({ length: random.whole(0, 5) }, () => build(def.element));
    case 'union':
      return build(random.pick(def.options));
    case 'pipe':
      // The input of a pipe normalizes spellings; its output describes the value.
      return build(def.in._zod.def.type === 'transform' ? def.out : def.in);
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, field]) => [key, build(field)] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    default:
      throw new Error(`no value for a schema of the type '${schema._zod.def.type}'`);
  }
}

function text(random: Random, schema: z.$ZodType, known: readonly string[]): string {
  const fitting = known.filter((value) => safeParse(schema, value).success);
  if (fitting.length > 0 && random.chance(0.8)) return random.pick(fitting);
  const { def } = schema._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  const rules = [def, ...checks] as Partial<z.$ZodCheckStringFormatDef>[];
  if (rules.find(({ format }) => format !== undefined)?.format === 'email')
    return `fuzz.${random.whole(0, 1e6)}@example.com`;
  const pattern = rules.slice(1).find((rule) => rule.pattern !== undefined)?.pattern ?? /^.{0,30}$/;
  const seed = random.whole(0, 2 ** 31);
  return fc.sample(fc.stringMatching(pattern), { seed, numRuns: 1 })[0] ?? '';
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
