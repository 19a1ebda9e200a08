import { THRESHOLDS } from '../../src/core/smartpause/level.ts';
import { type HoldRow, type Snapshot, isOnIn, meets } from '../invariants/snapshot.ts';
import { type Level, applyEvent } from './history/events.ts';
import type { Play } from './play.ts';
import { JOB_NAMES, STALE_MS } from './world/process.ts';

const MINUTE = 60_000;
/** From a change on the page to its status observation, with all consequences. */
const NOTICED_WITHIN_MS = 6 * MINUTE;
/** From the due time of an action to its completion. */
const DONE_WITHIN_MS = MINUTE;

/** An outage without faults: the specification determines what is paused and resumed, and when. */
export async function checkUndisturbedOutage(play: Play): Promise<void> {
  const { oracle } = play;
  play.note('an undisturbed outage');
  for (const { lifetime } of play.processes) lifetime.end();
  await openTheirPages(play);
  const level = play.random
    .for('undisturbed outage')
    .pick(['LOW_DISRUPTION', 'MEDIUM_DISRUPTION', 'HIGH_DISRUPTION'] as const);
  const expected = await expectedPauses(play, level);
  const written = watchWrites(play);
  applyEvent(play, { what: 'status', level, only: null });
  await play.runFor(NOTICED_WITHIN_MS);
  for (const { id } of play.fixture.campaigns) {
    const wanted = expected.includes(id) ? 'PAUSED' : '';
    if (written(id) !== wanted)
      oracle.report(`in an undisturbed ${level} ${id} is to be '${wanted}', but: '${written(id)}'`);
  }
  if (oracle.violations.length === 0) await checkExternalChange(play, expected);
  if (oracle.violations.length === 0) await checkResumes(play);
}

/** A campaign is resumed outside: the hold is released, SmartPause is off for all users, and writes when it is on again. */
async function checkExternalChange(play: Play, paused: string[]): Promise<void> {
  const random = play.random.for('undisturbed manual change');
  const { smartpause_settings: before } = await snapshotOf(play);
  const isShared = (id: string): boolean =>
    before.filter((one) => one.campaign_id === id && one.setting === 'ON').length > 1;
  const shared = paused.filter(isShared);
  if (paused.length === 0 || (shared.length === 0 && random.chance(0.5))) return;
  const id = random.pick(shared.length > 0 ? shared : paused);
  const campaign = play.fixture.campaigns.findIndex((one) => one.id === id);
  applyEvent(play, { what: 'external change', campaign, status: 'ACTIVE' });
  const written = watchWrites(play);
  await play.runFor(NOTICED_WITHIN_MS);
  const { holds, smartpause_settings: settings } = await snapshotOf(play);
  const isHeld = holds.some((hold) => hold.campaign_id === id && hold.state !== 'ended');
  const isOn = settings.some((one) => one.campaign_id === id && one.setting === 'ON');
  if (isHeld || isOn || written(id) !== '')
    play.oracle.report(`${id} was resumed outside, and is held, on, or written again`);
  const owner = play.oracle.lastSnapshot?.users.find(
    (user) => user.id === holds.findLast((hold) => hold.campaign_id === id)?.user_id,
  );
  const user = play.users.findIndex(({ who }) => who.userId === owner?.platform_user_id);
  applyEvent(play, { what: 'toggle', user, campaign, enabled: true });
  await play.runFor(NOTICED_WITHIN_MS);
  if (written(id) !== 'PAUSED')
    play.oracle.report(`${id} is on again, and was to be paused, but: '${written(id)}'`);
}

/** Each campaign is resumed once, when it is due; UNKNOWN neither ends the match nor delays the resume. */
async function checkResumes(play: Play): Promise<void> {
  const { graph, statusPage } = play.simulators;
  const random = play.random.for('undisturbed unknown');
  const held = (await snapshotOf(play)).holds.filter(({ state }) => state !== 'ended');
  const written = watchWrites(play);
  if (random.chance(0.5)) await checkUnknownMatch(play, held);
  applyEvent(play, { what: 'status', level: 'UP', only: null });
  await play.runFor(NOTICED_WITHIN_MS);
  await editThresholds(play, held);
  if (random.chance(0.5)) breakPage(play);
  const dues = held.map((hold) => ({ id: hold.campaign_id, due: dueOf(play, hold) }));
  for (const { due } of dues.toSorted((a, b) => a.due - b.due)) {
    // The status has to be known again by then.
    if (due - play.time.now > 3 * NOTICED_WITHIN_MS) play.skipTo(due - 2 * NOTICED_WITHIN_MS);
    await play.runUntil(due + DONE_WITHIN_MS);
  }
  statusPage.faults.removeAll();
  for (const { id, due } of dues) {
    const { at = '' } = graph.state.writes.findLast(({ campaign }) => campaign === id) ?? {};
    const lateMs = Date.parse(at) - due;
    if (written(id) === 'ACTIVE' && lateMs >= 0 && lateMs <= DONE_WITHIN_MS) continue;
    const wanted = new Date(due || 0).toISOString();
    play.oracle.report(`${id} is to be resumed at ${wanted}: ${written(id) || 'nothing'}, the last at ${at}`);
  }
}

/** An edit of the threshold while a resume is scheduled leaves its time as it is. */
async function editThresholds(play: Play, held: readonly HoldRow[]): Promise<void> {
  const random = play.random.for('undisturbed threshold');
  const { users } = await snapshotOf(play);
  for (const { id, platform_user_id: userId, resume_settings: resumeSettings } of users) {
    const user = play.users.find(({ who }) => who.userId === userId);
    if (user === undefined || !held.some((hold) => hold.user_id === id) || random.chance(0.5)) continue;
    const body = { resumeSettings, outageThreshold: random.pick(THRESHOLDS), email: user.who.email };
    await play.until(user.call(play.process(), 'saveSettings', { body }));
  }
}

function breakPage(play: Play): void {
  applyEvent(play, { what: 'page breaks', kind: 'html', only: null, times: 0 });
}

/** UNKNOWN ends no match, and after an hour of it each user whose campaigns stay paused has one email. */
async function checkUnknownMatch(play: Play, held: readonly HoldRow[]): Promise<void> {
  const { oracle, inbox } = play;
  const sentBefore = new Set(inbox.keys());
  breakPage(play);
  await play.runFor(STALE_MS + NOTICED_WITHIN_MS);
  play.skipTo(play.time.now + 60 * MINUTE);
  await play.runFor(NOTICED_WITHIN_MS);
  await play.until(play.process().runTask('long unknown'));
  await play.runFor(NOTICED_WITHIN_MS);
  play.simulators.statusPage.faults.removeAll();
  const { holds, users } = await snapshotOf(play);
  for (const { id, campaign_id: campaign } of held)
    if (holds.some((one) => one.id === id && one.state === 'ended'))
      oracle.report(`${campaign} is no longer held after an hour of UNKNOWN`);
  const mails = [...inbox].filter(([id]) => !sentBefore.has(id)).map(([, mail]) => mail);
  for (const { id, email } of users) {
    const own = mails.filter(({ to, subject }) => to === email && subject.startsWith('Still paused'));
    if (email !== null && own.length !== (held.some((hold) => hold.user_id === id) ? 1 : 0))
      oracle.report(`${email} has ${own.length} emails about an hour of UNKNOWN`);
  }
}

function dueOf({ oracle }: Play, { user_id: userId, threshold }: HoldRow): number {
  const user = oracle.lastSnapshot?.users.find(({ id }) => id === userId);
  const due = user === undefined ? null : oracle.matches.resumeAt(user, threshold);
  if (due === null) oracle.report(`nothing is due for user ${userId} after an undisturbed outage`);
  return due ?? NaN;
}

/** @returns the statuses written to a campaign from now on */
function watchWrites(play: Play): (campaign: string) => string {
  const { writes } = play.simulators.graph.state;
  const begin = writes.length;
  return (id) => {
    const own = writes.slice(begin).filter(({ campaign }) => campaign === id);
    return own.map(({ status }) => status).join();
  };
}

async function snapshotOf({ oracle }: Play): Promise<Snapshot> {
  await oracle.check();
  if (oracle.lastSnapshot === null) throw new Error('nothing was checked');
  return oracle.lastSnapshot;
}

/** So that the product has read their ad accounts and subscriptions. */
async function openTheirPages(play: Play): Promise<void> {
  const process = play.process();
  for (const user of play.users) {
    await play.until(user.call(process, 'refreshSubscription'));
    const accounts = await play.until(user.call(process, 'adAccounts'));
    for (const adAccountId of accounts.ok ? user.who.accounts : [])
      await play.until(user.call(process, 'campaigns', { params: { adAccountId } }));
  }
  for (const name of JOB_NAMES) await play.until(process.runTask(name));
  await play.runFor(NOTICED_WITHIN_MS);
}

/** Delivered now, with SmartPause on for a paying user who is set up and whose threshold is met. */
async function expectedPauses(play: Play, level: Level): Promise<string[]> {
  const snapshot = await snapshotOf(play);
  const { graph, stripe } = play.simulators;
  const { customers, subscriptions } = stripe.account;
  const paying = [...subscriptions.values()]
    .filter(({ status }) => status === 'active' || status === 'trialing')
    .map(({ customer }) => customers.get(customer)?.name);
  const isDelivered = (id: string): boolean => {
    const { status, start_time: start, stop_time: stop } = graph.state.campaigns.get(id) ?? {};
    const hasBegun = !(Date.parse(start ?? '') > play.time.now);
    return status === 'ACTIVE' && hasBegun && !(Date.parse(stop ?? '') <= play.time.now);
  };
  return play.fixture.campaigns
    .map(({ id, accountId }) => ({ id, accountId }))
    .filter(({ id, accountId }) =>
      snapshot.users.some(({ id: user_id, platform_user_id, threshold, initialized_at, leaving }) => {
        const who = play.users.find((one) => one.who.userId === platform_user_id)?.who;
        const mayHold = initialized_at !== null && leaving === null && paying.includes(who?.name);
        const isOn = isOnIn(snapshot, { campaign_id: id, user_id });
        return (
          mayHold && isOn && meets(level, threshold) && who?.accounts.includes(accountId) && isDelivered(id)
        );
      }),
    )
    .map(({ id }) => id);
}
