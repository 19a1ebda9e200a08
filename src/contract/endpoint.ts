import type * as z from 'zod/mini';

/** Who may make a call: anybody, whoever has a session, or an administrator. */
export type Access = 'public' | 'person' | 'admin';

/** One call that the browser may make. `{name}` in the path stands for a parameter. */
export interface Endpoint {
  /** 'person' unless it says otherwise. */
  access?: Access;
  method: 'GET' | 'POST';
  path: `/api/${string}`;
  params: z.ZodMiniObject;
  /** What may stand behind the '?', each at most once. */
  query?: z.ZodMiniObject;
  body: z.ZodMiniType | null;
  reply: z.ZodMiniType;
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodMiniType ? z.output<E['query']> : undefined;
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.output<E['body']> : undefined;
/** What the caller may send, before defaults and other spellings are brought into shape. */
export type BodySentTo<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.input<E['body']> : undefined;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
