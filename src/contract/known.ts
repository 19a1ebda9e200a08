import * as z from 'zod/mini';

// A newer server may send a value that this version does not know: it hides that one fact, never a list.

/** An optional fact; absent if it is not known. */
export function ifKnown<Shape extends z.ZodMiniType>(shape: Shape) {
  return z.optional(z.catch(z.optional(shape), undefined));
}

/** Null if it is not known. */
export function orNull<Shape extends z.ZodMiniType>(shape: Shape) {
  return z.catch(z.nullable(shape), null);
}
