import type { Write as MetaWrite } from '../../simulators/meta-graph/state.ts';
import type { Activity } from './records.ts';

/** One accepted status write, as Meta recorded it; `token_user` is null for an external change. */
export type Write = Pick<MetaWrite, 'at' | 'campaign' | 'status' | 'previous' | 'token_user'>;

/** `watched`: SmartPause on. `resting`: on, paused before. `off`: never on. */
export type Kind = 'watched' | 'resting' | 'off';

export interface Campaign {
  id: string;
  name: string;
  kind: Kind;
}

export interface WriteLogGiven {
  campaigns: readonly Campaign[];
  writes: readonly Write[];
  finalStatus: ReadonlyMap<string, string>;
  activities: readonly Activity[];
}

/** All violations that Meta's write log shows. */
export function checkWriteLog(given: WriteLogGiven): string[] {
  const known = new Set(given.campaigns.map(({ id }) => id));
  const unknown = given.writes.filter((write) => isOurs(write) && !known.has(write.campaign));
  return [
    ...given.campaigns.flatMap((campaign) => checkCampaign(given, campaign)),
    ...unknown.map(({ campaign, status, at }) => `touched ${campaign}: ${status} at ${at}`),
  ];
}

export function isOurs({ token_user }: Write): boolean {
  return token_user !== null;
}

export function isChange({ previous, status }: Write): boolean {
  return previous !== status;
}

function checkCampaign(given: WriteLogGiven, campaign: Campaign): string[] {
  const { id, name, kind } = campaign;
  const writes = given.writes.filter((write) => write.campaign === id);
  const ours = writes.filter(isOurs);
  const wrong: string[] = [];
  if (kind !== 'watched') wrong.push(...ours.map(({ status, at }) => `touched ${name}: ${status} at ${at}`));
  wrong.push(...checkResumes(name, writes));
  const final = given.finalStatus.get(id) ?? 'nowhere';
  if (final !== (kind === 'resting' ? 'PAUSED' : 'ACTIVE')) wrong.push(`${name} is left ${final}`);
  const changes = ours.filter(isChange);
  const activities = given.activities.filter((one) => one.campaign_id === id);
  for (const [status, event] of Object.entries({ PAUSED: 'paused', ACTIVE: 'resumed' })) {
    const done = changes.filter((write) => write.status === status).length;
    const logged = activities.filter((one) => one.event === event).length;
    if (done !== logged) wrong.push(`${name}: ${done} times ${status}, ${logged} activities '${event}'`);
  }
  return wrong;
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
