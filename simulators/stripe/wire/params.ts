import { z } from 'zod';
import { StripeError } from '../errors.ts';
import type { Form } from './form.ts';

/** Everything in a form is text; these read it as Stripe does. */
export const text = z.string().min(1, 'may not be empty');
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number);

/** An empty value unsets; it is read as null. */
export function emptyable<T>(schema: z.ZodType<T, string | object>) {
  return z.preprocess((value) => (value === '' ? null : value), schema.nullable());
}

/** A single key is unset by an empty text. */
export const metadata = emptyable(z.record(z.string(), z.string()));
export type MetadataParam = Record<string, string> | null;

export const range = z.union([
  integer.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
]);

export function isWithin(
  value: number,
  wanted:
    | { gt?: number | undefined; gte?: number | undefined; lt?: number | undefined; lte?: number | undefined }
    | undefined,
): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = wanted ?? {};
  return value > gt && value >= gte && value < lt && value <= lte;
}

export function withMetadata(
  before: Record<string, string>,
  given: MetadataParam | undefined,
): Record<string, string> {
  if (given === undefined) return before;
  if (given === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ''));
}

/** Reads parameters, or refuses them in Stripe's words. */
export function readParams<T>(schema: z.ZodType<T>, form: Form): T {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue === undefined ? new StripeError(400, 'Invalid request') : refusal(innermost(issue), form);
}

type Issue = z.core.$ZodIssue;

/** Of alternatives that all failed the last is the most telling. */
function innermost(issue: Issue): Issue {
  const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined;
  return inner === undefined ? issue : innermost({ ...inner, path: [...issue.path, ...inner.path] });
}

function refusal(issue: Issue, form: Form): StripeError {
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? '']);
    return new StripeError(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = paramName(issue.path);
  if (valueAt(form, issue.path) === undefined)
    return new StripeError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param });
  const code = issue.message === 'Invalid integer' ? { code: 'parameter_invalid_integer' } : {};
  return new StripeError(400, `Invalid ${param}: ${issue.message}`, { ...code, param });
}

function paramName([first, ...rest]: readonly PropertyKey[]): string {
  return `${String(first ?? '')}${rest.map((part) => `[${String(part)}]`).join('')}`;
}

function valueAt(form: Form, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    form,
  );
}
