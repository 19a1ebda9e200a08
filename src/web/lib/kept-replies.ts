import { BEING_READ } from '#contract/reply-tag.ts';

/** A reply with a long list, which the server does not send again to a page that has its tag. */
export interface Kept {
  token: string | null;
  /** Null: the server gives none. */
  tag: string | null;
  reply: object;
  /** Of the list, as they were parsed, by the text of each. */
  entries: ReadonlyMap<string, unknown>;
}

/** The last one of each address. */
const replies = new Map<string, Kept>();

export const forgetReplies = (): void => replies.clear();

/** That of another user is none. */
export function findKept(address: string, token: string | null): Kept | undefined {
  const kept = replies.get(address);
  return kept?.token === token ? kept : undefined;
}

/** The same object as before, unless a refresh has begun or ended: then what depends on it renders again. */
export function replyOf(kept: Kept, { headers }: Response): object {
  const isBeingRead = headers.has(BEING_READ);
  if (isBeingRead !== 'isBeingRead' in kept.reply) {
    const renewed: { isBeingRead?: boolean } = { ...kept.reply };
    if (isBeingRead) renewed.isBeingRead = true;
    else delete renewed.isBeingRead;
    kept.reply = renewed;
  }
  return kept.reply;
}

/** Keeps the reply, with whose tag and entries the next one is read. */
export function keep(
  address: string,
  token: string | null,
  { headers }: Response,
  parsed: Pick<Kept, 'reply' | 'entries'>,
): void {
  replies.set(address, { token, tag: headers.get('etag'), ...parsed });
}
