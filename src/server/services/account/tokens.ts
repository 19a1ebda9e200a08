import { accessState } from '#core/platform-access.ts';
import type { AccessState } from '#core/platform-access.ts';
import { minutes } from '#core/time.ts';
import { inTransaction } from '../../db/database.ts';
import type { Person } from '../../db/users/people.ts';
import { readStatus } from '../../db/status/status.ts';
import type { TokenToCheck } from '../../db/users/tokens.ts';
import {
  claimTokensToCheck,
  doubtRefusals,
  NO_LONGER_VALID,
  noteTokenEnd,
  refuseToken,
  tellStale,
  tokenContext,
} from '../../db/users/tokens.ts';
import type { OperationDeps } from '../deps.ts';
import { NEEDED_PERMISSION } from './sign-in.ts';
import { isLoginDisrupted } from '../status.ts';

const AT_ONCE = 10;
/** The status page reports an outage of the login up to this late; refusals since then may have been part of it. */
const REPORTED_LATE_MS = minutes(60);
/** When the platform does not answer, or its answer proves nothing. */
const ASK_AGAIN_MS = minutes(15);

/** How good the platform's permission still is, for the page to say so. */
export async function getAccessState(deps: OperationDeps, person: Person): Promise<AccessState> {
  const facts = await deps.shared.tokenFacts(person.id);
  if (facts !== null && !deps.vault.keyIds.includes(facts.keyId)) return 'expired';
  return accessState(facts, deps.clock.now());
}

/** Asks the platform what the tokens are worth whose check is due: each at least daily. */
export async function checkTokens(deps: OperationDeps): Promise<void> {
  const startedAt = deps.clock.now();
  const { loginDisrupted } = await readStatus(deps.db);
  if (loginDisrupted) await doubtRefusals(deps.db, startedAt - REPORTED_LATE_MS, startedAt);
  for (;;) {
    const now = deps.clock.now();
    const due = await claimTokensToCheck(deps.db, AT_ONCE, now + ASK_AGAIN_MS, now);
    await Promise.all(due.map((token) => checkSafely(deps, token)));
    if (due.length < AT_ONCE) return;
  }
}

async function checkSafely(deps: OperationDeps, token: TokenToCheck): Promise<void> {
  try {
    await checkOne(deps, token);
  } catch (error) {
    deps.log.error({ err: error, person: token.personId }, 'a platform token could not be checked');
  }
}

async function checkOne(deps: OperationDeps, stored: TokenToCheck): Promise<void> {
  const { personId, savedAt } = stored;
  const token = deps.vault.open(stored.sealed, tokenContext(personId));
  if (token === null) {
    deps.log.error({ person: personId, key: stored.sealed.keyId }, 'a platform token cannot be opened');
    return;
  }
  const answer = await deps.login.inspect(token);
  if (!answer.ok) {
    deps.log.warn(
      { person: personId, failure: answer.failure.kind },
      'Meta did not say what a token is worth',
    );
    return;
  }
  const report = answer.value;
  const now = deps.clock.now();
  if (!report.isValid) {
    if (await isLoginDisrupted(deps)) return;
    return refuse(deps, { personId, reason: NO_LONGER_VALID, usedAt: savedAt });
  }
  if (!report.permissions.includes(NEEDED_PERMISSION)) {
    return refuse(deps, { personId, reason: `${NEEDED_PERMISSION} was taken back`, usedAt: savedAt });
  }
  const { expiresAt } = report;
  const state = accessState({ expiresAt, isRefused: false }, now);
  await inTransaction(deps.db, async (tx) => {
    const isSame = await noteTokenEnd(tx, { personId, savedAt, expiresAt }, now);
    if (isSame && state === 'stale') await tellStale(tx, { personId, savedAt }, now);
  });
  // A token can be valid beyond the access to data that came with it; then nothing can be done with it any more.
  if (state === 'expired')
    await refuse(deps, { personId, reason: 'its access to data has ended', usedAt: savedAt });
}

async function refuse(
  deps: OperationDeps,
  refusal: { personId: string; reason: string; usedAt: number },
): Promise<void> {
  await inTransaction(deps.db, (tx) => refuseToken(tx, refusal, deps.clock.now()));
}
