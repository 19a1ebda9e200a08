import { parseJson } from '../kit/http.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';

export type Params = Map<string, string>;

export function fieldsOf(params: Params): string[] {
  return (params.get('fields') ?? '')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
}

export function refuseUnknownField(
  fields: readonly string[],
  known: readonly string[],
  node: string,
): GraphAnswer | null {
  const wrong = fields.find((field) => !known.includes(field));
  if (wrong === undefined) return null;
  return graphError({
    code: 100,
    message: `(#100) Tried accessing nonexisting field (${wrong}) on node type (${node})`,
  });
}

/** The asked fields of an item; those that are empty are left out, the id is always there. */
export function pick<T>(
  fields: readonly string[],
  table: Readonly<Record<string, (item: T) => unknown>>,
  item: T,
): Record<string, unknown> {
  const entries = [...new Set(['id', ...fields])].map((field) => [field, table[field]?.(item)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** `name=["A","B"]`, also with single quotes, or `name[0]=A&name[1]=B`. Null: not given. 'wrong': not readable. */
export function listParam(params: Params, name: string): string[] | null | 'wrong' {
  const whole = params.get(name);
  if (whole !== undefined) {
    const parsed = parseJson(whole) ?? parseJson(whole.replaceAll("'", '"'));
    if (!Array.isArray(parsed)) return 'wrong';
    return parsed.map(String);
  }
  const indexed = [...params].filter(([key]) => key.startsWith(`${name}[`) && /\[\d*\]$/.test(key));
  return indexed.length === 0 ? null : indexed.map(([, value]) => value);
}
