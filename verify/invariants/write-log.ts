import type { Write as MetaWrite } from '../../simulators/meta-graph/state.ts';
import type { Activity } from './activity-log.ts';
import type { HoldRow } from './snapshot.ts';
import { meets } from './severity.ts';

/** One accepted status write, as Meta recorded it; `token_user` is null for an external change. */
export type Write = Pick<MetaWrite, 'at' | 'campaign' | 'status' | 'previous' | 'token_user'>;

/**
 * `watched`: SmartPause on. `resting`: on, paused before. `off`: never on. `toggled`:
 * turned off and on. `manual`: paused and resumed with the buttons. `external`: on,
 * changed in Ads Manager. `foreign`: its advertiser does not use SmartPause.
 */
export type Kind = 'watched' | 'resting' | 'off' | 'toggled' | 'manual' | 'external' | 'foreign';

export interface Watcher {
  threshold: 'LOW' | 'MEDIUM' | 'HIGH';
  /** Milliseconds between the end of the match and the resume. */
  delayMs: number;
}

export interface Campaign {
  id: string;
  name: string;
  kind: Kind;
  watchers: readonly Watcher[];
}

/** A change of the status page; `knownAt`: when the database had it, null: the next one came first. */
export interface StatusChange {
  level: string;
  at: number;
  knownAt: number | null;
}

/** A change in Ads Manager while no write of ours was unconfirmed. */
export interface ExternalChange {
  campaign: string;
  status: string;
  at: number;
  /** From when on SmartPause may write again; null: not yet. */
  until: number | null;
}

/** A user's own call. `status` null: no response came. */
export interface UserCall {
  campaign: string;
  what: 'on' | 'off' | 'pause' | 'resume';
  askedAt: number;
  answeredAt: number;
  status: number | null;
}

type Hold = Pick<HoldRow, 'campaign_id' | 'created_at' | 'ended_at'>;

export interface WriteLogGiven {
  campaigns: readonly Campaign[];
  writes: readonly Write[];
  finalStatus: ReadonlyMap<string, string>;
  /** Oldest first. */
  holds: readonly Hold[];
  activities: readonly Activity[];
  statusChanges: readonly StatusChange[];
  externalChanges: readonly ExternalChange[];
  calls: readonly UserCall[];
}

/** All violations that Meta's write log shows. */
export function checkWriteLog(given: WriteLogGiven): string[] {
  return [
    ...given.campaigns.flatMap((campaign) => checkCampaign(given, campaign)),
    ...checkUnknown(given),
    ...given.externalChanges.flatMap((change) => checkExternalChange(given, change)),
  ];
}

export function isOurs({ token_user }: Write): boolean {
  return token_user !== null;
}

export function isChange({ previous, status }: Write): boolean {
  return previous !== status;
}

const UNTOUCHED: readonly Kind[] = ['off', 'resting', 'foreign'];
const FINAL: Partial<Record<Kind, string>> = {
  watched: 'ACTIVE',
  resting: 'PAUSED',
  off: 'ACTIVE',
  foreign: 'ACTIVE',
};

function checkCampaign(given: WriteLogGiven, campaign: Campaign): string[] {
  const { id, name, kind } = campaign;
  const writes = given.writes.filter((write) => write.campaign === id);
  const ours = writes.filter(isOurs);
  const wrong: string[] = [];
  if (UNTOUCHED.includes(kind))
    wrong.push(...ours.map(({ status, at }) => `touched ${name}: ${status} at ${at}`));
  wrong.push(...checkResumes(name, writes));
  const final = given.finalStatus.get(id) ?? 'nowhere';
  if (FINAL[kind] !== undefined && final !== FINAL[kind]) wrong.push(`${name} is left ${final}`);
  if (kind === 'manual') return [...wrong, ...checkManual(given, campaign)];
  const changes = ours.filter(isChange);
  for (const [status, event] of [
    ['PAUSED', 'paused'],
    ['ACTIVE', 'resumed'],
  ] as const) {
    const done = changes.filter((write) => write.status === status).length;
    const logged = given.activities.filter((one) => one.campaign_id === id && one.event === event).length;
    if (done !== logged) wrong.push(`${name}: ${done} times ${status}, ${logged} activities '${event}'`);
  }
  for (const write of changes) {
    const hold = given.holds.findLast(
      (one) => one.campaign_id === id && Date.parse(one.created_at) <= Date.parse(write.at),
    );
    if (hold === undefined || !campaign.watchers.some((one) => isDue(given, write, hold, one)))
      wrong.push(
        `${name} became ${write.status} at ${write.at}, against the status (hold of ${hold?.created_at ?? 'no time'})`,
      );
  }
  return [...wrong, ...checkHolds(given, campaign)];
}

/** The last pause before each resume of ours is ours. */
function checkResumes(name: string, writes: readonly Write[]): string[] {
  return writes.flatMap((write, index) => {
    if (write.status !== 'ACTIVE' || !isOurs(write) || !isChange(write)) return [];
    const last = writes.slice(0, index).findLast(({ status }) => status === 'PAUSED');
    if (last !== undefined && isOurs(last)) return [];
    const by = last === undefined ? 'before the run' : `outside SmartPause at ${last.at}`;
    return [`resumed ${name} at ${write.at}, which was paused ${by}`];
  });
}

/**
 * A hold begins while the threshold is met; a resume follows the end of the match
 * plus the delay. Only the order of events counts, since a write may take any time.
 */
function isDue({ statusChanges }: WriteLogGiven, write: Write, hold: Hold, watcher: Watcher): boolean {
  const began = Date.parse(hold.created_at);
  /** Until when the database may have had this level. */
  const knownUntil = (index: number): number =>
    statusChanges.slice(index + 1).find(({ knownAt }) => knownAt !== null)?.knownAt ?? Infinity;
  return statusChanges.some(({ level, at }, index) => {
    const isMet = meets(level, watcher.threshold);
    if (write.status === 'PAUSED') return isMet && at <= began && began <= knownUntil(index);
    return !isMet && knownUntil(index) >= began && at + watcher.delayMs <= Date.parse(write.at);
  });
}

/** One live hold at a time, and none that begins while SmartPause is off. */
function checkHolds({ holds, calls }: WriteLogGiven, { id, name }: Campaign): string[] {
  const own = holds.filter(({ campaign_id }) => campaign_id === id);
  const toggles = calls.filter(({ campaign, what }) => campaign === id && (what === 'on' || what === 'off'));
  return own.flatMap((hold, index) => {
    const began = Date.parse(hold.created_at);
    const before = own[index - 1];
    const wrong: string[] = [];
    if (before !== undefined && (before.ended_at === null || Date.parse(before.ended_at) > began))
      wrong.push(`${name} was held twice at ${hold.created_at}`);
    if (hold.ended_at === null) wrong.push(`${name} is still held`);
    const isOff = toggles.some(
      ({ what, status, answeredAt }, at) =>
        what === 'off' &&
        status === 200 &&
        answeredAt < began &&
        began < (toggles[at + 1]?.askedAt ?? Infinity),
    );
    if (isOff) wrong.push(`a hold of ${name} began at ${hold.created_at}, while it was off`);
    return wrong;
  });
}

/** Every answered manual pause or resume is in the activity log once. */
function checkManual({ activities, calls }: WriteLogGiven, { id, name }: Campaign): string[] {
  const requested = calls.filter(({ campaign }) => campaign === id);
  const answered = requested.filter(({ status }) => status === 200);
  const logged = activities.filter((one) => one.campaign_id === id && one.event.startsWith('manual_'));
  return logged.length < answered.length || logged.length > requested.length
    ? [`${name}: ${logged.length} manual acts logged, ${answered.length} answered of ${requested.length}`]
    : [];
}

/** An external change wins until SmartPause is turned on again or the change is undone. */
function checkExternalChange({ writes, campaigns }: WriteLogGiven, change: ExternalChange): string[] {
  const name = campaigns.find(({ id }) => id === change.campaign)?.name ?? change.campaign;
  return writes
    .filter(
      (write) =>
        write.campaign === change.campaign &&
        isOurs(write) &&
        isChange(write) &&
        Date.parse(write.at) > change.at &&
        Date.parse(write.at) < (change.until ?? Infinity),
    )
    .map(
      ({ status, at }) => `${name} was set ${change.status} outside SmartPause, and ${status} by us at ${at}`,
    );
}

function checkUnknown({ writes, campaigns }: WriteLogGiven): string[] {
  const known = new Set(campaigns.map(({ id }) => id));
  return writes
    .filter((write) => isOurs(write) && !known.has(write.campaign))
    .map(({ campaign, status, at }) => `touched ${campaign}: ${status} at ${at}`);
}
