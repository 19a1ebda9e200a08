import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultInput } from '../../simulators/kit/faults.ts';
import { UserOverHttp } from '../../scripts/outside/user.ts';
import { meets } from '../invariants/severity.ts';
import type { StatusChange, UserCall } from '../invariants/write-log.ts';
import { isOurs } from '../invariants/write-log.ts';
import type { FixtureCampaign, User } from './fixture.ts';
import type { Harness } from './harness.ts';

/** The phrases of the status page for each level. */
const PHRASES = {
  UP: 'Resolved',
  LOW_DISRUPTION: 'Low disruptions',
  MEDIUM_DISRUPTION: 'Medium disruptions',
  HIGH_DISRUPTION: 'High disruptions',
} as const;
type Level = keyof typeof PHRASES;

const LEVELS: Level[] = ['LOW_DISRUPTION', 'MEDIUM_DISRUPTION', 'HIGH_DISRUPTION', 'HIGH_DISRUPTION'];
const KNOWN_WITHIN_MS = 12_000;
const RESPONSE_WITHIN_MS = 20_000;
const ACTS_PER_CHANGE = 4;
const FAULT_SHARE = 0.35;

/** Changes the status page, sends user requests and orders faults of Meta until the run is over. */
export async function runLoad(harness: Harness, isOver: () => boolean): Promise<void> {
  const { random, runLog } = harness;
  while (!isOver()) {
    const isUp = (runLog.statusChanges.at(-1)?.level ?? 'UP') === 'UP';
    if (random.chance(FAULT_SHARE)) await orderFaults(harness);
    await changeStatus(harness, isUp || random.chance(0.3) ? random.pick(LEVELS) : 'UP', isOver);
    for (let n = 0; n < ACTS_PER_CHANGE && !isOver(); n += 1) await actSomewhere(harness);
    await sleep(random.whole(300, 2000));
  }
}

/** Changes the page and waits, up to a limit, until the database has it. */
export async function changeStatus(
  harness: Harness,
  level: Level,
  isOver: () => boolean = () => false,
): Promise<void> {
  const { simulators, runLog, query } = harness;
  const change: StatusChange = { level, at: harness.processes.now(), knownAt: null };
  runLog.statusChanges.push(change);
  await simulators.status.reports(PHRASES[level]);
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  while (performance.now() < deadline && !isOver()) {
    const [row] = await query<{ known: string; checked_at: Date }>(
      'select known, checked_at from platform_status',
    ).catch(() => []);
    // An equal level from before the change proves nothing: a reading of the page in between may still be stored.
    if (row?.known === level && row.checked_at.getTime() > change.at) {
      change.knownAt = harness.processes.now();
      return;
    }
    await sleep(60);
  }
}

async function actSomewhere(harness: Harness): Promise<void> {
  const campaign = harness.random.pick(harness.fixture.campaigns);
  const user = harness.fixture.users.find(({ index }) => campaign.owners.includes(index));
  if (user === undefined) return;
  if (campaign.kind === 'toggled') return toggle(harness, campaign, user);
  if (campaign.kind === 'manual') return actManually(harness, campaign, user);
  if (campaign.kind === 'external') return changeOutside(harness, campaign, user);
  await callAs(harness, user, 'GET', `/api/campaigns/${campaign.account}`);
}

/** Sends one call to any ready process; null: no response came. */
async function callAs(
  harness: Harness,
  user: User,
  ...[method, path, body]: Parameters<UserOverHttp['call']>
): Promise<number | null> {
  const session = new UserOverHttp(
    harness.processes.url((from) => harness.random.pick(from)),
    user.session.token,
  );
  const response = session.call(method, path, body).then(
    ({ status }) => status,
    () => null,
  );
  return Promise.race([response, sleep(RESPONSE_WITHIN_MS, null, { ref: false })]);
}

async function call(
  harness: Harness,
  campaign: FixtureCampaign,
  user: User,
  what: UserCall['what'],
): Promise<number | null> {
  const { id, account } = campaign;
  const isToggle = what === 'on' || what === 'off';
  const path = isToggle ? `/api/smartpause/${account}/${id}` : `/api/campaigns/${id}/${what}`;
  const askedAt = harness.processes.now();
  const body = isToggle ? { enabled: what === 'on' } : undefined;
  const status = await callAs(harness, user, 'POST', path, body);
  harness.runLog.calls.push({ campaign: id, what, askedAt, answeredAt: harness.processes.now(), status });
  return status;
}

/** Off leaves a held campaign paused: its owner resumes it in Ads Manager once no write is unconfirmed. */
async function toggle(harness: Harness, campaign: FixtureCampaign, user: User): Promise<void> {
  if ((await settingOf(harness, campaign, user)) !== 'ON') {
    await call(harness, campaign, user, 'on');
    return;
  }
  if ((await call(harness, campaign, user, 'off')) !== 200) return;
  const hold = await lastHold(harness, campaign.id);
  if (hold === undefined) return;
  if (hold === null || hold.sent_at === null) await setOutside(harness, campaign.id, 'ACTIVE');
}

async function actManually(harness: Harness, campaign: FixtureCampaign, user: User): Promise<void> {
  const now = (await harness.simulators.graph.campaigns()).get(campaign.id)?.status;
  await call(harness, campaign, user, now === 'ACTIVE' ? 'pause' : 'resume');
}

/** Changes the campaign in Ads Manager when no write of ours is unconfirmed, and undoes an earlier change. */
async function changeOutside(harness: Harness, campaign: FixtureCampaign, user: User): Promise<void> {
  const { id } = campaign;
  const { externalChanges } = harness.runLog;
  const before = externalChanges.findLast((one) => one.campaign === id && one.until === null);
  if (before?.status === 'PAUSED') {
    before.until = harness.processes.now();
    return setOutside(harness, id, 'ACTIVE');
  }
  if (before !== undefined) {
    if ((await settingOf(harness, campaign, user)) !== 'DEACTIVATED') return;
    before.until = harness.processes.now();
    await call(harness, campaign, user, 'on');
    return;
  }
  const status = await allowedChange(harness, campaign, user);
  if (status === null) return;
  const change = { campaign: id, status, at: harness.processes.now(), until: null };
  await setOutside(harness, id, status);
  externalChanges.push(change);
}

/** A pause without a live hold; a resume when it was paused for this outage and confirmed. */
async function allowedChange(
  harness: Harness,
  { id }: FixtureCampaign,
  { threshold }: User,
): Promise<'ACTIVE' | 'PAUSED' | null> {
  const { simulators, runLog } = harness;
  const current = runLog.statusChanges.at(-1);
  if (current === undefined || current.knownAt === null) return null;
  const hold = await lastHold(harness, id);
  const live = (await simulators.graph.campaigns()).get(id)?.status;
  if (hold === undefined || (hold !== null && hold.sent_at !== null)) return null;
  const isMet = meets(current.level, threshold);
  const isHeld = hold !== null && hold.state !== 'ended';
  if (!isMet) return !isHeld && live === 'ACTIVE' ? 'PAUSED' : null;
  if (hold?.state !== 'paused' || live !== 'PAUSED') return null;
  const last = (await simulators.graph.writes()).findLast((write) => write.campaign === id);
  const isOfThisOutage =
    last !== undefined &&
    isOurs(last) &&
    last.status === 'PAUSED' &&
    last.previous === 'ACTIVE' &&
    Date.parse(last.at) >= current.at;
  return isOfThisOutage ? 'ACTIVE' : null;
}

/** Null: there is none; undefined: the database did not answer. */
async function lastHold(
  { query }: Harness,
  campaign: string,
): Promise<{ state: string; sent_at: Date | null } | null | undefined> {
  const sql = `select state, sent_at from hold where campaign_id = '${campaign}' order by id desc limit 1`;
  const rows = await query<{ state: string; sent_at: Date | null }>(sql).catch(() => undefined);
  return rows === undefined ? undefined : (rows[0] ?? null);
}

async function settingOf(
  { query }: Harness,
  { id }: FixtureCampaign,
  user: User,
): Promise<string | undefined> {
  const rows = await query<{ setting: string }>(
    `select setting from smart_pause join app_user on app_user.id = user_id
     where campaign_id = '${id}' and email = '${user.email}'`,
  ).catch(() => []);
  return rows[0]?.setting;
}

async function setOutside(harness: Harness, campaign: string, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  await harness.simulators.graph.post(`/campaigns/${campaign}`, { status });
}

/** Orders faults of Meta for the next few calls in one ad account. */
async function orderFaults({ random, simulators, fixture, runLog }: Harness): Promise<void> {
  const { account } = random.pick(fixture.campaigns);
  const inner = { op: 'inner', method: 'POST', account };
  const fault = random.pick<FaultInput>([
    { kind: 'applied_but_error', code: 1, match: inner },
    { kind: 'applied_but_error', code: 2, match: inner },
    { kind: 'null_entry_applied', match: inner },
    { kind: 'null_entry', match: inner },
    { kind: 'error', code: 2, match: inner },
    { kind: 'reset', match: { account } },
    { kind: 'reset_after', match: { method: 'POST', account } },
    { kind: 'truncated', match: { method: 'POST', account } },
    { kind: 'html', match: { method: 'GET', account } },
  ]);
  await simulators.graph.fault({ ...fault, times: random.whole(1, 3) });
  runLog.faults += 1;
}
