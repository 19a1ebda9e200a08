import { inTransaction } from '../../src/server/db/database.ts';
import { recordStatus } from '../../src/server/db/status/status.ts';
import { checkRecords } from '../invariants/records.ts';
import { secretsIn } from '../invariants/secrets.ts';
import type { EventApplier } from './history/apply-event.ts';
import type { Play } from './play.ts';
import { checkUndisturbedOutage } from './undisturbed-outage.ts';
import { ENCRYPTION_KEY, STALE_MS } from './world/process.ts';
import { APP, STRIPE } from './world/simulators.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Removes all faults, lets days pass, then checks that every hold has ended and every record is complete. */
export async function checkFinalState(play: Play, applier: EventApplier): Promise<void> {
  const { oracle, simulators } = play;
  // What Meta refuses for good ends the holds as well.
  const { faults: ofGraph } = simulators.graph;
  for (const { id, match } of ofGraph.list()) if (match.campaign === undefined) ofGraph.remove(id);
  for (const { faults } of [simulators.statusPage, simulators.stripe]) faults.removeAll();
  play.clearFaults();
  play.note('all faults are removed');
  await clearOverride(play);
  await applier.apply({ what: 'status', level: 'UP', only: null });
  await play.runUntil(play.time.now + 10 * MINUTE);
  await restoreAccess(play);
  await clearOverride(play);
  for (let night = 0; night < 2; night += 1) {
    await play.runUntil(play.time.now + 10 * MINUTE);
    play.skipTo(play.time.now + 18 * HOUR);
  }
  await play.runUntil(play.time.now + 12 * MINUTE);
  await oracle.check();
  checkNoHolds(play);
  checkExternalChangesStand(play);
  ofGraph.removeAll();
  oracle.accessDoubted.clear();
  if (oracle.violations.length === 0) await checkUndisturbedOutage(play, applier);
  await play.runUntil(play.time.now + 12 * MINUTE);
  await oracle.check();
  checkNoHolds(play);
  for (const [id, { isOurs }] of oracle.campaigns)
    if (isOurs && statusOf(play, id) === 'PAUSED') oracle.report(`campaign ${id} stays paused, by us`);
  await checkLogAndMails(play);
  await checkSecrets(play);
}

async function restoreAccess(play: Play): Promise<void> {
  const known = new Set(play.oracle.lastSnapshot?.users.map((one) => one.platform_user_id));
  for (const user of play.users) {
    const onMeta = play.simulators.graph.state.users.get(user.who.userId);
    if (onMeta !== undefined) onMeta.accounts = [...user.who.accounts];
    if (known.has(user.who.userId)) await play.until(user.logIn(play.process()));
  }
}

/** The admin who set the override may have left: another admin clears it. */
async function clearOverride(play: Play): Promise<void> {
  const [admin] = play.users;
  const answer = await play.until(
    admin?.call(play.process(), 'adminAction', { params: { action: 'clear' } }) ?? Promise.resolve(null),
  );
  if (answer?.ok === true) return;
  const { db, clock } = play.process().deps;
  await play.until(
    inTransaction(db, (tx) => recordStatus(tx, { directive: null }, clock.now(), { staleMs: STALE_MS })),
  );
}

function statusOf(play: Play, campaign: string): string | undefined {
  return play.simulators.graph.state.campaigns.get(campaign)?.status;
}

function checkNoHolds({ oracle }: Play): void {
  for (const { id, campaign_id, state } of oracle.lastSnapshot?.holds ?? [])
    if (state !== 'ended') oracle.report(`hold ${id} on ${campaign_id} never ends: ${state}`);
}

function checkExternalChangesStand(play: Play): void {
  for (const [id, { undone }] of play.oracle.campaigns) {
    const status = statusOf(play, id);
    // A manual pause or resume that was reported as failed need not stand.
    const name = undone === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
    if (undone !== null && status !== undone && !play.oracle.userRequests.wasDenied(name, id))
      play.oracle.report(`campaign ${id} is ${status ?? 'gone'}, and an external change had set ${undone}`);
  }
}

async function checkLogAndMails(play: Play): Promise<void> {
  const { oracle, fixture, inbox, harness } = play;
  const { violations, activities } = await checkRecords({
    query: <R>(sql: string): Promise<R[]> => harness.database.query<R>(sql),
    changes: oracle.changes,
    received: [...inbox].map(([messageId, { to, text }]) => ({ messageId, to, text })),
    campaigns: fixture.campaigns,
    accountNameOf: (account) => `Account ${account}`,
  });
  play.unknowns = activities.filter(({ is_unknown }) => is_unknown).length;
  for (const violation of violations) oracle.report(violation);
}

async function checkSecrets({
  simulators,
  users,
  inbox,
  log,
  network,
  harness,
  oracle,
}: Play): Promise<void> {
  const sessions = users.flatMap(({ sessions: all }) => [...all]);
  const keys = [APP.secret, STRIPE.key, STRIPE.webhookSecret, ENCRYPTION_KEY];
  const secrets = [...simulators.graph.state.tokens.keys(), ...sessions, ...keys];
  const mails = [...inbox.values()].map(({ subject, text, html }) => `${subject} ${text} ${html}`);
  const places = { log, mails, addresses: network.addresses, database: await harness.database.dump() };
  for (const [place, lines] of Object.entries(places))
    for (const secret of secretsIn(lines.join('\n'), secrets))
      oracle.report(`${secret} stands in the ${place}`);
}
