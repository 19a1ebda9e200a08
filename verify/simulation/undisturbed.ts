import { FUSION } from '../../src/core/detection/fusion.ts';
import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import { resumeTime } from '../../src/core/smartpause/resume-time.ts';
import { inTransaction } from '../../src/server/db/database.ts';
import { saveActing } from '../../src/server/db/early-warning.ts';
import { requestWake } from '../../src/server/db/status/account-wakes.ts';
import { type Snapshot, matchEndIn } from '../invariants/snapshot.ts';
import { applyEvent } from './history/events.ts';
import { CAMPAIGNS } from './history/fixture.ts';
import type { Play } from './play.ts';
import { SOURCES } from './sources.ts';
import { JOB_NAMES } from './world/process.ts';

const MINUTE = 60_000;
/** From a change on the page to its observation, with all consequences. */
const NOTICED_WITHIN_MS = 6 * MINUTE;

/** Those that early warnings concern. */
const CHOICES = { all: ['official', 'notify', 'pause'], notified: ['notify', 'pause'], paused: ['pause'] };
type Choice = keyof typeof CHOICES;

const served = (choice: Choice): string => `initialized_at is not null and leaving is null
  and early_warning in ('${CHOICES[choice].join("', '")}') and exists (
    select from subscriptions s where s.user_id = u.id and s.status in ('active', 'trialing'))`;

/** An outage without faults: the specification determines what is paused and resumed, and when. */
export async function checkUndisturbedOutage(play: Play): Promise<void> {
  play.note('an undisturbed outage');
  play.simulators.graph.state.tools = [];
  await play.harness.database.query('update campaigns set other_schedule = null');
  for (const { lifetime } of play.processes) lifetime.end();
  for (const [index, user] of play.users.entries()) {
    await play.until(user.call(play.process(), 'refreshSubscription'));
    await openPages(play, index);
  }
  for (const name of JOB_NAMES) await play.until(play.process().runTask(name));
  await play.runFor(NOTICED_WITHIN_MS);
  const expected = await expectedPauses(play, 'all');
  const written = watchWrites(play);
  applyEvent(play, { what: 'status', level: 'HIGH_DISRUPTION' });
  await play.runFor(NOTICED_WITHIN_MS);
  checkPauses(play, 'in an undisturbed outage', expected, written);
  await endPage(play);
  await checkResumes(play, expected, written);
}

/** An early warning without faults. Meta's page may report the outage, and its end may be the first or the last one. */
export async function checkUndisturbedWarning(play: Play): Promise<void> {
  if (!play.sources.areUsed) return;
  const end = play.random
    .for('undisturbed warning')
    .pick(['of no page', 'of the page first', 'of the page last', 'of a record']);
  const about = `in an undisturbed early warning (the end ${end})`;
  play.note(about);
  if (end === 'of a record') {
    await checkRecord(play, about);
    return;
  }
  const [paused, all] = [await expectedPauses(play, 'paused'), await expectedPauses(play, 'all')];
  const [written, mailed] = [watchWrites(play), watchMails(play)];
  // Not by an admin, who may have left.
  await play.until(saveActing(play.process().deps.db, play.time.now));
  await play.until(play.suspect('calls', true, 0));
  await play.runFor(NOTICED_WITHIN_MS);
  checkPauses(play, `${about}, by calls alone,`, [], written);
  await play.until(play.suspect('delivery', true, 0));
  await play.runFor(FUSION.bothForMs + NOTICED_WITHIN_MS);
  checkPauses(play, about, paused, written);
  const expected = end === 'of no page' ? paused : all;
  if (end !== 'of no page') {
    applyEvent(play, { what: 'status', level: 'HIGH_DISRUPTION' });
    await play.runFor(NOTICED_WITHIN_MS);
    checkPauses(play, `${about}, once the page reports it,`, expected, written);
    for (const { state, cause, key } of (await snapshotOf(play)).holds)
      if (state !== 'ended' && cause !== 'status')
        play.oracle.report(`${about} hold ${key} stays of ${cause}`);
  }
  if (end === 'of the page first') await endPage(play);
  for (const source of SOURCES) await play.until(play.suspect(source, false, 0));
  await play.runFor(NOTICED_WITHIN_MS);
  if (end === 'of the page last') {
    checkPauses(play, `${about}, while the page reports it,`, expected, written);
    await endPage(play);
  }
  await checkResumes(play, expected, written);
  const notified = await play.harness.database.query<{ email: string }>(
    `select email from users u where ${served('notified')} and email is not null order by 1`,
  );
  const addresses = notified.map(({ email }) => email).join();
  for (const subject of ['Early warning: an outage of Meta', 'The early warning is over'])
    if (mailed(subject) !== addresses)
      play.oracle.report(`${about} '${subject}' was sent to '${mailed(subject)}', not to '${addresses}'`);
}

/** While no admin lets it act, nothing follows, also when the accounts are worked on for another reason. */
async function checkRecord(play: Play, about: string): Promise<void> {
  const [written, mailed] = [watchWrites(play), watchMails(play)];
  const { db } = play.process().deps;
  await play.until(saveActing(db, null));
  for (const isSuspected of [true, false]) {
    for (const source of SOURCES) await play.until(play.suspect(source, isSuspected, 0));
    await play.runFor(FUSION.bothForMs);
    await play.until(inTransaction(db, (tx) => requestWake(tx, THRESHOLDS)));
    await play.runFor(NOTICED_WITHIN_MS);
    checkPauses(play, about, [], written);
  }
  if (mailed('Early warning') + mailed('The early warning') !== '')
    play.oracle.report(`${about} a mail speaks of it`);
}

/** A level falls with two readings. */
async function endPage(play: Play): Promise<void> {
  applyEvent(play, { what: 'status', level: 'UP' });
  await play.runFor(2 * NOTICED_WITHIN_MS);
}

type Written = ReturnType<typeof watchWrites>;

function checkPauses({ oracle }: Play, about: string, expected: readonly string[], written: Written): void {
  for (const { id } of CAMPAIGNS)
    if (written(id) !== (expected.includes(id) ? 'PAUSED' : ''))
      oracle.report(`${about} ${id} was written: '${written(id)}'`);
}

/** After the end: each by its user's rule, in time. */
async function checkResumes(play: Play, expected: readonly string[], written: Written): Promise<void> {
  const { oracle } = play;
  const after = await snapshotOf(play);
  const dues = expected.map((id) => {
    const hold = after.holds.findLast(({ campaign_id }) => campaign_id === id);
    const user = after.users.find((one) => one.id === hold?.user_id);
    if (hold === undefined || user === undefined) return { id, due: NaN };
    const zone = after.time_zones[id] ?? null;
    return { id, due: resumeTime(user.resume_settings, matchEndIn(after, hold), zone) };
  });
  for (const { due } of dues.toSorted((a, b) => a.due - b.due)) {
    if (due - play.time.now > 3 * NOTICED_WITHIN_MS) play.skipTo(due - 2 * NOTICED_WITHIN_MS);
    await play.runUntil(due + MINUTE);
  }
  for (const { id, due } of dues) {
    const at = Date.parse(
      play.simulators.graph.state.writes.findLast((one) => one.campaign === id)?.at ?? '',
    );
    if (written(id) !== 'PAUSED,ACTIVE' || !(at >= due && at <= due + MINUTE))
      oracle.report(`${id} is to be resumed at ${due}, but: '${written(id)}', the last at ${at}`);
  }
  await settle(play);
  for (const [id, { isOurs }] of oracle.campaigns)
    if (isOurs && play.simulators.graph.state.campaigns.get(id)?.status === 'PAUSED')
      oracle.report(`campaign ${id} is stranded: it stays paused, by us`);
}

/** Active, with SmartPause on for a paying user who is set up. */
async function expectedPauses({ harness, simulators: { graph } }: Play, choice: Choice): Promise<string[]> {
  const rows = await harness.database.query<{ id: string }>(
    `select distinct campaign_id as id from smartpause_settings sp join users u on u.id = sp.user_id
      where setting = 'ON' and ${served(choice)}`,
  );
  return rows.map(({ id }) => id).filter((id) => graph.state.campaigns.get(id)?.status === 'ACTIVE');
}

/** @returns the statuses written to a campaign from now on */
function watchWrites({ simulators: { graph } }: Play): (campaign: string) => string {
  const begin = graph.state.writes.length;
  return (id) =>
    graph.state.writes
      .slice(begin)
      .filter(({ campaign }) => campaign === id)
      .map(({ status }) => status)
      .join();
}

/** @returns who has got emails with such a subject from now on, by address */
function watchMails({ inbox }: Play): (subject: string) => string {
  const before = new Set(inbox.keys());
  return (subject) =>
    [...inbox]
      .filter(([id, mail]) => !before.has(id) && mail.subject.startsWith(subject))
      .map(([, { to }]) => to)
      .toSorted()
      .join();
}

/** So that the product has read their ad accounts. */
export async function openPages(play: Play, index: number): Promise<void> {
  const user = play.user(index);
  const accounts = await play.until(user.call(play.process(), 'adAccounts'));
  for (const adAccountId of accounts.ok ? user.who.accounts : [])
    await play.until(user.call(play.process(), 'campaigns', { params: { adAccountId } }));
}

export async function snapshotOf({ oracle }: Play): Promise<Snapshot> {
  await oracle.check();
  if (oracle.lastSnapshot === null) throw new Error('nothing was checked');
  return oracle.lastSnapshot;
}

/** Every hold has ended after a while. */
export async function settle(play: Play): Promise<void> {
  await play.runFor(12 * MINUTE);
  for (const { id, campaign_id, state } of (await snapshotOf(play)).holds)
    if (state !== 'ended') play.oracle.report(`hold ${id} on ${campaign_id} never ends: ${state}`);
}
