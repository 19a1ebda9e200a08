import { isShortLived, longerOf } from '#core/platform-access.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { NewToken, TokenToExtend } from '../../db/users/tokens.ts';
import { claimTokensToExtend, saveExtended, suspectTokens, tokenContext } from '../../db/users/tokens.ts';
import type { AccessToken } from '../../platforms/meta/login.ts';
import { mayBeTheToken } from '../../platforms/meta/errors.ts';
import type { Needs } from '../deps.ts';

const CONCURRENCY = 10;
/** Between two tries of the exchange; a short-lived token lives one to two hours. */
const TRY_AGAIN_MS = minutes(2);

export function endOf({ token, expiresInMs }: AccessToken, now: Instant) {
  return { token, expiresAt: expiresInMs === null ? null : now + expiresInMs };
}

/** Exchanges a token for a longer one. Without one the token stays, and the exchange is tried again later. */
export async function extend(
  { login, clock }: Needs<'login' | 'clock'>,
  first: { token: string; expiresAt: Instant | null },
): Promise<NewToken & { response: Awaited<ReturnType<typeof login.extend>> }> {
  const response = await login.extend(first.token);
  const now = clock.now();
  const best = response.ok ? longerOf(first, endOf(response.value, now)) : first;
  const isUnknown = !response.ok && best.expiresAt === null;
  const isPending = isUnknown || isShortLived(best.expiresAt, now);
  return { ...best, extendAt: isPending ? now + TRY_AGAIN_MS : null, response };
}

type ExtendDeps = Needs<'db' | 'cipher' | 'login' | 'clock' | 'log'>;

/** Tries the exchanges again that failed at a login, while the short-lived tokens live. */
export async function extendTokens(deps: ExtendDeps): Promise<void> {
  for (;;) {
    const due = await claimTokensToExtend(deps.db, CONCURRENCY, TRY_AGAIN_MS);
    await Promise.all(due.map((token) => extendSafely(deps, token)));
    if (due.length < CONCURRENCY) return;
  }
}

async function extendSafely(deps: ExtendDeps, before: TokenToExtend): Promise<void> {
  try {
    await extendOne(deps, before);
  } catch (error) {
    deps.log.error({ err: error, user: before.userId }, 'a platform token could not be extended');
  }
}

async function extendOne(deps: ExtendDeps, before: TokenToExtend): Promise<void> {
  const { userId, expiresAt } = before;
  const token = deps.cipher.decrypt(before, tokenContext(userId));
  if (token === null) return;
  const { response, ...after } = await extend(deps, { token, expiresAt });
  const now = deps.clock.now();
  if (!response.ok) {
    deps.log.warn({ user: userId, failure: response.failure.kind }, 'no longer platform token yet');
    if (mayBeTheToken(response.failure, 'user')) await suspectTokens(deps.db, [userId], now);
  }
  // Meta may also extend the token itself.
  if (after.token === token && after.extendAt !== null) return;
  if (await saveExtended(deps.db, deps.cipher, { before, after }, now))
    deps.log.info({ user: userId }, 'platform token extended');
}
