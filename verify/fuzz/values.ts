import * as fc from 'fast-check';
import type * as z from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';

/** Texts and bodies that often break programs. */
const TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u202eevil\u202c',
    '👩‍👩‍👧‍👦',
    'ı İ ß ſ',
    '\\',
    '%s%n',
    '$1',
    '-1',
    '1e309',
  ],
  ...["' or 1=1 --", '<script>alert(1)</script>', '../../../../etc/passwd', '//evil.example', '__proto__'],
  ...['9223372036854775808', 'a\r\nset-cookie: a=b', '9'.repeat(400), 'x'.repeat(70_000)],
];
const BODIES = [
  ...['', '{', '{"a":1,}', 'NaN', '1e999', '\ufeff{}', '{"enabled":true,"enabled":false}', '{"a":"\\ud800"}'],
  ...['{"__proto__":{"isAdmin":true}}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
];

export const hostileText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 60 }));
const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, [], {}, [null], 0, -0, 1.5, 2 ** 53 + 2, 1e308, { toString: 1 }),
  fc.jsonValue({ stringUnit: 'binary' }),
);
export const hostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(...BODIES),
  hostileJson.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** The types of schema that the contract uses. */
type Supported =
  | (z.$ZodString | z.$ZodNumber | z.$ZodBoolean | z.$ZodNull | z.$ZodLiteral | z.$ZodEnum | z.$ZodOptional)
  | (z.$ZodDefault | z.$ZodNullable | z.$ZodArray | z.$ZodUnion | z.$ZodPipe | z.$ZodObject);

/**
 * Valid values of a schema of the contract, generated from its definition.
 * @param known ids of the running product; those that fit are used as well
 * @throws Error for an unknown type of schema, so that none is skipped silently
 */
export function validValue(schema: z.$ZodType, known: readonly string[]): fc.Arbitrary<unknown> {
  const build = (one: z.$ZodType): fc.Arbitrary<unknown> => {
    const { def } = (one as Supported)._zod;
    switch (def.type) {
      case 'string':
        return validText(one, known);
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
        return fc.option(build(def.innerType), { nil: undefined, freq: 4 });
      case 'nullable':
        return fc.option(build(def.innerType), { nil: null });
      case 'array':
        return fc.array(build(def.element), { maxLength: 5 });
      case 'union':
        return fc.oneof(...def.options.map(build));
      case 'pipe':
        // The input of a pipe normalizes spellings; its output describes the value.
        return build(def.in._zod.def.type === 'transform' ? def.out : def.in);
      case 'object': {
        const fields = Object.entries(def.shape).map(([key, field]) => [key, build(field)] as const);
        // A field that is undefined is left out.
        return fc
          .record(Object.fromEntries(fields))
          .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
      }
      default:
        throw new Error(`no arbitrary for a schema of the type '${one._zod.def.type}'`);
    }
  };
  return build(schema).filter((value) => safeParse(schema, value).success);
}

function validText(schema: z.$ZodType, known: readonly string[]): fc.Arbitrary<unknown> {
  const { def } = schema._zod;
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  const rules = [def, ...checks] as Partial<z.$ZodCheckStringFormatDef>[];
  const pattern = rules.slice(1).find((rule) => rule.pattern !== undefined)?.pattern;
  const isEmail = rules.find((rule) => rule.format !== undefined)?.format === 'email';
  const other = pattern === undefined ? fc.string({ maxLength: 30 }) : fc.stringMatching(pattern);
  const made = isEmail ? fc.nat(10 ** 6).map((number) => `fuzz.${number}@example.com`) : other;
  const fitting = known.filter((value) => safeParse(schema, value).success);
  if (fitting.length === 0) return made;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: made });
}

/** A valid value with one defect somewhere inside; the contract may still accept it. */
export function nearlyValid(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.nat(), fc.nat(), hostileJson, hostileText)
    .map(([value, place, how, json, text]) => {
      const whole = JSON.stringify(value ?? null);
      let count = 0;
      JSON.parse(whole, () => (count += 1));
      let index = 0;
      const change = (old: unknown): unknown => {
        const words = String(old);
        const texts = [
          words.toUpperCase(),
          `${words} `,
          `${words}\0`,
          words.slice(0, -1),
          words + text,
          text,
        ];
        // Undefined: the field is left out.
        return [undefined, null, [old], { value: old }, json, JSON.stringify(old), ...texts][how % 12];
      };
      return JSON.parse(whole, (_key, one: unknown) =>
        index++ === place % count ? change(one) : one,
      ) as unknown;
    });
}
