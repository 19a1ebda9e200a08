import { PAGE_SIZE } from '#contract/admin.ts';
import { isTest, unconfirmedWriteOf } from '#core/smartpause/hold.ts';
import { outlookOf } from '#core/smartpause/outlook.ts';
import type { Status } from '#core/smartpause/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { HeldAround } from '../../db/holds/held.ts';
import { findHeldAround, findHeldIds } from '../../db/holds/held.ts';
import type { StoredHold } from '../../db/holds/holds.ts';
import { findHoldsById } from '../../db/holds/holds.ts';
import type { User } from '../../db/users/users.ts';
import { findUsers } from '../../db/users/users.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from '../status.ts';

/** One page of live holds with their reasons, newest first. */
export async function getHeld(deps: StatusDeps & Needs<'db'>, after: string | null) {
  const found = await findHeldIds(deps.db, { after, limit: PAGE_SIZE + 1 });
  const ids = found.slice(0, PAGE_SIZE);
  return { held: await describe(deps, ids), next: found.length > PAGE_SIZE ? (ids.at(-1) ?? null) : null };
}

/** In the order of the ids, without holds that have ended since. */
async function describe(deps: StatusDeps & Needs<'db'>, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const holds = await findHoldsById(deps.db, ids);
  const around = await findHeldAround(deps.db, ids);
  const users = await findUsers(deps.db, [...new Set(holds.map(({ userId }) => userId))]);
  const now = deps.clock.now();
  const status = currentStatus(await deps.sharedReads.status(), now, deps.staleMs);
  const byId = new Map(holds.map((hold) => [hold.id, hold]));
  return ids.flatMap((id) => {
    const [hold, about] = [byId.get(id), around.get(id)];
    const user = hold === undefined ? undefined : users.get(hold.userId);
    if (hold === undefined || about === undefined || user === undefined) return [];
    return [toEntry({ hold, about, user, status }, now)];
  });
}

interface Known {
  hold: StoredHold;
  about: HeldAround;
  user: User;
  status: Status;
}

function toEntry({ hold, about, user, status }: Known, now: Instant) {
  const outlook = outlookOf(hold, {
    status,
    owner: { ...user, leaving: user.leaving !== null },
    isOn: about.isOn,
    isTokenUsable: about.hasToken,
    isAccountLost: about.isAccountLost,
    blockedUntil: about.blockedUntil,
    now,
  });
  return {
    id: hold.id,
    user: { id: user.id, name: user.name },
    campaign: { id: hold.campaignId, name: about.campaignName },
    accountId: hold.accountId,
    state: hold.state,
    since: hold.pausedAt ?? about.createdAt,
    why: { level: hold.pausedFor, threshold: hold.pausedThreshold ?? user.threshold },
    ...(isTest(hold) && { isTest: true as const }),
    isUnconfirmed: unconfirmedWriteOf(hold) !== null,
    outlook,
    // A due resume fails with its ad account, even without an attempt for this campaign.
    lastError: hold.lastError ?? (outlook.kind === 'due' ? about.accountError : null),
  };
}
