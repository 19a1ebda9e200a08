import { openDatabase } from '../../src/server/db/pool/open.ts';
import { silent } from '../command.ts';
import type { ControlClient, LoggedRequest, PlatformWrite } from '../outside/control-client.ts';
import type { Player } from './fixture.ts';
import type { Replay } from './replay-clock.ts';
import { replayedAt } from './replay-clock.ts';

interface Evidence {
  players: Player[];
  graph: ControlClient;
  replay: Replay;
  /** Real time at which the status page changed. */
  changedAt: number;
  dataDir: string;
}

interface Row {
  advertiser: string;
  settings: string;
  paused: number;
  resumed: number;
  'left alone': number;
  'last pause after': string;
  'resumed at': string;
  calls: number;
  lost: number;
  doubled: number;
}

interface Entry {
  name: string;
  event: string;
  count: number;
}

/** Prints the history and every violated rule. @returns the number of violations */
export async function checkEvidence(evidence: Evidence): Promise<number> {
  const writes = await evidence.graph.writes();
  const requests = await evidence.graph.requests();
  const activities = await readActivities(evidence.dataDir);
  const broken: string[] = [];
  const rows = evidence.players.map((player) =>
    rowOf(evidence, player, { writes, requests, activities, broken }),
  );
  console.table(Object.fromEntries(rows.map(({ advertiser, ...row }) => [advertiser, row])));
  for (const rule of broken) process.stdout.write(`BROKEN  ${rule}\n`);
  process.stdout.write(broken.length === 0 ? 'Nothing lost, nothing doubled, nothing else touched.\n' : '\n');
  return broken.length;
}

interface Material {
  writes: PlatformWrite[];
  requests: LoggedRequest[];
  activities: Entry[];
  broken: string[];
}

function rowOf(evidence: Evidence, player: Player, { writes, requests, activities, broken }: Material): Row {
  const { expected, others, name } = player;
  const changes = writes.filter((write) => write.previous !== write.status);
  const of = (id: string): string[] =>
    changes.filter((write) => write.campaign === id).map(({ status }) => status);
  const lost = expected.filter((id) => !['PAUSED', 'ACTIVE'].every((status) => of(id).includes(status)));
  const doubled = expected.filter((id) => of(id).length > 2);
  const touched = others.filter((id) => writes.some((write) => write.campaign === id));
  const mine = changes.filter((write) => expected.includes(write.campaign));
  const lastPause = Math.max(
    ...mine.filter(({ status }) => status === 'PAUSED').map(({ at }) => Date.parse(at)),
  );
  const resumes = mine
    .filter(({ status }) => status === 'ACTIVE')
    .map(({ at }) => replayedAt(evidence.replay, Date.parse(at)));
  const countOf = (event: string): number =>
    activities.find((entry) => entry.name === name && entry.event === event)?.count ?? 0;

  const early = Math.min(...resumes) < Date.parse(player.resumesAt);
  if (lost.length > 0) broken.push(`${name}: ${lost.length} campaigns were not paused and resumed`);
  if (doubled.length > 0) broken.push(`${name}: ${doubled.length} campaigns were changed more than twice`);
  if (touched.length > 0) broken.push(`${name}: ${touched.length} campaigns were touched that should not be`);
  if (early)
    broken.push(
      `${name}: resumed at ${new Date(Math.min(...resumes)).toISOString()}, before ${player.resumesAt}`,
    );
  for (const event of ['paused', 'resumed']) {
    if (countOf(event) !== expected.length)
      broken.push(`${name}: ${countOf(event)} '${event}' activities for ${expected.length}`);
  }
  if (countOf('held') !== 0) broken.push(`${name}: ${countOf('held')} campaigns are still held`);
  return {
    advertiser: name,
    settings: `${player.threshold}, ${describe(player)}`,
    paused: mine.filter(({ status }) => status === 'PAUSED').length,
    resumed: resumes.length,
    'left alone': others.length - touched.length,
    'last pause after': `${((lastPause - evidence.changedAt) / 1000).toFixed(1)} s`,
    'resumed at': `${new Date(Math.min(...resumes)).toISOString().slice(11, 19)}Z`,
    calls: requests.filter((request) => isAbout(request, player)).length,
    lost: lost.length,
    doubled: doubled.length,
  };
}

function describe({ resumeSettings: { mode, delay } }: Player): string {
  return delay === undefined ? mode : `${delay.value} ${delay.unit}`;
}

function isAbout(request: LoggedRequest, player: Player): boolean {
  const target = request.batch?.[0]?.relative_url.split('?')[0] ?? '';
  return (
    player.accounts.some((id) => request.path.includes(id)) ||
    [...player.expected, ...player.others].includes(target)
  );
}

async function readActivities(dataDir: string): Promise<Entry[]> {
  const database = await openDatabase({ dataDir, log: silent });
  try {
    const { rows } = await database.pool.query<Entry>(`
      select p.name, a.event, count(*)::int as count from activity a join app_user p on p.id = a.user_id
      where a.hold_id is not null group by 1, 2
      union all
      select p.name, 'held', count(*)::int from hold h join app_user p on p.id = h.user_id
      where h.state <> 'ended' and h.resumed_at is null group by 1`);
    return rows;
  } finally {
    await database.close();
  }
}
