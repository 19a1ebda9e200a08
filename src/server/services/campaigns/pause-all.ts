import { ApiError } from '#contract/errors.ts';
import type { Signal } from '#core/smartpause/signals.ts';
import { WORD_MAX_MS, WORD_MIN_MS } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { countHeldBy } from '../../db/holds/holds.ts';
import { readHeldAccounts } from '../../db/reports/held-accounts.ts';
import { findWord, insertWord, setEnd } from '../../db/signals.ts';
import { wakeForUser } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { lockUser } from '../../db/users/users.ts';
import { requireMayAct } from '../users/may-act.ts';
import type { Needs, ServiceDeps } from '../deps.ts';
import { runDry } from './dry-run.ts';

/** What the dialog asks: how many campaigns would be paused, by the rule that pauses them. */
export async function getPauseAllState(deps: ServiceDeps, user: User) {
  const now = deps.clock.now();
  const word = await findWord(deps.db, user.id, now);
  const { accounts } = await runDry(deps, user, [word ?? { source: 'user', since: now, until: null }]);
  const paused = accounts.filter(({ result }) => result.paused.length > 0);
  const held = await readHeldAccounts(deps.db, user.id, { now, matchBegan: null });
  return {
    word: shown(word),
    wouldPause: {
      campaigns: paused.reduce((sum, { result }) => sum + result.paused.length, 0),
      adAccounts: paused.length,
    },
    alreadyPaused: held.reduce((sum, { count }) => sum + count, 0),
    unread: accounts.filter(({ account }) => account.isUnread).length,
    paused: await countHeldBy(deps.db, user.id, 'user'),
  };
}

type Deps = Needs<'db' | 'clock' | 'wake'>;

/** Idempotent: while it is on, a further request only changes its end. */
export async function pauseAll(deps: Deps, user: User, until: Instant | null) {
  const now = deps.clock.now();
  await requireMayAct(deps.db, user, now);
  if (until !== null && (until < now + WORD_MIN_MS || until > now + WORD_MAX_MS))
    throw new ApiError('INVALID_REQUEST', 'Choose an end between 5 minutes and 30 days from now.');
  return changeWord(deps, user, now, async (tx, word) => {
    if (word?.until === until) return false;
    if (word === null) await insertWord(tx, { userId: user.id, until }, now);
    else await setEnd(tx, word.id, until);
    const facts = { name: user.name, until, isChange: word !== null };
    await recordActivities(tx, [{ ...by(user), event: 'pause_all', facts }], now);
    return true;
  });
}

/** Works also without a subscription: it only ends pauses. */
export async function resumeAll(deps: Deps, user: User) {
  const now = deps.clock.now();
  return changeWord(deps, user, now, async (tx, word) => {
    if (word === null) return false;
    await setEnd(tx, word.id, now);
    await recordActivities(tx, [{ ...by(user), event: 'resume_all', facts: { name: user.name } }], now);
    return true;
  });
}

async function changeWord(
  deps: Deps,
  user: User,
  now: Instant,
  change: (tx: Db, word: Awaited<ReturnType<typeof findWord>>) => Promise<boolean>,
) {
  const word = await inTransaction(deps.db, async (tx) => {
    if ((await lockUser(tx, user.id)) === null) throw new ApiError('UNAUTHENTICATED');
    // A plan from before it is not stored, and the next pass is due now.
    if (await change(tx, await findWord(tx, user.id, now))) await wakeForUser(tx, user.id);
    return findWord(tx, user.id, now);
  });
  deps.wake();
  return { word: shown(word) };
}

function by({ id }: User) {
  return { userId: id, actor: 'user' } as const;
}

function shown(word: Signal | null) {
  return word && { since: word.since, until: word.until };
}
