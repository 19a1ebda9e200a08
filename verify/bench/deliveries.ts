import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { request } from 'undici';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { silent } from '../../scripts/command.ts';
import { printFigures } from '../../scripts/figures.ts';
import { startProgram } from '../../scripts/programs/program.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import { NODE_OPTIONS_OF_OURS, ROOT } from '../../scripts/run.ts';
import { systemClock } from '../../src/server/clock.ts';
import { createDb } from '../../src/server/db/database.ts';
import { addDestination } from '../../src/server/db/destinations.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/all.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { createChannels } from '../../src/server/notifications/channels/channels.ts';
import { MAIL_CONNECTIONS, createMailer } from '../../src/server/notifications/channels/email.ts';
import { newWebhookSecret } from '../../src/server/notifications/channels/webhook.ts';
import { startOutboxWorker } from '../../src/server/notifications/outbox-worker.ts';
import { render } from '../../src/server/notifications/render.ts';
import { testMessage } from '../../src/server/notifications/templates/test-message.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { plantRows } from '../../test/support/population.ts';
import { OwnPostgres } from '../../test/support/postgres.ts';

/** Of the receivers: what a mail server and an endpoint on the internet take at least. */
const EMAIL_MS = 150;
const WEBHOOK_MS = 200;
const PREPARING_MS = 600_000;
const WAIT_MS = 900_000;
/** The bare calls are a sample. */
const SAMPLE = 10;

const sizes = readArguments(
  {
    usage: `npm run bench:deliveries [-- --emails N --webhooks N]

Writes and sends the emails and webhooks of one outage, by default 20,000 and 10,000, beside the bare calls. Ends with 1 when a limit is exceeded.`,
    names: ['emails', 'webhooks'],
  },
  ({ values }) => ({
    emails: whole('emails', values.emails ?? '20000', 1, 100_000),
    webhooks: whole('webhooks', values.webhooks ?? '10000', 0, 100_000),
  }),
);
await using closing = new AsyncDisposableStack();
const receivers = await startReceivers();
const { url } = closing.use(await OwnPostgres.start({}));
const database = await openDatabase({ url, log: silent });
closing.defer(() => database.close());
const preparing = await openDatabase({ url, log: silent, statementTimeoutMs: PREPARING_MS });
await migrate(preparing, migrations);
const cipher = createTokenCipher([randomBytes(32).toString('base64')]);
const publicUrl = 'https://smartpause.example';
const host = `127.0.0.1:${receivers.ports.http}`;
const smtpUrl = `smtp://127.0.0.1:${receivers.ports.smtp}`;
const mailer = createMailer({ smtpUrl, from: 'a@example.com' });
const channels = createChannels({ mailer, mailDomain: 'example.com', allowed: [host] });
const target = { address: `http://${host}/`, secrets: [newWebhookSecret()], olderUntil: null };

const sample = { emails: Math.ceil(sizes.emails / SAMPLE), webhooks: Math.ceil(sizes.webhooks / SAMPLE) };
const sampled = await measure(sample, () => sendBare(sample));
const bare = { tookMs: sampled.tookMs * SAMPLE, usedMs: sampled.usedMs * SAMPLE };
await plant();
await preparing.close();
let writtenMs = 0;
const product = await measure(sizes, async (startedAt) => {
  const worker = startOutboxWorker({
    ...{ db: createDb(database.notificationsPool), cipher, clock: systemClock },
    ...{ log: { ...silent, debug: () => undefined }, publicUrl, channels, isStepped: false },
  });
  worker.wake();
  await waitFor('all to be written', allIsWritten, WAIT_MS);
  writtenMs = performance.now() - startedAt;
  await waitFor('all to be sent', async () => (await countOpen()) === 0 || sleep(200, false), WAIT_MS);
  await worker.close();
});
mailer.close?.();
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const all = sizes.emails + sizes.webhooks;
const each = (ms: number): string => `${(ms / all).toFixed(2)} ms`;
const isWithin = printFigures([
  {
    ...{ what: `${sizes.emails} emails and ${sizes.webhooks} webhooks`, measured: seconds(product.tookMs) },
    ...{ yardstick: `bare ${seconds(bare.tookMs)}`, ratio: product.tookMs / bare.tookMs, atMost: 1.5 },
  },
  {
    ...{ what: 'processor time of a delivery', measured: each(product.usedMs) },
    ...{ yardstick: `bare ${each(bare.usedMs)}`, ratio: product.usedMs / bare.usedMs },
  },
  {
    ...{ what: 'written', measured: seconds(writtenMs) },
    ...{ yardstick: `sent ${seconds(product.tookMs)}`, ratio: writtenMs / product.tookMs },
  },
]);
if (!isWithin) process.exitCode = 1;

async function startReceivers() {
  const args = [join(ROOT, 'verify/bench/receivers.ts'), String(EMAIL_MS), String(WEBHOOK_MS)];
  const { child, output } = startProgram([...NODE_OPTIONS_OF_OURS, ...args], { cwd: ROOT, env: process.env });
  closing.defer(() => void child.kill());
  await waitFor('the receivers', () => output.out.includes('\n'));
  const ports = JSON.parse(output.out) as { smtp: number; http: number };
  type Counted = Record<'emails' | 'webhooks' | 'lastAt', number>;
  const count = async () => (await (await fetch(`http://127.0.0.1:${ports.http}`)).json()) as Counted;
  return { ports, count };
}

/** Until the last message has arrived; every one must have. */
async function measure(expected: typeof sizes, send: (startedAt: number) => Promise<void>) {
  const before = await receivers.count();
  const [startedAt, usedBefore, began] = [Date.now(), process.cpuUsage(), performance.now()];
  await send(began);
  const { user, system } = process.cpuUsage(usedBefore);
  const { lastAt, ...after } = await receivers.count();
  for (const kind of ['emails', 'webhooks'] as const)
    if (after[kind] - before[kind] !== expected[kind]) throw new Error(`${after[kind]} ${kind} arrived`);
  return { tookMs: lastAt - startedAt, usedMs: (user + system) / 1000 };
}

/** The libraries alone, with as many ready texts at a time: no code of ours renders, signs, checks or stores. */
async function sendBare({ emails, webhooks }: typeof sizes): Promise<void> {
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: MAIL_CONNECTIONS });
  const [from, to] = ['a@example.com', 'maya@example.com'];
  const email = { from, to, ...render(testMessage(publicUrl, Date.now()), publicUrl) };
  const body = JSON.stringify({ text: email.text });
  const headers = { 'content-type': 'application/json' };
  const post = async () => {
    const answer = await request(target.address, { method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`HTTP ${answer.statusCode}`);
  };
  const repeat = async (count: number, atOnce: number, one: () => Promise<void>) => {
    let left = count;
    const loop = async () => {
      while (left-- > 0) await one();
    };
    await Promise.all(Array.from({ length: atOnce }, loop));
  };
  await Promise.all([
    repeat(emails, MAIL_CONNECTIONS, async () => void (await transport.sendMail(email))),
    repeat(webhooks, channels.webhook?.atOnce ?? 1, post),
  ]);
  transport.close();
}

/** A user for each email, whose only campaign SmartPause has just paused; the first ones have a webhook. */
async function plant(): Promise<void> {
  const db = createDb(preparing.pool);
  const now = new Date();
  const users = Math.max(sizes.emails, sizes.webhooks);
  await plantRows(db, { users, accountsEach: 1, campaignsEach: 1 }, now);
  if (users > sizes.emails) await sql`update users set email = null where id > ${sizes.emails}`.execute(db);
  const hook = { kind: 'webhook', name: 'Ours', target, events: ['paused'], verifiedAt: null } as const;
  for (let user = 1; user <= sizes.webhooks; user += 1)
    await addDestination(db, cipher, { userId: String(user), ...hook }, now.getTime());
  const level = { level: 'HIGH_DISRUPTION', at: now.getTime() - 60_000 };
  await sql`insert into outages (started_at, peak, levels) values (now() - interval '1 minute', 'HIGH_DISRUPTION',
    ${JSON.stringify([level])}::text::jsonb)`.execute(db);
  await sql`update platform_status set true_level = 'HIGH_DISRUPTION', effective_level = 'HIGH_DISRUPTION',
    known_level = 'HIGH_DISRUPTION', since = now(), checked_at = now()`.execute(db);
  await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, paused_at)
    select user_id, account_id, campaign_id, 'paused', 'MEDIUM', 'HIGH_DISRUPTION', now(), now(), now()
    from smartpause_settings`.execute(db);
  await sql`update campaigns set status = 'PAUSED'`.execute(db);
  const facts = { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM', isOverride: false, wasTest: false };
  await sql`insert into activities (user_id, actor, message, created_at, account_id, campaigns, event, facts, pending_notification)
    select user_id, 'smartpause', 'Paused', now() - interval '1 minute', account_id,
      jsonb_build_object(campaign_id, jsonb_build_object('name', 'Campaign', 'holdId', id::text)), 'paused',
      ${JSON.stringify(facts)}::text::jsonb, 'paused' from holds`.execute(db);
  await sql`analyze`.execute(db);
}

async function allIsWritten(): Promise<boolean> {
  const pending = 'select 1 from activities where pending_notification is not null limit 1';
  return (await database.pool.query(pending)).rowCount === 0 || sleep(200, false);
}

async function countOpen(): Promise<number> {
  const open = 'select count(*)::int as count from deliveries where due_at is not null';
  return (await database.pool.query<{ count: number }>(open)).rows[0]?.count ?? 0;
}
