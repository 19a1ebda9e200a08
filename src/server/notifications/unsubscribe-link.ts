import { z } from 'zod';
import { encryptLink, decryptLink } from '../encrypted-link.ts';
import type { TokenCipher } from '../secrets.ts';

const CONTEXT = 'turning off the monthly summary';

/** Who gets a summary; `destinationId` null: the user's own addresses. */
const recipient = z.object({ userId: z.string(), destinationId: z.string().nullable() });
export type SummaryRecipient = z.infer<typeof recipient>;

/** Where a recipient turns the summary off, without a login. It does nothing else, so it never expires. */
export function summaryPath(cipher: TokenCipher, of: SummaryRecipient): string {
  return `/unsubscribe/${encryptLink(cipher, of, CONTEXT)}`;
}

/** Null: the link is not one of ours. */
export function readSummaryLink(cipher: TokenCipher, link: string): SummaryRecipient | null {
  return recipient.safeParse(decryptLink(cipher, link, CONTEXT)).data ?? null;
}
