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
  const { oracle } = play;
  const { graph, statusPage, stripe } = play.simulators;
  // What Meta refuses for good ends the holds as well.
  for (const { id, match } of graph.faults.list()) if (match.campaign === undefined) graph.faults.remove(id);
  statusPage.faults.removeAll();
  stripe.faults.removeAll();
  play.clearFaults();
  play.note('all faults are removed');
  await clearOverride(play);
  await applier.apply({ what: 'status', level: 'UP', only: null });
  await play.runFor(10 * MINUTE);
  await restoreAccess(play);
  await clearOverride(play);
  for (let night = 0; night < 2; night += 1) {
    await play.runFor(10 * MINUTE);
    play.skipTo(play.time.now + 18 * HOUR);
  }
  await play.runFor(12 * MINUTE);
  await oracle.check();
  checkNoHolds(play);
  for (const [id, { undone }] of oracle.campaigns) {
    const status = graph.state.campaigns.get(id)?.status;
    // A manual pause or resume that was reported as failed need not stand.
    const name = undone === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
    if (undone !== null && status !== undone && !oracle.userRequests.wasDenied(name, id))
      oracle.report(`campaign ${id} is ${status ?? 'gone'}, and an external change had set ${undone}`);
  }
  graph.faults.removeAll();
  oracle.accessDoubted.clear();
  if (oracle.violations.length === 0) await checkUndisturbedOutage(play, applier);
  await play.runFor(12 * MINUTE);
  await oracle.check();
  checkNoHolds(play);
  for (const [id, { isOurs }] of oracle.campaigns)
    if (isOurs && graph.state.campaigns.get(id)?.status === 'PAUSED')
      oracle.report(`campaign ${id} stays paused, by us`);
  await checkLogAndMails(play);
  await checkSecrets(play);
}

async function restoreAccess(play: Play): Promise<void> {
  const known = new Set(play.oracle.lastSnapshot?.users.map((one) => one.platform_user_id));
  for (const user of play.users) {
    const { userId, accounts } = user.who;
    Object.assign(play.simulators.graph.state.users.get(userId) ?? {}, { accounts: [...accounts] });
    if (known.has(userId)) await play.until(user.logIn(play.process()));
  }
}

/** The admin who set the override may have left: then it is cleared without one. */
async function clearOverride(play: Play): Promise<void> {
  const [admin] = play.users;
  const request = admin?.call(play.process(), 'adminAction', { params: { action: 'clear' } });
  const answer = await play.until(request ?? Promise.resolve(null));
  if (answer?.ok === true) return;
  const { db, clock } = play.process().deps;
  await play.until(
    inTransaction(db, (tx) => recordStatus(tx, { directive: null }, clock.now(), { staleMs: STALE_MS })),
  );
}

function checkNoHolds({ oracle }: Play): void {
  for (const { id, campaign_id, state } of oracle.lastSnapshot?.holds ?? [])
    if (state !== 'ended') oracle.report(`hold ${id} on ${campaign_id} never ends: ${state}`);
}

async function checkLogAndMails(play: Play): Promise<void> {
  const { oracle, fixture, inbox, harness } = play;
  const { violations, activities } = await checkRecords({
    query: (sql) => harness.database.query(sql),
    changes: oracle.changes,
    received: [...inbox].map(([messageId, { to, text }]) => ({ messageId, to, text })),
    campaigns: fixture.campaigns,
  });
  play.facts.unknowns = activities.filter(({ is_unknown }) => is_unknown).length;
  oracle.report(...violations);
}

async function checkSecrets(play: Play): Promise<void> {
  const { simulators, users, inbox, log, network, harness, oracle } = play;
  const sessions = users.flatMap((user) => user.sessions);
  const keys = [APP.secret, STRIPE.key, STRIPE.webhookSecret, ENCRYPTION_KEY];
  const secrets = [...simulators.graph.state.tokens.keys(), ...sessions, ...keys];
  const mails = [...inbox.values()].map(({ subject, text, html }) => `${subject} ${text} ${html}`);
  const places = { log, mails, addresses: network.addresses, database: await harness.database.dump() };
  for (const [place, lines] of Object.entries(places))
    for (const secret of secretsIn(lines.join('\n'), secrets))
      oracle.report(`${secret} stands in the ${place}`);
}
