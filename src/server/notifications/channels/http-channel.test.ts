import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/programs/wait-for.ts';
import { ControlClient } from '../../../../scripts/simulator-clients/control-client.ts';
import type { Received } from '../../../../simulators/channels/server.ts';
import { startChannels } from '../../../../simulators/channels/server.ts';
import type { SimServer } from '../../../../simulators/kit/http.ts';
import { publicUrl } from '../../../../test/support/email-facts.ts';
import type { Message } from '../message.ts';
import type { HttpChannelKind } from './http-channels.ts';
import { createHttpChannels, parseTarget } from './http-channels.ts';
import { newWebhookSecret } from './webhook.ts';

const KEY = 'R0123456789abcdefABCDEF012345678';
const PATHS: Record<HttpChannelKind, string> = {
  slack: '/services/T000/B000/of-the-url',
  teams: '/workflows/1/triggers/manual/paths/invoke?sig=of-the-url',
  discord: '/api/webhooks/1/of-the-url',
  pagerduty: `/v2/enqueue ${KEY}`,
  webhook: '/hooks/of-the-url',
};
const ALL = Object.keys(PATHS) as HttpChannelKind[];
const SECRETS = [newWebhookSecret(), newWebhookSecret()];
const MESSAGE: Message = {
  subject: 'SmartPause paused 2 campaigns',
  blocks: [
    { status: 'HIGH_DISRUPTION', since: 'Jan 8, 2026, 9:10 PM EST', text: 'Your threshold is medium.' },
    { list: 'Paused in Lind Outdoor (2 campaigns)', items: [['Sale <!channel>', '9:10 PM EST'], ['Shoes']] },
    { sentence: 'Press Resume now in SmartPause.', link: 'Resume now', address: publicUrl },
  ],
  ...{ events: ['paused'], outage: '12', occurredAt: Date.now() },
};

let server: SimServer;
let receiver: ControlClient;
const CONTEXT = { id: '7', notificationId: '5', destinationId: '3', writtenAt: 0 };
let channels: ReturnType<typeof createHttpChannels>;
let allowed: string[];

beforeAll(async () => {
  server = await startChannels();
  receiver = new ControlClient(server.url);
  allowed = [new URL(server.url).host];
  channels = createHttpChannels({ allowed });
});
beforeEach(() => receiver.post('/reset'));
afterAll(async () => {
  for (const kind of ALL) channels[kind].close?.();
  await server.close();
});

function send(kind: HttpChannelKind, { secrets = SECRETS, now = Date.now(), olderUntil = Infinity } = {}) {
  const parsed = parseTarget(kind, server.url + PATHS[kind], allowed);
  if (!parsed.ok) throw new Error(parsed.copy);
  const context = { ...CONTEXT, now, publicUrl };
  return channels[kind].send({ address: parsed.address, secrets, olderUntil }, MESSAGE, context);
}
const messages = async () => (await receiver.ask<{ messages: Received[] }>('GET', '/messages')).messages;

test('[CHAN-01] every channel’s receiver accepts the message', async () => {
  for (const kind of ALL) expect(await send(kind), kind).toEqual({ ok: true });
  const received = await messages();
  expect(received.map(({ service, problem }) => [service, problem])).toEqual(ALL.map((kind) => [kind, null]));
});

test('[CHAN-02] an endpoint that knows one of two secrets accepts; one that knows neither does not', async () => {
  for (const [secrets, ok] of [
    [[SECRETS[0]], true],
    [[SECRETS[1]], true],
    [[newWebhookSecret()], false],
  ] as const) {
    await receiver.post('/secrets', { secrets });
    expect(await send('webhook')).toMatchObject({ ok });
  }
  await receiver.post('/secrets', { secrets: SECRETS });
  expect(await send('webhook', { now: Date.now() - 6 * 60_000 })).toMatchObject({ ok: false });
  expect((await messages()).map(({ problem }) => problem)).toEqual([
    ...[null, null, 'no signature matches', 'the timestamp is more than five minutes from now'],
  ]);
});

describe.each(ALL)('%s', (kind) => {
  test('failures are data, without the secret of the address', async () => {
    const order = async (fault: Parameters<ControlClient['fault']>[0]) => {
      await receiver.fault(fault);
      return send(kind);
    };
    const results = [
      await order({ kind: 'gone' }),
      await order({ kind: 'limited', ms: 30_000 }),
      await order({ kind: 'error', http: 503 }),
      await order({ kind: 'redirect', location: `${server.url}/hooks/elsewhere` }),
      await order({ kind: 'reset' }),
    ];
    expect(results).toMatchObject([
      { ok: false, isGone: true },
      { ok: false, isPermanent: false, retryAfterMs: 30_000 },
      { ok: false, isPermanent: false, error: 'HTTP 503' },
      { ok: false, isPermanent: false, error: 'HTTP 302' },
      { ok: false, isPermanent: false, copy: 'The connection failed.' },
    ]);
    expect(JSON.stringify(results)).not.toMatch(/of-the-url|127\.0\.0\.1|R0123/);
    expect((await messages()).filter(({ path }) => path.endsWith('elsewhere'))).toEqual([]);
    expect(await send(kind)).toEqual({ ok: true });
  });

  test('[CHAN-03] an exception that the operator takes back is not called any more', async () => {
    const closed = createHttpChannels({ allowed: [] });
    const parsed = parseTarget(kind, server.url + PATHS[kind], allowed);
    const address = parsed.ok ? parsed.address : '';
    const context = { ...CONTEXT, now: Date.now(), publicUrl };
    const result = await closed[kind].send({ address, secrets: SECRETS, olderUntil: null }, MESSAGE, context);
    expect(result).toMatchObject({ ok: false, isPermanent: true });
    expect(await messages()).toEqual([]);
  });
});

test('a channel that ends cuts no delivery of another one', async () => {
  const own = createHttpChannels({ allowed });
  const fault = await receiver.fault({ kind: 'hang_before' });
  const parsed = parseTarget('webhook', server.url + PATHS.webhook, allowed);
  const context = { ...CONTEXT, now: Date.now(), publicUrl };
  const target = { address: parsed.ok ? parsed.address : '', secrets: SECRETS, olderUntil: null };
  const call = own.webhook.send(target, MESSAGE, context);
  await waitFor('the delivery', async () => (await receiver.parked(fault)) === 1);
  own.slack.close?.();
  await receiver.post(`/faults/${fault}/release`);
  expect(await call).toEqual({ ok: true });
  own.webhook.close?.();
});

test('[DEMO-01] the receiver shows a Slack message as Slack does, in which a name is only text', async () => {
  await send('slack');
  const list = await (await fetch(`${server.url}/_sim`)).text();
  expect(list).toContain('<a href="/message/1">SmartPause paused 2 campaigns</a>');
  const page = await (await fetch(`${server.url}/message/1`)).text();
  expect(page).toContain('<h3>SmartPause paused 2 campaigns</h3>');
  expect(page).toContain(
    '<p><b>High disruption</b> since Jan 8, 2026, 9:10 PM EST. Your threshold is medium.</p>',
  );
  expect(page).toContain('<li>Sale &lt;!channel&gt;: 9:10 PM EST</li><li>Shoes</li>');
  expect(page).toContain(`<a href="${publicUrl}">Resume now</a>`);
  expect(page).toContain(`<a class="button primary" href="${publicUrl}/activity/12">See the outage</a>`);
});

test.each([
  ['/services/T/B/x', 'invalid_blocks'],
  ['/workflows/1/triggers/manual/paths/invoke', 'InvalidRequestContent'],
  ['/api/webhooks/1/x', 'Invalid Form Body'],
  ['/v2/enqueue', 'Event object is invalid'],
  ['/hooks/1', 'webhook-id'],
])('the receiver refuses a wrong message at %s', async (path, words) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: '{"text":"<!channel>"}' });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
});
