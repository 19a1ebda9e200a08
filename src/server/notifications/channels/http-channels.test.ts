import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { webhookPayload } from '#contract/webhook-payload.ts';
import {
  discordMessage,
  pagerDutyEvent,
  slackMessage,
  teamsMessage,
  webhookBody,
  webhookHeaders,
} from '../../../../simulators/channels/schemas.ts';
import { FACTS, at, publicUrl } from '../../../../test/support/email-facts.ts';
import { KINDS } from '../write-notifications.ts';
import { EMAILS } from '../templates/emails.fixture.ts';
import type { DestinationEvent } from '#core/destination-events.ts';
import { eventsOf } from '#core/destination-events.ts';
import type { Message } from '../message.ts';
import type { HttpChannelKind } from './http-channels.ts';
import { HTTP_CHANNELS, parseTarget } from './http-channels.ts';
import { newWebhookSecret } from './webhook.ts';

const KEY = 'R0123456789abcdefABCDEF012345678';
const SECRETS = [newWebhookSecret(), newWebhookSecret()];
const ADDRESSES: Record<HttpChannelKind, string> = {
  slack: 'https://hooks.slack.com/services/T000/B000/xyz',
  teams: 'https://prod-12.westus.logic.azure.com/workflows/1a/triggers/manual/paths/invoke?sig=xyz',
  discord: 'https://discord.com/api/webhooks/123/x-y_z',
  pagerduty: `https://events.pagerduty.com/v2/enqueue?routing_key=${KEY}`,
  webhook: 'https://hooks.example/smartpause',
};
const SCHEMAS = {
  slack: slackMessage,
  teams: teamsMessage,
  discord: discordMessage,
  pagerduty: pagerDutyEvent,
  webhook: webhookBody,
};
const ALL = Object.keys(SCHEMAS) as HttpChannelKind[];
const NOW = Date.now();

function requestOf(kind: HttpChannelKind, message: Message) {
  const context = { id: '7', notificationId: '5', destinationId: '3', writtenAt: NOW, now: NOW, publicUrl };
  return HTTP_CHANNELS[kind].request(
    { address: ADDRESSES[kind], secrets: SECRETS, olderUntil: Infinity },
    message,
    context,
  );
}
const bodyOf = (kind: HttpChannelKind, message: Message): unknown =>
  JSON.parse(requestOf(kind, message).body);
const say = (over: Partial<Message>): Message => ({
  ...{ subject: 'Hello', blocks: ['Text'], events: ['paused'], outage: '12', occurredAt: at },
  ...over,
});
const pagerDuty = (over: Partial<Message>) => pagerDutyEvent.parse(bodyOf('pagerduty', say(over)));
/** All that a user sees, and more. */
const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

const MESSAGES = EMAILS.flatMap(([title, kind, over]): [string, Message][] => {
  const notification = KINDS[kind].compose({ ...FACTS, ...over });
  if (notification === null) return [];
  const blocks = notification.blocks.filter((block) => block !== null);
  return [[title, say({ ...notification, blocks, events: eventsOf(kind, []) })]];
});

test.each(ALL)(
  '[CHAN-01] %s: every notification fits its schema, names the campaigns, and leads to the outage',
  (kind) => {
    expect(MESSAGES.length).toBeGreaterThan(20);
    for (const [title, message] of MESSAGES) {
      const { url, body } = requestOf(kind, message);
      expect(() => SCHEMAS[kind].parse(JSON.parse(body)), title).not.toThrow();
      expect(url).toBe(ADDRESSES[kind].replace(/\?routing_key=.*/, ''));
      const shown = stringsIn(JSON.parse(body)).join('\n');
      expect(shown).toContain(`${publicUrl}/activity/12`);
      expect(shown).not.toMatch(/undefined|\[object|NaN/);
    }
  },
);

const HOSTILE = [
  ...[
    '@everyone',
    '@here',
    '<@U123>',
    '<!channel>',
    '<!here|x>',
    '<#C1>',
    '<@&1>',
    '<:e:1>',
    '<t:1>',
    ':smile:',
  ],
  ...[
    '<https://evil.example|click>',
    '[click](https://evil.example)',
    'https://evil.example',
    '<at>All</at>',
  ],
  ...[
    '<script>alert(1)</script>',
    '**bold**',
    '*b* _i_ ~s~ `c`',
    '# head',
    '> quote',
    '||spoiler||',
    '- item',
    '\\',
  ],
  ...[
    '{{DATE(2026-01-08T00:00:00Z)}}',
    '${title}',
    '@{triggerBody()}',
    '{{{$root}}',
    '&lt;!channel&gt;',
    '"}]}',
    '\u0000\u202e',
  ],
];
const piece = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 30 }));
const name = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(' ')),
  fc.constantFrom(
    'x'.repeat(20_000),
    '👩‍👩‍👧'.repeat(300),
    '@'.repeat(5_000),
    '{'.repeat(3_000),
    '://'.repeat(500),
  ),
);
const listOf = (most: number) =>
  fc.record({ list: name, note: name, items: fc.array(fc.tuple(name, name), { maxLength: most }) });
const hostile = fc.record({
  subject: name,
  blocks: fc.array(
    fc.oneof(
      name,
      listOf(60),
      name.map((text) => ({ status: 'HIGH_DISRUPTION' as const, text, since: text })),
      fc.tuple(name, name).map((pair) => ({ facts: [pair] })),
      name.map((link) => ({ sentence: `Press ${link} now`, link, address: publicUrl })),
    ),
    { minLength: 1, maxLength: 60 },
  ),
});

const SIGNS = /[*_~`|<>#[\]@]|:(?=[^\s\d\\])/;
/** What is active: of a text with Discord's markup that without the escaped signs. */
const activeInDiscord = (text: string): string => text.replaceAll(/\\[^0-9A-Za-z\s]/g, ' ');

const CHECKS: Record<HttpChannelKind, (body: unknown) => void> = {
  slack(body) {
    const { text, blocks } = slackMessage.parse(body);
    // The schema has no other element: a name is a text or the label of our link.
    expect(stringsIn(blocks).filter((one) => /^https?:\/\//.test(one) && !one.startsWith(publicUrl))).toEqual(
      [],
    );
    expect(
      stringsIn(blocks)
        .filter((one) => !one.startsWith(publicUrl))
        .join(),
    ).not.toContain('://');
    expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
  },
  teams(body) {
    const { attachments } = teamsMessage.parse(body);
    const texts = stringsIn(attachments[0].content).filter(
      (one) => !/^https?:\/\/(smartpause|adaptivecards\.io)/.test(one),
    );
    for (const text of texts) expect(text).not.toMatch(/:\/\/|[{$@]\{/);
  },
  discord(body) {
    const { embeds, allowed_mentions } = discordMessage.parse(body);
    expect(allowed_mentions).toEqual({ parse: [] });
    const [title, description] = [embeds[0]?.title ?? '', embeds[0]?.description ?? ''];
    expect(activeInDiscord(title)).not.toMatch(SIGNS);
    const ours = new RegExp(String.raw`\[[^[\]]*\]\(${publicUrl}[\w/]*\)|\*\*[^*]*\*\*`, 'g');
    // Bold words stand at the beginning of a line, and items after '- '.
    const left = activeInDiscord(description).replaceAll(ours, '');
    expect(left).not.toMatch(SIGNS);
  },
  pagerduty(body) {
    const { payload } = pagerDutyEvent.parse(body);
    expect(stringsIn(payload).join()).not.toContain('://');
  },
  webhook: (body) => void webhookPayload.parse(body),
};

test.each(ALL)('[CHAN-01] %s: no name becomes a mention, a link or markup, and each length fits', (kind) => {
  fc.assert(
    fc.property(hostile, (given) => {
      CHECKS[kind](bodyOf(kind, say({ ...given })));
    }),
    { numRuns: 30, seed: 60 },
  );
});

test('a webhook has the names as they are', () => {
  const [subject = '', ...items] = HOSTILE.slice(0, -1);
  const { data } = webhookPayload.parse(
    bodyOf(
      'webhook',
      say({ subject, blocks: [{ list: 'Paused', items: items.map((one) => [one] as const) }] }),
    ),
  );
  expect([data.title, data.lists[0]?.items.map((one) => one.name)]).toEqual([subject, items]);
});

test('a long list is cut so far that the message fits, and says how many are left out', () => {
  const items = Array.from(
    { length: 3_000 },
    (_one, index) => [`Campaign ${index} ${'y'.repeat(100)}`, 'Jan 8'] as const,
  );
  const message = say({ blocks: [{ list: 'Paused', items }] });
  for (const kind of ALL) {
    const body = bodyOf(kind, message);
    SCHEMAS[kind].parse(body);
    const shown = JSON.stringify(body);
    const count = shown.split('Campaign ').length - 1;
    expect(count).toBeGreaterThan(4);
    expect(shown).toMatch(
      kind === 'webhook'
        ? `"omitted":${3_000 - count}`
        : `and ${(3_000 - count).toLocaleString('en-US')} more`,
    );
  }
});

test('[CHAN-01] Slack: what still runs and can be done comes before the lists, and the main button leads to the outage', () => {
  const message = say({
    blocks: [
      'SmartPause resumes them.',
      '3 campaigns still run.',
      { button: 'Pause the 3 too', address: publicUrl },
      { status: 'HIGH_DISRUPTION', text: 'Your threshold is medium.' },
      { list: 'Paused', items: [['Shoes']] },
      { sentence: 'To run it sooner, press Resume now.', link: 'Resume now', address: publicUrl },
      { button: 'See the activity', address: `${publicUrl}/activity/12` },
    ],
    ...{ outage: '12', events: ['paused'] },
  });
  const { blocks } = slackMessage.parse(bodyOf('slack', message));
  expect(blocks.map(({ type }) => type)).toEqual([
    ...['header', 'rich_text', 'rich_text', 'rich_text', 'actions', 'rich_text', 'rich_text', 'context'],
  ]);
  const texts = blocks.slice(1, 4).map((block) => stringsIn(block).join(' '));
  expect(texts).toEqual([
    expect.stringContaining('3 campaigns still run.') as string,
    expect.stringContaining('SmartPause resumes them.') as string,
    expect.stringContaining('To run it sooner') as string,
  ]);
  const labels = stringsIn(blocks[4]).filter((one) => /^(See|Pause|https)/.test(one));
  expect(labels).toEqual(['See the activity', `${publicUrl}/activity/12`, 'Pause the 3 too', publicUrl]);
});

test('[CHAN-01] without an outage the act that the message asks for is the main button', () => {
  const logIn = { button: 'Log in to SmartPause', address: `${publicUrl}/auth/facebook` };
  const message = say({ blocks: ['Expired.', logIn], outage: null, events: ['connection_expiring'] });
  const { blocks } = slackMessage.parse(bodyOf('slack', message));
  const labels = stringsIn(blocks[2]).filter((one) => /^(Log|Open)/.test(one));
  expect(labels).toEqual(['Log in to SmartPause', 'Open SmartPause']);
});

test('the type of a webhook is its most important event, in whatever order they are', () => {
  const { type, data } = webhookPayload.parse(
    bodyOf('webhook', say({ events: ['not_resumed', 'later' as DestinationEvent, 'resumed'] })),
  );
  expect([type, data.events]).toEqual(['campaigns.resumed', ['campaigns.resumed', 'campaigns.not_resumed']]);
});

test('[CHAN-02] a webhook has the headers and the signatures of Standard Webhooks, for each secret during a rotation', () => {
  const { headers, body } = requestOf('webhook', say({}));
  expect(() => webhookHeaders.parse(headers)).not.toThrow();
  expect(headers['webhook-id']).toBe(`msg_7_${NOW}`);
  for (const secret of SECRETS) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(SECRETS[0] ?? '').verify(`${body} `, headers)).toThrow();
});

test.each<[DestinationEvent[], string, string]>([
  [['paused'], 'trigger', 'critical'],
  [['resumed'], 'resolve', 'info'],
  [['turned_off_outside', 'resumed'], 'resolve', 'warning'],
  [['resumed', 'not_resumed'], 'trigger', 'critical'],
  [['reminder'], 'trigger', 'critical'],
  [['not_resumed'], 'trigger', 'critical'],
])('PagerDuty: %j is a %s of the outage’s one incident', (events, event_action, severity) => {
  const expected = { event_action, dedup_key: 'smartpause-outage-12-3', payload: { severity } };
  expect(pagerDuty({ events })).toMatchObject(expected);
});

test('PagerDuty: what is not about an outage is one incident for each event', () => {
  const event = pagerDuty({ outage: null, events: ['connection_expiring'] });
  expect(event).toMatchObject({ event_action: 'trigger', dedup_key: 'smartpause-connection_expiring-3' });
});

const GOOD: [kind: HttpChannelKind, text: string, address?: string][] = [
  ...ALL.map((kind): [HttpChannelKind, string] => [kind, ADDRESSES[kind]]),
  ['slack', ` ${ADDRESSES.slack}\n`, ADDRESSES.slack],
  [
    'teams',
    'https://default1a.0f.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/9/triggers/manual/paths/invoke?api-version=1&sig=x',
    'https://default1a.0f.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/9/triggers/manual/paths/invoke?api-version=1&sig=x',
  ],
  ['discord', 'https://discordapp.com/api/v10/webhooks/1/x?thread_id=5'],
  ['pagerduty', KEY, ADDRESSES.pagerduty],
  [
    'pagerduty',
    `https://events.eu.pagerduty.com/v2/enqueue ${KEY}`,
    `https://events.eu.pagerduty.com/v2/enqueue?routing_key=${KEY}`,
  ],
  ['slack', 'http://127.0.0.1:4005/services/T/B/x'],
];
test.each(GOOD)('%s: %s is an address', (kind, text, address = text) => {
  expect(parseTarget(kind, text, ['127.0.0.1:4005'])).toEqual({ ok: true, address });
});

const BAD: [kind: HttpChannelKind, text: string, copy: string][] = [
  ['slack', 'hooks.slack.com/services/T/B/x', 'https://hooks.slack.com/services/'],
  ['slack', 'https://hooks.slack.com.evil.example/services/T/B/x', 'https://hooks.slack.com/services/'],
  ['slack', 'https://hooks.slack.com./services/T/B/x', 'https://hooks.slack.com/services/'],
  ['slack', 'https://hooks.slack.com/workflows/T/B/x', 'https://hooks.slack.com/services/'],
  ['slack', 'https://hooks.slack.com@10.0.0.1/services/T/B/x', 'user name'],
  ['slack', 'http://hooks.slack.com/services/T/B/x', 'https://'],
  ['slack', 'http://127.0.0.1:4006/services/T/B/x', 'inside a network'],
  [
    'teams',
    'https://logic.azure.com.evil.example/workflows/1/triggers/manual/paths/invoke',
    'Teams workflow',
  ],
  ['teams', 'https://evillogic.azure.com/workflows/1/triggers/manual/paths/invoke', 'Teams workflow'],
  ['teams', 'https://acme.webhook.office.com/webhookb2/x', 'Teams workflow'],
  ['discord', 'https://discord.com/api/users/1', 'webhook URL of Discord'],
  ['pagerduty', 'short', 'integration key'],
  ['pagerduty', `https://events.evil.example/v2/enqueue ${KEY}`, 'integration key'],
  ['pagerduty', `${KEY} ${KEY} ${KEY}`, 'integration key'],
  ['webhook', 'https://127.0.0.1/', 'inside a network'],
  ['webhook', 'hooks.example', 'https://'],
];
test.each(BAD)('%s: %s is refused, and the user reads why', (kind, text, copy) => {
  const parsed = parseTarget(kind, text, ['127.0.0.1:4005']);
  expect(parsed).toEqual({ ok: false, copy: expect.stringContaining(copy) as string });
  expect(JSON.stringify(parsed)).not.toContain('evil');
});

const LATER = { ok: false, isPermanent: false } as const;
const NEVER = { ok: false, isPermanent: true } as const;
const GONE = { ok: false, isPermanent: true, isGone: true } as const;
const date = new Date(Math.floor(NOW / 1000) * 1000 + 90_000).toUTCString();

describe('what an answer means', () => {
  test.each<[HttpChannelKind, number, string, Record<string, string>, object]>([
    ['slack', 200, 'ok', {}, { ok: true }],
    ['slack', 404, 'no_service', {}, { ...GONE, error: 'HTTP 404 no_service' }],
    ['slack', 403, 'invalid_token', {}, GONE],
    ['slack', 410, 'channel_is_archived', {}, GONE],
    ['slack', 400, 'invalid_blocks', {}, { ...NEVER, error: 'HTTP 400 invalid_blocks' }],
    ['slack', 400, 'Campaign “Sale”', {}, { ...NEVER, error: 'HTTP 400' }],
    ['slack', 500, 'rollup_error', {}, LATER],
    ['slack', 429, '', { 'retry-after': '30' }, { ...LATER, retryAfterMs: 30_000 }],
    ['teams', 202, '', {}, { ok: true }],
    ['teams', 404, '', {}, GONE],
    ['teams', 401, '', {}, GONE],
    ['teams', 413, '', {}, NEVER],
    ['discord', 204, '', {}, { ok: true }],
    ['discord', 404, '{"code":10015}', {}, GONE],
    ['discord', 401, '{"code":50027}', {}, GONE],
    ['discord', 429, '{"retry_after":0.3}', { 'retry-after': '0.3' }, { ...LATER, retryAfterMs: 300 }],
    ['pagerduty', 202, '{"status":"success"}', {}, { ok: true }],
    ['pagerduty', 400, '{"errors":["Invalid routing key"]}', {}, GONE],
    ['pagerduty', 400, '{"errors":["Length of…"]}', {}, NEVER],
    ['pagerduty', 429, '', {}, LATER],
    ['webhook', 204, '', {}, { ok: true }],
    ['webhook', 410, '', {}, GONE],
    ['webhook', 404, '', {}, NEVER],
    ['webhook', 400, '', {}, NEVER],
    [
      'webhook',
      503,
      '',
      { 'retry-after': date },
      { ...LATER, retryAfterMs: expect.closeTo(90_000, -4) as number },
    ],
    ['webhook', 429, '', { 'retry-after': '99999999' }, { ...LATER, retryAfterMs: 99_999_999_000 }],
    ['webhook', 429, '', { 'retry-after': 'soon' }, LATER],
    ...ALL.map((kind): [HttpChannelKind, number, string, Record<string, string>, object] => [
      kind,
      302,
      '',
      {},
      LATER,
    ]),
  ])('%s: %i %s', (kind, status, body, headers, expected) => {
    expect(HTTP_CHANNELS[kind].answer({ status, body, headers }, NOW)).toMatchObject(expected);
  });
});
