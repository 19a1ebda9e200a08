import type { HeldEntry, HeldPage } from '#contract/admin.ts';
import { PAGE_SIZE } from '#contract/admin.ts';
import type { Level, Threshold } from '#core/smartpause/level.ts';
import { LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import { outlookOf } from '#core/smartpause/outlook.ts';
import type { Status } from '#core/smartpause/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { HeldAround } from '../../db/holds/held.ts';
import { findHeldAround, findHeldIds } from '../../db/holds/held.ts';
import type { StoredHold } from '../../db/holds/holds.ts';
import { findHoldsById } from '../../db/holds/holds.ts';
import type { Person } from '../../db/users/people.ts';
import { findPeople } from '../../db/users/people.ts';
import type { OperationDeps } from '../deps.ts';

/** The live holds with their reasons, one page, the newest first. */
export async function getHeld(deps: OperationDeps, after: string | null): Promise<HeldPage> {
  const found = await findHeldIds(deps.db, { after, limit: PAGE_SIZE + 1 });
  const ids = found.slice(0, PAGE_SIZE);
  return { held: await describe(deps, ids), next: found.length > PAGE_SIZE ? (ids.at(-1) ?? null) : null };
}

/** In the order of the ids, without holds that have ended since. */
async function describe(deps: OperationDeps, ids: readonly string[]): Promise<HeldEntry[]> {
  if (ids.length === 0) return [];
  const holds = await findHoldsById(deps.db, ids);
  const around = await findHeldAround(deps.db, ids);
  const people = await findPeople(deps.db, [...new Set(holds.map(({ personId }) => personId))]);
  const now = deps.clock.now();
  const status = currentStatus(await deps.shared.status(), now, deps.staleMs);
  const byId = new Map(holds.map((hold) => [hold.id, hold]));
  return ids.flatMap((id) => {
    const [hold, about] = [byId.get(id), around.get(id)];
    const person = hold === undefined ? undefined : people.get(hold.personId);
    if (hold === undefined || about === undefined || person === undefined) return [];
    return [toEntry({ hold, about, person, status }, now)];
  });
}

interface Known {
  hold: StoredHold;
  about: HeldAround;
  person: Person;
  status: Status;
}

function toEntry({ hold, about, person, status }: Known, now: Instant): HeldEntry {
  const { kind, at } = outlookOf(hold, {
    status,
    owner: { ...person, leaving: person.leaving !== null },
    isOn: about.isOn,
    isTokenUsable: about.hasToken,
    isAccountLost: about.isAccountLost,
    blockedUntil: about.blockedUntil,
    now,
  });
  return {
    id: hold.id,
    person: { id: person.id, name: person.name },
    campaign: { id: hold.campaignId, name: about.campaignName },
    accountId: hold.accountId,
    state: hold.state,
    since: iso(hold.pausedAt ?? about.createdAt),
    why: reasonOf(about.pausedReason) ?? { level: hold.pausedFor, threshold: person.threshold },
    inDoubt: hold.inDoubt,
    outlook: { kind, at: at === null ? null : iso(at) },
    // A due resume fails with its ad account, even if the campaign itself was not tried.
    lastError: hold.lastError ?? (kind === 'due' ? about.accountError : null),
  };
}

/** From the activity log: the user may have another threshold now. */
function reasonOf(reason: string | null): { level: Level; threshold: Threshold } | null {
  const [levelWord, thresholdWord] = reason?.split(' meets ') ?? [];
  const level = LEVELS.find((known) => known === levelWord);
  const threshold = THRESHOLDS.find((known) => known === thresholdWord);
  return level === undefined || threshold === undefined ? null : { level, threshold };
}

function iso(at: Instant): string {
  return new Date(at).toISOString();
}
