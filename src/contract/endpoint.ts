import type * as z from 'zod/mini';

/** Every visitor, signed-in users, or admins. */
export type Access = 'public' | 'user' | 'admin';

/** One call that the browser may make. `{name}` in the path is a parameter. */
export interface Endpoint {
  access: Access;
  method: 'GET' | 'POST';
  path: `/api/${string}`;
  params?: z.ZodMiniObject;
  /** Query parameters, each at most once. */
  query?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  reply: z.ZodMiniType;
}

type OutputOf<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;
export type ParamsOf<E extends Endpoint> = OutputOf<E['params']>;
export type QueryOf<E extends Endpoint> = OutputOf<E['query']>;
export type BodyOf<E extends Endpoint> = OutputOf<E['body']>;
/** The request body before defaults and alternative spellings are normalised. */
export type BodySentTo<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.input<E['body']> : undefined;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;
