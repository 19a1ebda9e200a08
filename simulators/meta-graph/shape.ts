import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';

export type Params = ReadonlyMap<string, string>;

/** The simulated fields of a node, by name. */
export type Readers<T> = Readonly<Record<string, (item: T) => unknown>>;

/**
 * Reads `fields`: how an item is shown, or the error for a field that is not simulated. The id is always
 * shown, and empty fields never.
 */
export function shapeFor<T>(
  params: Params,
  readers: Readers<T>,
  node: string,
  byDefault: string[] = [],
): GraphAnswer | ((item: T) => Record<string, unknown>) {
  const asked = (params.get('fields') ?? '').split(',').map((field) => field.trim());
  const fields = asked.filter((field) => field !== '');
  const wrong = fields.find((field) => !(field in readers));
  if (wrong !== undefined)
    return graphError({
      code: 100,
      message: `(#100) Tried accessing nonexisting field (${wrong}) on node type (${node})`,
    });
  const shown = new Set(['id', ...(fields.length === 0 ? byDefault : fields)]);
  return (item) => {
    const entries = [...shown].map((field) => [field, readers[field]?.(item)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
  };
}

/** The answer with one item. */
export function showOne<T>(shape: ReturnType<typeof shapeFor<T>>, item: T): GraphAnswer {
  return typeof shape === 'function' ? { status: 200, body: shape(item) } : shape;
}
