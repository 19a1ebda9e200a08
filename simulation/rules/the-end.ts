import type { Happenings } from '../happenings.ts';
import type { Play } from '../play.ts';
import { APP, STRIPE } from '../outside.ts';
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
  await allIsTold(play);
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

interface Told {
  hold_id: string;
  person_id: string | null;
  campaign_id: string;
  event: string;
  count: string;
  mail_id: string | null;
  reason: string | null;
}

/** Told as what nobody can find out any more; without a hold when it is a person's own act. */
interface Unknown {
  hold_id: string | null;
  campaign_id: string;
  at: Date;
  mail_id: string | null;
}

async function allIsTold(play: Play): Promise<void> {
  const { database } = play.stage;
  const told = await database.look<Told>(
    `select hold_id::text, max(person_id)::text as person_id, campaign_id, event, count(*)::text as count, max(mail_id)::text as mail_id, max(reason) as reason
     from activity where hold_id is not null group by hold_id, campaign_id, event`,
  );
  const takenOver = await database.look<{ person_id: string; campaign_id: string }>(
    `select person_id::text, campaign_id from activity where event = 'taken_over'`,
  );
  // Where nobody could find out any more whether a write was carried out, that is what is told.
  const unknown = await database.look<Unknown>(
    `select hold_id::text, campaign_id, at, mail_id::text from activity where message like '%did not say whether%'`,
  );
  play.unknowns = unknown.length;
  const people = play.oracle.lastSnapshot?.people ?? [];
  for (const one of told) {
    if (one.count !== '1')
      play.oracle.say(`${one.event} of hold ${one.hold_id} is in the journal ${one.count} times`);
  }
  for (const hold of play.oracle.lastSnapshot?.holds ?? []) {
    const events = told.filter((one) => one.hold_id === String(hold.id)).map(({ event }) => event);
    // What came late and was taken back is told as one.
    const hasTold = (event: string): boolean => events.includes(event) || events.includes('taken_back');
    // Handed over by somebody whose journal is gone with them.
    const isHeir = takenOver.some(
      (one) => one.campaign_id === hold.campaign_id && one.person_id === String(hold.person_id),
    );
    const hasPaused = hasTold('paused') || isHeir;
    if (hold.paused_at !== null && !hasPaused)
      play.oracle.say(`the pause of hold ${hold.id} is not in the journal`);
    const isUnknown =
      hold.outcome === 'let_go' &&
      unknown.some(({ hold_id, campaign_id, at }) =>
        hold_id === null
          ? campaign_id === hold.campaign_id && at.getTime() === Date.parse(hold.resumed_at ?? '')
          : hold_id === String(hold.id),
      );
    const changes = isUnknown ? [] : (play.oracle.changes.get(hold.id) ?? []);
    const stays = people.some(({ id }) => id === hold.person_id);
    if (stays && changes.includes('PAUSED') && !hasPaused)
      play.oracle.say(`hold ${hold.id} paused ${hold.campaign_id}, and the journal does not say so`);
    if (stays && changes.at(-1) === 'ACTIVE' && !hasTold('resumed'))
      play.oracle.say(`hold ${hold.id} resumed ${hold.campaign_id}, and the journal does not say so`);
    const ends = events.filter((event) => !['paused', 'taken_back'].includes(event));
    const isOwn = ['smartpause_off', 'manual_pause'].includes(hold.reason ?? hold.given_up ?? '');
    if (hold.state === 'ended' && ends.length !== 1 && !isOwn)
      play.oracle.say(`the end of hold ${hold.id} is in the journal as ${ends.join(', ') || 'nothing'}`);
  }
  const mails = await database.look<{ id: string; kind: string; sent_at: Date | null; due_at: Date | null }>(
    'select id::text, kind, sent_at, due_at from mail',
  );
  const sent = [...play.inbox.keys()];
  for (const mail of mails) {
    const copies = sent.filter((id) => id.startsWith(`<smartpause.${mail.id}.`));
    if (mail.sent_at === null) play.oracle.say(`mail ${mail.id} (${mail.kind}) was never sent`);
    if (copies.length > 1) play.oracle.say(`mail ${mail.id} went out under ${copies.length} names`);
  }
  for (const { hold_id, campaign_id, mail_id } of unknown) {
    const [id] = sent.filter((one) => one.startsWith(`<smartpause.${mail_id ?? '-'}.`));
    const words = play.inbox.get(id ?? '')?.mail.text.replaceAll(/\s+/g, ' ');
    const leftAlone = words?.split('Left alone').at(1) ?? '';
    const name = play.cast.campaigns.find((one) => one.id === campaign_id)?.name ?? '?';
    // With a later act of the campaign in the same email, that is what the email tells.
    if (leftAlone.includes(name) && !leftAlone.includes('did not say whether'))
      play.oracle.say(`what nobody knows of hold ${hold_id ?? '?'} is not in its mail`);
  }
  for (const { hold_id, person_id, event, mail_id, campaign_id } of told) {
    if (!['paused', 'resumed', 'deactivated'].includes(event)) continue;
    const [id] = sent.filter((one) => one.startsWith(`<smartpause.${mail_id ?? '-'}.`));
    const mail = play.inbox.get(id ?? '')?.mail;
    const name = play.cast.campaigns.find((one) => one.id === campaign_id)?.name ?? '?';
    if (mail?.text.includes(name) !== true) play.oracle.say(`${event} of hold ${hold_id} is told in no mail`);
    const email = people.find((one) => String(one.id) === person_id)?.email;
    if (email !== undefined && mail !== undefined && mail.to !== email)
      play.oracle.say(`${event} of hold ${hold_id} is told to ${mail.to}, not to ${email ?? 'nobody'}`);
  }
}

async function secretsAreNowhere(play: Play): Promise<void> {
  const tokens = [...play.outside.graph.state.tokens.keys()];
  const sessions = play.people.flatMap(({ sessions: all }) => [...all]);
  const secrets = [
    ...tokens,
    ...sessions,
    APP.secret,
    STRIPE.key,
    STRIPE.webhookSecret,
    'canary-encryption-key',
  ];
  const mails = [...play.inbox.values()].map(({ mail }) => `${mail.subject} ${mail.text} ${mail.html}`);
  const rows = await play.stage.database.dump();
  const places = { log: play.log, addresses: play.network.addresses, mails, database: rows };
  for (const [place, lines] of Object.entries(places)) {
    const whole = lines.join('\n');
    if (secrets.some((secret) => whole.includes(secret))) play.oracle.say(`a secret stands in the ${place}`);
  }
}
