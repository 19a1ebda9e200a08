import type { HeldEntry, HeldPage, HeldQuery } from '#contract/admin.ts';
import { PAGE_SIZE } from '#contract/admin.ts';
import type { HoldState } from '#core/smartpause/hold.ts';
import { HOLD_STATES } from '#core/smartpause/hold.ts';
import type { Level, Threshold } from '#core/smartpause/level.ts';
import { LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import { outlookOf } from '#core/smartpause/outlook.ts';
import type { Status } from '#core/smartpause/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import { effectiveSubscription, isProtected } from '#core/subscription.ts';
import type { Instant } from '#core/time.ts';
import type { HeldAround } from '../db/held.ts';
import { findHeldAround, findHeldIds, findPeopleCalled } from '../db/held.ts';
import type { StoredHold } from '../db/holds.ts';
import { findHoldsById } from '../db/holds.ts';
import type { Person } from '../db/people.ts';
import { findPeople } from '../db/people.ts';
import type { OwnSubscriptions } from '../db/subscriptions.ts';
import { findSubscriptionsOf } from '../db/subscriptions.ts';
import type { OperationDeps } from './deps.ts';

/** So many people of one name are looked at. */
const PEOPLE_MAX = 1000;

/** Who is held and why: one page, with what each waits for as it stands now. */
export async function getHeld(deps: OperationDeps, query: HeldQuery): Promise<HeldPage> {
  const personWords = query.person?.trim() ?? '';
  const campaignWords = query.campaign?.trim() ?? '';
  const personIds = personWords === '' ? null : await findPeopleCalled(deps.db, personWords, PEOPLE_MAX + 1);
  const digits = /^(?:act_)?(\d{1,32})$/.exec(campaignWords)?.[1] ?? null;
  const { ids, next } = await findHeldIds(deps.db, {
    personIds: personIds?.slice(0, PEOPLE_MAX) ?? null,
    campaignId: digits,
    campaignName: digits === null && campaignWords !== '' ? campaignWords : null,
    states: statesOf(query.state),
    onlyInDoubt: query.state === 'in_doubt',
    oldestFirst: query.order === 'oldest',
    after: query.after ?? null,
    limit: PAGE_SIZE,
  });
  const hasMorePeople = (personIds?.length ?? 0) > PEOPLE_MAX;
  return { held: await tell(deps, ids), next, hasMorePeople };
}

/** What is known to be paused is in no doubt. */
function statesOf(state: HeldQuery['state']): readonly HoldState[] {
  if (state === undefined) return HOLD_STATES;
  return state === 'in_doubt' ? ['pausing', 'resuming'] : [state];
}

/** In the order of the ids, without holds that have ended. */
async function tell(deps: OperationDeps, ids: readonly string[]): Promise<HeldEntry[]> {
  if (ids.length === 0) return [];
  const holds = await findHoldsById(deps.db, ids);
  const around = await findHeldAround(deps.db, ids);
  const personIds = [...new Set(holds.map(({ personId }) => personId))];
  const people = await findPeople(deps.db, personIds);
  const subscriptions = await findSubscriptionsOf(deps.db, personIds);
  const now = deps.clock.now();
  const status = currentStatus(await deps.shared.status(), now, deps.staleMs);
  const byId = new Map(holds.map((hold) => [hold.id, hold]));
  return ids.flatMap((id) => {
    const [hold, about] = [byId.get(id), around.get(id)];
    const person = hold === undefined ? undefined : people.get(hold.personId);
    if (hold === undefined || about === undefined || person === undefined) return [];
    const own = subscriptions.get(person.id) ?? { stripe: null, grant: null };
    return [toEntry({ hold, about, person, own, status }, now)];
  });
}

interface Known {
  hold: StoredHold;
  about: HeldAround;
  person: Person;
  own: OwnSubscriptions;
  status: Status;
}

function toEntry({ hold, about, person, own, status }: Known, now: Instant): HeldEntry {
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
    isProtected: isProtected(effectiveSubscription(own, now), now),
    // What is due and not done fails with its ad account, even where nothing was tried for the campaign itself.
    lastError: hold.lastError ?? (kind === 'due' ? about.accountError : null),
  };
}

/** As the journal has it: the person may have chosen another threshold since. */
function reasonOf(reason: string | null): { level: Level; threshold: Threshold } | null {
  const [levelWord, thresholdWord] = reason?.split(' meets ') ?? [];
  const level = LEVELS.find((known) => known === levelWord);
  const threshold = THRESHOLDS.find((known) => known === thresholdWord);
  return level === undefined || threshold === undefined ? null : { level, threshold };
}

function iso(at: Instant): string {
  return new Date(at).toISOString();
}
