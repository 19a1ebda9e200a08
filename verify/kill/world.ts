import { setTimeout as sleep } from 'node:timers/promises';
import { PersonOverHttp } from '../../scripts/outside/person.ts';
import { meets } from '../invariants/severity.ts';
import type { StatusChange, UserCall } from '../invariants/write-log.ts';
import { isOurs } from '../invariants/write-log.ts';
import type { CastCampaign, User } from './cast.ts';
import type { Stage } from './stage.ts';

/** The words of the status page for each level. */
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

/** Changes the status page, makes users act and Meta fail, one after the other, until the run is over. */
export async function goOn(stage: Stage, isOver: () => boolean): Promise<void> {
  const { dice, story } = stage;
  while (!isOver()) {
    const isUp = (story.statusChanges.at(-1)?.level ?? 'UP') === 'UP';
    if (dice.chance(FAULT_SHARE)) await orderFaults(stage);
    await changeStatus(stage, isUp || dice.chance(0.3) ? dice.pick(LEVELS) : 'UP', isOver);
    for (let n = 0; n < ACTS_PER_CHANGE && !isOver(); n += 1) await actSomewhere(stage);
    await sleep(dice.whole(300, 2000));
  }
}

/** Changes the page and waits, for a while, until the database has it. */
export async function changeStatus(
  { simulators, story, look }: Stage,
  level: Level,
  isOver: () => boolean = () => false,
): Promise<void> {
  const change: StatusChange = { level, at: Date.now(), knownAt: null };
  story.statusChanges.push(change);
  await simulators.status.reports(PHRASES[level]);
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  while (performance.now() < deadline && !isOver()) {
    const [row] = await look<{ known: string }>('select known from platform_status').catch(() => []);
    if (row?.known === level) {
      change.knownAt = Date.now();
      return;
    }
    await sleep(60);
  }
}

async function actSomewhere(stage: Stage): Promise<void> {
  const campaign = stage.dice.pick(stage.cast.campaigns);
  const user = stage.cast.users.find(({ index }) => campaign.owners.includes(index));
  if (user === undefined) return;
  if (campaign.kind === 'toggled') return toggle(stage, campaign, user);
  if (campaign.kind === 'manual') return actManually(stage, campaign, user);
  if (campaign.kind === 'external') return changeOutside(stage, campaign, user);
  await callAs(stage, user, 'GET', `/api/campaigns/${campaign.account}`);
}

/** One call to any process that is ready; null: no response came. */
async function callAs(
  stage: Stage,
  user: User,
  ...[method, path, body]: Parameters<PersonOverHttp['call']>
): Promise<number | null> {
  const session = new PersonOverHttp(
    stage.processes.url((from) => stage.dice.pick(from)),
    user.session.token,
  );
  const over = new AbortController();
  const late = sleep(RESPONSE_WITHIN_MS, null, { signal: over.signal }).catch(() => null);
  const response = session.call(method, path, body).then(
    ({ status }) => status,
    () => null,
  );
  return Promise.race([response, late]).finally(() => over.abort());
}

async function call(
  stage: Stage,
  campaign: CastCampaign,
  user: User,
  what: UserCall['what'],
): Promise<number | null> {
  const { id, account } = campaign;
  const isToggle = what === 'on' || what === 'off';
  const path = isToggle ? `/api/smartpause/${account}/${id}` : `/api/campaigns/${id}/${what}`;
  const askedAt = Date.now();
  const body = isToggle ? { enabled: what === 'on' } : undefined;
  const status = await callAs(stage, user, 'POST', path, body);
  stage.story.calls.push({ campaign: id, what, askedAt, answeredAt: Date.now(), status });
  return status;
}

/** Off leaves a held campaign paused: its owner resumes it in Ads Manager as soon as no write of ours is unconfirmed. */
async function toggle(stage: Stage, campaign: CastCampaign, user: User): Promise<void> {
  if ((await settingOf(stage, campaign, user)) !== 'ON') {
    await call(stage, campaign, user, 'on');
    return;
  }
  if ((await call(stage, campaign, user, 'off')) !== 200) return;
  const hold = await lastHold(stage, campaign.id);
  if (hold === undefined) return;
  if (hold === null || !hold.in_doubt) await setOutside(stage, campaign.id, 'ACTIVE');
}

async function actManually(stage: Stage, campaign: CastCampaign, user: User): Promise<void> {
  const now = (await stage.simulators.graph.campaigns()).get(campaign.id)?.status;
  await call(stage, campaign, user, now === 'ACTIVE' ? 'pause' : 'resume');
}

/** Changes the campaign in Ads Manager when no write of ours is unconfirmed, and undoes an earlier change. */
async function changeOutside(stage: Stage, campaign: CastCampaign, user: User): Promise<void> {
  const { id } = campaign;
  const { externalChanges } = stage.story;
  const before = externalChanges.findLast((one) => one.campaign === id && one.until === null);
  if (before?.status === 'PAUSED') {
    before.until = Date.now();
    return setOutside(stage, id, 'ACTIVE');
  }
  if (before !== undefined) {
    if ((await settingOf(stage, campaign, user)) !== 'DEACTIVATED') return;
    before.until = Date.now();
    await call(stage, campaign, user, 'on');
    return;
  }
  const status = await allowedChange(stage, campaign, user);
  if (status === null) return;
  const change = { campaign: id, status, at: Date.now(), until: null };
  await setOutside(stage, id, status);
  externalChanges.push(change);
}

/** A pause when nothing is held; a resume when it was paused for this very outage and confirmed. */
async function allowedChange(
  stage: Stage,
  { id }: CastCampaign,
  { threshold }: User,
): Promise<'ACTIVE' | 'PAUSED' | null> {
  const { simulators, story } = stage;
  const current = story.statusChanges.at(-1);
  if (current === undefined || current.knownAt === null) return null;
  const hold = await lastHold(stage, id);
  const live = (await simulators.graph.campaigns()).get(id)?.status;
  if (hold === undefined || hold?.in_doubt === true) return null;
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

/** Null: there is none; undefined: the database did not say. */
async function lastHold(
  { look }: Stage,
  campaign: string,
): Promise<{ state: string; in_doubt: boolean } | null | undefined> {
  const sql = `select state, in_doubt from hold where campaign_id = '${campaign}' order by id desc limit 1`;
  const rows = await look<{ state: string; in_doubt: boolean }>(sql).catch(() => undefined);
  return rows === undefined ? undefined : (rows[0] ?? null);
}

async function settingOf({ look }: Stage, { id }: CastCampaign, user: User): Promise<string | undefined> {
  const rows = await look<{ setting: string }>(
    `select setting from smart_pause join person on person.id = person_id
     where campaign_id = '${id}' and email = '${user.email}'`,
  ).catch(() => []);
  return rows[0]?.setting;
}

async function setOutside(stage: Stage, campaign: string, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  await stage.simulators.graph.post(`/campaigns/${campaign}`, { status });
}

/** Faults of Meta for the next few calls in one ad account. */
async function orderFaults({ dice, simulators, cast, story }: Stage): Promise<void> {
  const { account } = dice.pick(cast.campaigns);
  const inner = { op: 'inner', method: 'POST', account };
  const fault = dice.pick<object>([
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
  await simulators.graph.fault({ ...fault, times: dice.whole(1, 3) });
  story.faults += 1;
}
