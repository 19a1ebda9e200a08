import type { EventApplier } from './history/apply-event.ts';
import type { Play } from './play.ts';
import type { Level } from './history/events.ts';
import { JOB_NAMES } from './history/generate.ts';
import { STALE_MS } from './world/process.ts';
import { meets } from '../invariants/severity.ts';
import type { HoldRow, UserRow } from '../invariants/snapshot.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** From a change on the page to its status observation, with all consequences. */
const NOTICED_WITHIN_MS = 6 * MINUTE;
/** From the due time of an action to its completion. */
const DONE_WITHIN_MS = MINUTE;
/** From the page's response to the recorded end of the match. */
const RECORDED_WITHIN_MS = 2000;

/** An outage without faults: the specification determines what is paused and resumed, and when. */
export async function checkUndisturbedOutage(play: Play, applier: EventApplier): Promise<void> {
  const { oracle } = play;
  play.note('an undisturbed outage');
  for (const { lifetime } of play.processes) lifetime.end();
  play.process();
  await openTheirPages(play);
  const level = play.random
    .for('undisturbed outage')
    .pick(['LOW_DISRUPTION', 'MEDIUM_DISRUPTION', 'HIGH_DISRUPTION'] as const);
  const expected = await expectedPauses(play, level);
  const paused = countWrites(play);
  await applier.apply({ what: 'status', level, only: null });
  await play.runUntil(play.time.now + NOTICED_WITHIN_MS);
  for (const [id, writes] of paused()) {
    const isExpected = expected.has(id);
    if (writes.join() !== (isExpected ? 'PAUSED' : ''))
      oracle.report(
        `in an undisturbed ${level} ${id} is to be ${isExpected ? 'paused' : 'left alone'}, but: ${writes.join() || 'nothing'}`,
      );
  }
  if (oracle.violations.length === 0) await checkExternalChange(play, applier, [...expected]);
  if (oracle.violations.length === 0) await checkResumes(play, applier);
}

/** A campaign is resumed outside SmartPause: the hold is released, and SmartPause writes to it no more. */
async function checkExternalChange(
  play: Play,
  applier: EventApplier,
  paused: readonly string[],
): Promise<void> {
  const random = play.random.for('undisturbed manual change');
  if (paused.length === 0 || random.chance(0.5)) return;
  const id = random.pick(paused);
  const campaign = play.fixture.campaigns.findIndex((one) => one.id === id);
  await applier.apply({ what: 'external change', campaign, status: 'ACTIVE' });
  const written = countWrites(play);
  await play.runUntil(play.time.now + NOTICED_WITHIN_MS);
  await play.oracle.check();
  const { holds = [], smart_pause: settings = [] } = play.oracle.lastSnapshot ?? {};
  const isHeld = holds.some((hold) => hold.campaign_id === id && hold.state !== 'ended');
  const isOn = settings.some((one) => one.campaign_id === id && one.setting === 'ON');
  const writes = written().get(id) ?? [];
  if (isHeld || isOn || writes.length > 0)
    play.oracle.report(
      `${id} was resumed outside: ${isHeld ? 'held' : 'not held'}, SmartPause ${isOn ? 'on' : 'off'}, ${writes.join() || 'no'} writes`,
    );
}

async function checkResumes(play: Play, applier: EventApplier): Promise<void> {
  const { oracle } = play;
  const random = play.random.for('undisturbed unknown');
  await oracle.check();
  const held = (oracle.lastSnapshot?.holds ?? []).filter(({ state }) => state !== 'ended');
  play.undisturbedPauses += held.length;
  const resumed = countWrites(play);
  if (random.chance(0.5)) await checkUnknownMatch(play, applier, held);
  await applier.apply({ what: 'status', level: 'UP', only: null });
  await play.runUntil(play.time.now + NOTICED_WITHIN_MS);
  // UNKNOWN from now on does not delay a scheduled resume.
  if (random.chance(0.5)) await breakPage(applier);
  const dues = held.map((hold) => ({ hold, due: dueOf(play, hold) }));
  for (const at of new Set(dues.map(({ due }) => due).toSorted((a, b) => a - b))) {
    // The status has to be known again by then.
    if (at - play.time.now > 3 * NOTICED_WITHIN_MS) play.skipTo(at - 2 * NOTICED_WITHIN_MS);
    await play.runUntil(at + DONE_WITHIN_MS);
  }
  play.simulators.statusPage.faults.removeAll();
  for (const { hold, due } of dues) {
    const writes = play.simulators.graph.state.writes.filter((write) => write.campaign === hold.campaign_id);
    const at = Date.parse(writes.at(-1)?.at ?? '');
    if (resumed().get(hold.campaign_id)?.join() !== 'ACTIVE')
      oracle.report(
        `${hold.campaign_id} is to be resumed at ${iso(due)}: ${resumed().get(hold.campaign_id)?.join() || 'nothing'}`,
      );
    else if (!(at >= due && at <= due + DONE_WITHIN_MS))
      oracle.report(`${hold.campaign_id} was resumed at ${iso(at)}, and was due at ${iso(due)}`);
  }
}

function breakPage(applier: EventApplier): Promise<void> {
  return applier.apply({ what: 'page breaks', kind: 'html', only: null, times: 0 });
}

/** UNKNOWN ends no match, and after an hour of it each user whose campaigns stay paused has one email. */
async function checkUnknownMatch(play: Play, applier: EventApplier, held: readonly HoldRow[]): Promise<void> {
  const sentBefore = new Set(play.inbox.keys());
  await breakPage(applier);
  await play.runUntil(play.time.now + STALE_MS + NOTICED_WITHIN_MS);
  play.skipTo(play.time.now + HOUR);
  await play.runUntil(play.time.now + NOTICED_WITHIN_MS);
  await play.until(play.process().runTask('long unknown'));
  await play.runUntil(play.time.now + NOTICED_WITHIN_MS);
  play.simulators.statusPage.faults.removeAll();
  await play.oracle.check();
  const stillHeld = new Set(
    (play.oracle.lastSnapshot?.holds ?? []).filter(({ state }) => state !== 'ended').map(({ id }) => id),
  );
  for (const { id, campaign_id: campaign } of held)
    if (!stillHeld.has(id)) play.oracle.report(`${campaign} is no longer held after an hour of UNKNOWN`);
  const mails = [...play.inbox].filter(([id]) => !sentBefore.has(id)).map(([, mail]) => mail);
  const holders = new Set(held.map((hold) => hold.user_id));
  for (const { id, email } of play.oracle.lastSnapshot?.users ?? []) {
    const own = mails.filter(({ to, subject }) => to === email && subject.startsWith('Still paused'));
    if (email !== null && own.length !== (holders.has(id) ? 1 : 0))
      play.oracle.report(`${email} has ${own.length} emails about an hour of UNKNOWN`);
  }
}

/** The oracle's resume time, which must match the levels that the page returned. */
function dueOf({ oracle }: Play, { user_id: userId }: HoldRow): number {
  const user = oracle.lastSnapshot?.users.find(({ id }) => id === userId);
  const due = user === undefined ? null : oracle.matches.resumeAt(user);
  const endedAt = oracle.matches.endedAt(userId);
  const lag = endedAt - oracle.observations.changedAt;
  if (!(lag >= 0 && lag <= RECORDED_WITHIN_MS))
    oracle.report(`the outage ended ${lag} ms after the page said so`);
  if (due === null) oracle.report(`nothing is due for user ${userId} after an undisturbed outage`);
  return due ?? NaN;
}

/** Counts the reconciler's writes to each campaign from now on. */
function countWrites(play: Play): () => Map<string, string[]> {
  const { writes } = play.simulators.graph.state;
  const begin = writes.length;
  return () => {
    const counts = new Map<string, string[]>(play.fixture.campaigns.map(({ id }) => [id, []]));
    for (const { campaign, status } of writes.slice(begin)) counts.get(campaign)?.push(status);
    return counts;
  };
}

/** So that the product has read their ad accounts and subscriptions. */
async function openTheirPages(play: Play): Promise<void> {
  for (const user of play.users) {
    await play.until(user.call(play.process(), 'refreshSubscription'));
    const accounts = await play.until(user.call(play.process(), 'adAccounts'));
    if (!accounts.ok) continue;
    for (const adAccountId of user.who.accounts)
      await play.until(user.call(play.process(), 'campaigns', { params: { adAccountId } }));
  }
  for (const name of JOB_NAMES) await play.until(play.process().runTask(name));
  await play.runUntil(play.time.now + NOTICED_WITHIN_MS);
}

/** Active now, with SmartPause on for a paying user who is set up and whose threshold is met. */
async function expectedPauses(play: Play, level: Level): Promise<Set<string>> {
  await play.oracle.check();
  const { users = [], smart_pause: settings = [] } = play.oracle.lastSnapshot ?? {};
  const expected = new Set<string>();
  for (const row of users) {
    const user = play.users.find(({ who }) => who.userId === row.platform_user_id);
    if (user === undefined || !mayHold(play, row) || !meets(level, row.threshold)) continue;
    for (const { id, accountId } of play.fixture.campaigns) {
      const isOn = settings.some(
        (one) => one.user_id === row.id && one.campaign_id === id && one.setting === 'ON',
      );
      const isRunning = play.simulators.graph.state.campaigns.get(id)?.status === 'ACTIVE';
      if (isOn && isRunning && isDelivered(play, id) && user.who.accounts.includes(accountId))
        expected.add(id);
    }
  }
  return expected;
}

/** The dates of the campaign allow it. */
function isDelivered(play: Play, id: string): boolean {
  const { start_time: start, stop_time: stop } = play.simulators.graph.state.campaigns.get(id) ?? {};
  const at = (text: string | null | undefined, none: number) => Date.parse(text ?? '') || none;
  return at(start, 0) <= play.time.now && at(stop, Infinity) > play.time.now;
}

function mayHold(play: Play, { platform_user_id, initialized_at, leaving }: UserRow): boolean {
  const { customers, subscriptions } = play.simulators.stripe.account;
  const name = play.users.find(({ who }) => who.userId === platform_user_id)?.who.name;
  const isPaying = [...subscriptions.values()].some(
    ({ customer, status }) =>
      customers.get(customer)?.name === name && (status === 'active' || status === 'trialing'),
  );
  return isPaying && initialized_at !== null && leaving === null;
}

function iso(at: number): string {
  return Number.isNaN(at) ? 'never' : new Date(at).toISOString();
}
