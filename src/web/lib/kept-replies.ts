import { replaceEqualDeep } from '@tanstack/react-query';
import { BEING_READ } from '#contract/reply-tag.ts';

/** A reply that the server does not send again to a page that has its tag. */
interface Kept {
  token: string | null;
  tag: string;
  reply: object;
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

/** @returns the reply, in which what did not change is the same object as before */
export function keep<R extends object>(
  address: string,
  token: string | null,
  { headers }: Response,
  reply: R,
): R {
  const shared = replaceEqualDeep(findKept(address, token)?.reply, reply);
  const tag = headers.get('etag');
  if (tag !== null) replies.set(address, { token, tag, reply: shared });
  return shared;
}
