import { z } from 'zod';
import { StripeError } from '../errors.ts';
import type { Form } from './form.ts';

/** Every value in a form is text; these schemas parse it as Stripe does. */
export const text = z.string().min(1, 'may not be empty');
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number);
export const metadata = z.record(z.string(), z.string()).default({});

/** Parses parameters; throws Stripe's error for invalid ones. */
export function readParams<T>(schema: z.ZodType<T>, form: Form): T {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue === undefined ? new StripeError(400, 'Invalid request') : refusal(issue, form);
}

function refusal(issue: z.core.$ZodIssue, form: Form): StripeError {
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
