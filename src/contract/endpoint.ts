import type * as z from 'zod/mini';

/** Every visitor, signed-in users, or admins. */
export type Access = 'public' | 'user' | 'admin';

/** `{name}` in a path is a parameter. */
type Path = `/api/${string}`;

interface Schemas {
  params?: z.ZodMiniObject;
  /** Query parameters, each at most once. */
  query?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  reply: z.ZodMiniObject;
  /** A page that has the reply does not get it again: it sends the tag of the last one. */
  hasTag?: true;
}

/** One call that the browser may make. */
export interface Endpoint extends Schemas {
  access: Access;
  method: 'GET' | 'POST';
  path: Path;
}

/** Declares the calls of one access. */
export function callsFor<const A extends Access>(access: A) {
  const by =
    <const M extends Endpoint['method']>(method: M) =>
    <const P extends Path, const S extends Schemas>(path: P, schemas: S) => ({
      ...{ access, method, path },
      ...schemas,
    });
  return { get: by('GET'), post: by('POST') };
}

type OutputOf<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;
export type ParamsOf<E extends Endpoint> = OutputOf<E['params']>;
export type QueryOf<E extends Endpoint> = OutputOf<E['query']>;
export type BodyOf<E extends Endpoint> = OutputOf<E['body']>;
/** The request body before defaults and alternative spellings are normalised. */
export type BodySentTo<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.input<E['body']> : undefined;
/** What a handler returns: instants become text, and defaults are added. */
export type ResultOf<E extends Endpoint> = z.input<E['reply']>;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;
