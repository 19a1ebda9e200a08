import type { Happenings } from './happenings.ts';
import type { Play } from './play.ts';
import { APP, STRIPE } from './outside.ts';
import { judgeActivityLog, readActivityLog } from '../invariants/activity-log.ts';
import { judgeMailbox, readOutbox } from '../invariants/mailbox.ts';
import { secretsIn } from '../invariants/secrets.ts';
import { judgeCalmOutage } from './calm-outage.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** All is well again for days: what we began must have come to its end, and been told. */
export async function judgeTheEnd(play: Play, happenings: Happenings): Promise<void> {
  const { graph, statusPage, stripe } = play.outside;
  graph.faults.removeAll();
  statusPage.faults.removeAll();
  stripe.faults.removeAll();
  play.calmDown();
  play.note('all is well again');
  await clearDirective(play);
  await happenings.happen({ what: 'status', level: 'UP', only: null });
  await play.runUntil(play.time.now + 10 * MINUTE);
  const known = new Set(play.oracle.lastSnapshot?.people.map((one) => one.platform_user_id));
  for (const person of play.people) {
    const user = graph.state.users.get(person.who.userId);
    if (user !== undefined) user.accounts = [...person.who.accounts];
    if (known.has(person.who.userId)) await play.until(person.logIn(play.process()));
  }
  await clearDirective(play);
  for (let night = 0; night < 2; night += 1) {
    await play.runUntil(play.time.now + 10 * MINUTE);
    play.leapTo(play.time.now + 18 * HOUR);
  }
  await play.runUntil(play.time.now + 12 * MINUTE);
  await play.oracle.look();
  nothingIsHeld(play);
  noHandIsUndone(play);
  play.oracle.shaken.clear();
  if (play.oracle.violations.length === 0) await judgeCalmOutage(play, happenings);
  await play.runUntil(play.time.now + 12 * MINUTE);
  await play.oracle.look();
  nothingIsHeld(play);
  nobodyIsStranded(play);
  await judgeRecords(play);
  await secretsAreNowhere(play);
}

/** Whoever had set it may have left: then another administrator does it. */
async function clearDirective(play: Play): Promise<void> {
  const [admin] = play.people;
  const answer = await play.until(
    admin?.call(play.process(), 'adminAction', { params: { action: 'clear' } }) ?? Promise.resolve(null),
  );
  if (answer?.ok === true) return;
  await play.until(play.process().clearDirective());
}

function nothingIsHeld(play: Play): void {
  for (const hold of play.oracle.lastSnapshot?.holds ?? []) {
    if (hold.state !== 'ended')
      play.oracle.say(`hold ${hold.id} on ${hold.campaign_id} never ends: ${hold.state}`);
  }
}

function noHandIsUndone(play: Play): void {
  for (const [id, { undone }] of play.oracle.campaigns) {
    const status = play.outside.graph.state.campaigns.get(id)?.status;
    // What somebody was told to have failed is no hand of theirs.
    const name = undone === 'PAUSED' ? 'pauseCampaign' : 'resumeCampaign';
    if (undone !== null && status !== undone && !play.oracle.wishes.wasDenied(name, id))
      play.oracle.say(`campaign ${id} is ${status ?? 'gone'}, and a hand had set ${undone}`);
  }
}

function nobodyIsStranded(play: Play): void {
  for (const [id, { isOurs }] of play.oracle.campaigns) {
    const status = play.outside.graph.state.campaigns.get(id)?.status;
    if (isOurs && status === 'PAUSED') play.oracle.say(`campaign ${id} stays paused, by us`);
  }
}

/** The records after the end: the activity log against the holds and Meta's write log, the mailbox against the log. */
async function judgeRecords(play: Play): Promise<void> {
  const { oracle, cast, inbox, stage } = play;
  const look = <R>(sql: string): Promise<R[]> => stage.database.look<R>(sql);
  const activities = await readActivityLog(look);
  play.unknowns = activities.filter(({ is_unknown }) => is_unknown).length;
  const { people = [], holds = [] } = oracle.lastSnapshot ?? {};
  const users = new Set(people.map(({ id }) => id));
  const wrong = [
    ...judgeActivityLog({ activities, holds, changes: oracle.changes, users }),
    ...judgeMailbox({
      activities,
      holds,
      people,
      outbox: await readOutbox(look),
      received: [...inbox].map(([messageId, { mail }]) => ({ messageId, to: mail.to, text: mail.text })),
      nameOf: (campaign) => cast.campaigns.find(({ id }) => id === campaign)?.name ?? '?',
      accountNameOf: (account) => `Account ${account}`,
    }),
  ];
  for (const violation of wrong) oracle.say(violation);
}

async function secretsAreNowhere(play: Play): Promise<void> {
  const { outside, people, inbox, log, network, stage, oracle } = play;
  const sessions = people.flatMap(({ sessions: all }) => [...all]);
  const keys = [APP.secret, STRIPE.key, STRIPE.webhookSecret, 'canary-encryption-key'];
  const secrets = [...outside.graph.state.tokens.keys(), ...sessions, ...keys];
  const mails = [...inbox.values()].map(({ mail }) => `${mail.subject} ${mail.text} ${mail.html}`);
  const places = { log, mails, addresses: network.addresses, database: await stage.database.dump() };
  for (const [place, lines] of Object.entries(places))
    for (const secret of secretsIn(lines.join('\n'), secrets)) oracle.say(`${secret} stands in the ${place}`);
}
