import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { Delivery, Destination } from '#contract/destination-api.ts';
import { DESTINATION_EVENTS } from '#core/destination-events.ts';
import { DESTINATIONS_MAX } from '#core/destinations.ts';
import { DELIVERY_DAYS } from '#core/periods.ts';
import { days, hours, minutes } from '#core/time.ts';
import type { Received } from '../../../../simulators/channels/server.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { dropOldRows } from '../../db/retention.ts';

const KEY = 'R0123456789abcdefABCDEF012345678';
const SLACK = { kind: 'slack', name: 'Team', target: '/services/T000/B000/secret', events: ['paused'] };
const WEBHOOK = { ...SLACK, kind: 'webhook', name: 'Ours', target: '/hooks/secret' };

interface Added {
  id: string;
  secret?: string;
}

describe('destinations', () => {
  const suite = engineSuite({ usesSmtp: true });
  const receiver = () => suite.simulators.channels;
  const received = async () => (await receiver().ask<{ messages: Received[] }>('GET', '/messages')).messages;
  let who: Advertiser;

  beforeEach(async () => {
    who = await suite.advertiser({ campaigns: ['ACTIVE'] });
  });
  afterEach(async () => {
    await receiver().post('/reset');
    await suite.simulators.mailbox.ask('DELETE', '/faults');
  });
  const refusesMailTo = (path: string) =>
    suite.simulators.mailbox.fault({ kind: 'refuse', stage: 'rcpt', code: 550, times: 0, match: { path } });

  const call = async (path: string, body?: object) => {
    const answer = await who.user.call<{ error?: { code: string; message: string } }>(
      ...(['POST', `/api/destinations${path}`, body] as const),
    );
    return answer.body.error?.code ?? answer.body;
  };
  const list = async () =>
    (await who.user.get<{ destinations: Destination[] }>('/api/destinations')).destinations;
  const deliveriesOf = async (id: string) =>
    (await who.user.get<{ deliveries: Delivery[] }>(`/api/destinations/${id}/deliveries`)).deliveries;
  const add = (body: typeof SLACK) =>
    who.user.post<Added>('/api/destinations', { ...body, target: receiver().url + body.target });
  const test_ = async (id: string) => call(`/${id}/test`);
  const log = async () =>
    (await who.user.get<{ activities: { message: string }[] }>('/api/activities')).activities
      .filter(({ message }) => message.includes('“'))
      .map(({ message }) => message);
  /** An outage, whose notifications are sent. */
  async function outage(): Promise<void> {
    await suite.outage();
    await suite.become(who, ['PAUSED']);
    await nextMailTo(suite, who.email, /paused 1 campaign/);
    await suite.product.app.runTask('outbox');
  }

  test('[CHAN-01, CHAN-04] each kind is added and tested; what is listed has no secret of it', async () => {
    const targets = [
      ['teams', '/workflows/1/triggers/manual/paths/invoke?sig=secret'],
      ['discord', '/api/webhooks/1/secret'],
      ['pagerduty', `/v2/enqueue ${KEY}`],
      ...[SLACK, WEBHOOK].map(({ kind, target }) => [kind, target] as const),
    ] as const;
    const secrets: (string | undefined)[] = [];
    for (const [kind, target] of targets) {
      const { id, secret } = await add({ ...SLACK, kind, target });
      secrets.push(secret);
      expect(await test_(id), kind).toEqual({ success: true, failure: null });
    }
    expect(secrets).toEqual([
      ...[undefined, undefined, undefined, undefined],
      expect.stringMatching(/^whsec_/),
    ]);
    const { host } = new URL(receiver().url);
    const last = { failure: null, isTest: true };
    const shown = {
      hint: host,
      state: 'on',
      isConfirmed: true,
      disabledReason: null,
      hasDelivered: true,
      last,
    };
    const destinations = await list();
    expect(destinations).toMatchObject(targets.map(([kind]) => ({ kind, name: 'Team', ...shown })));
    expect(JSON.stringify(destinations)).not.toMatch(new RegExp(`secret|${KEY}|whsec_`));
    const messages = await received();
    const ofPagerDuty = messages.filter(({ service }) => service === 'pagerduty').map(({ body }) => body);
    const dedup_key = expect.stringMatching(/^smartpause-test-\d+$/) as string;
    const [test, end] = [
      { event_action: 'trigger', dedup_key },
      { event_action: 'resolve', dedup_key },
    ];
    expect(ofPagerDuty).toMatchObject([test, end]);
    const kinds = targets.flatMap(([kind]) => (kind === 'pagerduty' ? [kind, kind] : [kind]));
    expect(messages.map(({ service, problem }) => [service, problem])).toEqual(
      kinds.map((kind) => [kind, null]),
    );
  });

  test('[CHAN-01] a test answers with what the receiver says, and with what keeps it from being sent', async () => {
    const { id } = await add(SLACK);
    await receiver().fault({ kind: 'gone' });
    expect(await test_(id)).toEqual({
      ...{ success: true, failure: 'Slack no longer accepts messages at this address.' },
    });
    const email = { ...SLACK, kind: 'email', target: 'ops@lind.example' };
    const unconfirmed = await who.user.post<Added>('/api/destinations', email);
    expect(await test_(unconfirmed.id)).toBe('NOT_CONFIRMED');
    expect(await list()).toMatchObject([
      ...[{ state: 'on' }, { hint: 'ops@lind.example', isConfirmed: false }],
    ]);
  });

  test('[CHAN-01] a failed test is kept until a test or a delivery is accepted, or the address is another one', async () => {
    const [one, two] = [await add(WEBHOOK), await add({ ...WEBHOOK, target: '/hooks/two' })];
    const failure = 'Your endpoint couldn’t take the message (HTTP 503).';
    const untried = { hasDelivered: false, last: null };
    const failed = { hasDelivered: false, last: { failure, nextAt: null, isTest: true } };
    expect(await list()).toMatchObject([untried, untried]);
    await receiver().fault({ kind: 'error', http: 503, times: 2 });
    for (const { id } of [one, two]) await test_(id);
    expect(await list()).toMatchObject([failed, failed]);
    await call(`/${two.id}`, { name: 'Renamed' });
    await call(`/${two.id}/rotate-secret`);
    expect(await list()).toMatchObject([failed, failed]);
    await test_(one.id);
    await outage();
    const accepted = { hasDelivered: true, last: { failure: null } };
    const states = await list();
    expect(states).toMatchObject([accepted, accepted]);
    expect(states.map(({ last }) => last?.isTest)).toEqual([undefined, undefined]);
    await receiver().fault({ kind: 'error', http: 503 });
    await suite.advance(minutes(1));
    await test_(one.id);
    await call(`/${two.id}`, { target: `${receiver().url}/hooks/three` });
    expect(await list()).toMatchObject([{ ...failed, hasDelivered: true }, { hasDelivered: false }]);
  });

  test('[CHAN-01, CHAN-02] a corrected address shows no failure of the former one, and gets at once what waits', async () => {
    const { id } = await add(WEBHOOK);
    await receiver().fault({ kind: 'limited', ms: hours(1) });
    await outage();
    const failure = 'Your endpoint asks us to wait (HTTP 429).';
    expect(await list()).toMatchObject([{ last: { failure } }]);
    await call(`/${id}`, { target: `${receiver().url}/hooks/next` });
    expect(await list()).toMatchObject([{ hasDelivered: false, last: null }]);
    await suite.product.app.runTask('outbox');
    expect(await list()).toMatchObject([{ hasDelivered: true, last: { failure: null, nextAt: null } }]);
  });

  test('[CHAN-02, CHAN-06] PagerDuty gets nothing again that no longer holds, and an incident that stays open is shown', async () => {
    const target = `/v2/enqueue ${KEY}`;
    const { id } = await add({ ...SLACK, kind: 'pagerduty', target, events: ['paused', 'resumed'] });
    const again = async (title: RegExp) => {
      const found = (await deliveriesOf(id)).find((one) => title.test(one.title));
      return call(`/${id}/deliveries/${found?.id}/send-again`, {});
    };
    await outage();
    expect(await list()).toMatchObject([{ hasIncident: true }]);
    expect(await again(/paused 1/)).toEqual({ success: true });
    await suite.recovery();
    await suite.become(who, ['ACTIVE']);
    await nextMailTo(suite, who.email, /resumed 1 campaign/);
    expect(await list()).toMatchObject([{ hasIncident: false }]);
    expect(await again(/paused 1/)).toBe('INCIDENT_CHANGED');
    expect(await again(/resumed 1/)).toEqual({ success: true });
    // Another version wrote it.
    await sql`update notifications set message = '{"of":"next"}' where message is not null`.execute(
      suite.product.app.db,
    );
    expect(await again(/resumed 1/)).toBe('NOT_FOUND');
  });

  test('[CHAN-05] a mistyped email address is corrected at once; the same one gets no further link', async () => {
    const mistyped = { ...SLACK, kind: 'email', target: 'opps@lind.example' };
    const { id } = await who.user.post<Added>('/api/destinations', mistyped);
    expect(await call(`/${id}`, { target: 'ops@lind.example' })).toEqual({ success: true });
    expect(await call(`/${id}`, { target: 'ops@lind.example' })).toEqual({ success: true });
    expect(await call(`/${id}/email-link`)).toBe('TOO_MANY_REQUESTS');
    await suite.product.app.runTask('outbox');
    const { mailbox } = suite.simulators;
    expect(await mailbox.messagesTo('opps@lind.example')).toEqual([]);
    expect(await mailbox.messagesTo('ops@lind.example')).toHaveLength(1);
    await suite.advance(minutes(1));
    expect(await call(`/${id}/email-link`)).toEqual({ success: true });
    // A link is no notification.
    expect([await deliveriesOf(id), (await list())[0]?.last]).toEqual([[], null]);
  });

  test('[CHAN-03] an address that must not be called is refused in words, also in place of another', async () => {
    const inside = { ...WEBHOOK, target: 'https://169.254.169.254/' };
    const refusal = await who.user.call<{ error: { message: string } }>('POST', '/api/destinations', inside);
    expect(refusal).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('addresses inside a network') as string } },
    });
    const { id } = await add(WEBHOOK);
    expect(await call(`/${id}`, { target: inside.target })).toBe('ADDRESS_REFUSED');
    expect(await call('', { ...SLACK, target: 'https://slack.example/services/1' })).toBe('ADDRESS_REFUSED');
    expect(await test_(id)).toMatchObject({ failure: null });
  });

  test('[CHAN-01] nothing goes to one address twice: of a channel, or of the user', async () => {
    const message = async (path: string, body: object) => {
      const { body: answer } = await who.user.call<{ error?: { message: string } }>('POST', path, body);
      return answer.error?.message;
    };
    const here = { ...SLACK, target: receiver().url + SLACK.target };
    const { id } = await add(SLACK);
    const taken = 'Your channel “Team” already goes to this address.';
    expect(await message('/api/destinations', { ...here, name: 'Again' })).toBe(taken);
    // Another kind is another receiver.
    await add(WEBHOOK);
    const other = await add({ ...SLACK, target: '/services/T000/B000/other' });
    expect(await message(`/api/destinations/${other.id}`, { target: here.target })).toBe(taken);
    expect(await call(`/${id}`, { target: here.target })).toEqual({ success: true });

    const email = { ...SLACK, kind: 'email', name: 'Ops', target: who.email.toUpperCase() };
    const own = 'You already get every email at this address.';
    expect(await message('/api/destinations', email)).toBe(own);
    expect(await call('', { ...email, target: 'ops@lind.example' })).toMatchObject({ success: true });
    expect(await message('/api/destinations', { ...email, target: 'Ops@lind.example' })).toContain('“Ops”');
    const settings = { resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' };
    const saves = (address: string) => message('/api/user/settings', { ...settings, email: address });
    expect(await saves('ops@lind.example')).toBe('Your channel “Ops” already goes to this address.');
    // Both addresses get every email until the new one is confirmed.
    expect(await saves('next@lind.example')).toBeUndefined();
    expect(await message('/api/destinations', email)).toBe(own);
    expect(await message('/api/destinations', { ...email, target: 'next@lind.example' })).toBe(own);
  });

  test('[CHAN-01] ten are the most, also at once; no other user sees or changes them', async () => {
    const before = Array.from({ length: DESTINATIONS_MAX - 1 }, (_, n) =>
      add({ ...SLACK, target: `/services/T000/B000/${n}` }),
    );
    const [{ id } = { id: '' }] = await Promise.all(before);
    const body = { ...SLACK, target: receiver().url + SLACK.target };
    const both = await Promise.all([call('', body), call('', { ...body, target: `${body.target}2` })]);
    expect(both.filter((one) => one === 'TOO_MANY_DESTINATIONS')).toHaveLength(1);
    const owner = who;
    who = await suite.colleagueOf(owner);
    expect(await list()).toEqual([]);
    for (const path of ['', '/test', '/delete', '/rotate-secret', '/deliveries/1/send-again'])
      expect(await call(`/${id}${path}`, path === '' ? { name: 'Mine' } : undefined), path).toBe('NOT_FOUND');
    expect((await who.user.call('GET', `/api/destinations/${id}/deliveries`)).status).toBe(404);
    who = owner;
    expect(await call(`/${id}/delete`)).toEqual({ success: true });
    expect(await list()).toHaveLength(DESTINATIONS_MAX - 1);
    expect((await log()).slice(0, 1)).toEqual(['Slack “Team” was deleted.']);
  });

  test('[CHAN-07] only one that is on, not quiet and wants the event gets it', async () => {
    const ids: string[] = [];
    for (const events of [['paused'], ['resumed'], ['paused'], ['paused']])
      ids.push(
        (await add({ ...SLACK, name: `Team ${ids.length}`, target: `${SLACK.target}${ids.length}`, events }))
          .id,
      );
    const until = new Date(suite.product.clock.now() + hours(1)).toISOString();
    await call(`/${ids[2]}`, { isOn: false });
    await call(`/${ids[3]}`, { quietUntil: until, name: 'Night', events: [...DESTINATION_EVENTS] });
    await outage();
    const last = (await list()).map(({ name, state, quietUntil, last: sent }) => [
      ...[name, state, quietUntil, sent?.failure],
    ]);
    expect(last).toEqual([
      ['Team 0', 'on', null, null],
      ['Team 1', 'on', null, undefined],
      ['Team 2', 'off', null, undefined],
      ['Night', 'on', until, undefined],
    ]);
  });

  test('[CHAN-02] the secret is rotated: the older one also signs for 24 hours', async () => {
    const { id, secret: first = '' } = await add(WEBHOOK);
    const knows = async (secret: string) => {
      await test_(id);
      const [message] = (await received()).slice(-1);
      try {
        new Webhook(secret).verify(JSON.stringify(message?.body), message?.headers ?? {});
        return true;
      } catch {
        return false;
      }
    };
    const { secret: second } = await who.user.post<Required<Added>>(`/api/destinations/${id}/rotate-secret`);
    expect([await knows(first), await knows(second)]).toEqual([true, true]);
    await suite.advance(hours(24));
    // The library allows five minutes from its own clock.
    const signatures = async () => {
      await test_(id);
      return (await received()).at(-1)?.headers['webhook-signature']?.split(' ').length;
    };
    expect(await signatures()).toBe(1);
    const slack = await add(SLACK);
    expect(await call(`/${slack.id}/rotate-secret`)).toBe('NOT_FOUND');
    for (const isOn of [false, false, true]) await call(`/${id}`, { isOn });
    await call(`/${id}`, { target: `${receiver().url}/hooks/another` });
    expect((await log()).slice(0, 3)).toEqual([
      'Webhook “Ours” got another address.',
      'Webhook “Ours” was turned on.',
      'Webhook “Ours” was turned off.',
    ]);
    expect((await log())[4]).toBe('Webhook “Ours” got a new signing secret.');
  });

  test('[CHAN-01, CHAN-02] that a channel is turned off reaches every other one, also where the own address is refused', async () => {
    const { id } = await add(WEBHOOK);
    await add({ ...SLACK, events: ['resumed'] });
    const key = await add({ ...SLACK, kind: 'pagerduty', target: `/v2/enqueue ${KEY}`, events: ['resumed'] });
    await add({ ...WEBHOOK, target: '/hooks/off' }).then((one) => call(`/${one.id}`, { isOn: false }));
    await refusesMailTo(who.email);
    await receiver().fault({ kind: 'gone', times: 0, match: { path: WEBHOOK.target } });
    await suite.outage();
    await suite.become(who, ['PAUSED']);
    for (let minute = 0; minute < 3; minute += 1) {
      await suite.advance(minutes(1));
      await suite.product.app.runTask('outbox');
    }
    expect(await suite.simulators.mailbox.messagesTo(who.email)).toEqual([]);
    const told = (await received()).filter(({ body }) => JSON.stringify(body).includes('Turned off: '));
    expect(told.map(({ service, problem }) => [service, problem]).toSorted()).toEqual([
      ['pagerduty', null],
      ['slack', null],
    ]);
    for (const { body } of told) {
      expect(JSON.stringify(body)).toContain('Your endpoint no longer accepts messages at this address.');
      expect(JSON.stringify(body)).toContain('Your own mail server refuses our emails, too');
      expect(JSON.stringify(body)).toContain('/settings/notifications');
    }
    const triggered = told.find(({ service }) => service === 'pagerduty');
    const dedup_key = `smartpause-channel_disabled-${key.id}`;
    expect(triggered?.body).toMatchObject({ event_action: 'trigger', dedup_key });
    await call(`/${id}`, { isOn: true });
    await suite.product.app.runTask('ending incidents');
    await suite.product.app.runTask('outbox');
    expect((await received()).at(-1)?.body).toMatchObject({ event_action: 'resolve', dedup_key });
  });

  test('[CHAN-01, CHAN-05] an email channel whose mail server refuses it for a day is turned off, with the reason', async () => {
    const target = 'gone.ops@lind.example';
    const { id } = await who.user.post<Added>('/api/destinations', { ...SLACK, kind: 'email', target });
    await refusesMailTo(target);
    await suite.product.app.runTask('outbox');
    expect(await list()).toMatchObject([{ id, state: 'on' }]);
    await suite.advance(days(1));
    await suite.product.app.runTask('outbox');
    const disabledReason = 'Its mail server refuses this address.';
    expect(await list()).toMatchObject([{ id, state: 'disabled', disabledReason }]);
    const mail = await nextMailTo(suite, who.email, /^Turned off: notifications to Email “Team”$/);
    expect(mail.text).toContain(disabledReason);
  });

  test('[CHAN-02] a failure is shown with its next try, 410 disables and says so, and what failed is sent again', async () => {
    const { id } = await add(WEBHOOK);
    await receiver().fault({ kind: 'error', http: 503 });
    await outage();
    const [waiting] = await list();
    expect(waiting?.last).toMatchObject({ failure: 'Your endpoint couldn’t take the message (HTTP 503).' });
    const due = Date.parse(waiting?.last?.nextAt ?? '') - Date.parse(waiting?.last?.at ?? '');
    expect(due).toBeLessThan(minutes(1));
    await receiver().fault({ kind: 'gone' });
    await suite.advance(minutes(1));
    await suite.product.app.runTask('outbox');
    const reason = 'Your endpoint no longer accepts messages at this address.';
    expect(await list()).toMatchObject([{ state: 'disabled', disabledReason: reason }]);
    await suite.advance(minutes(1));
    const mail = await nextMailTo(suite, who.email, /^Turned off: notifications to Webhook “Ours”$/);
    expect(mail.text).toContain(reason);
    expect((await log()).slice(0, 1)).toEqual([`Webhook “Ours” was turned off: ${reason}`]);

    const [failed] = await deliveriesOf(id);
    expect(failed).toMatchObject({ state: 'failed', attempts: 2, failure: reason, nextAt: null });
    const again = `/${id}/deliveries/${failed?.id}/send-again`;
    expect(await call(again)).toBe('DESTINATION_OFF');
    await call(`/${id}`, { isOn: true });
    expect(await call(again)).toEqual({ success: true });
    await suite.product.app.runTask('outbox');
    expect(await deliveriesOf(id)).toMatchObject([
      { id: failed?.id, state: 'sent', attempts: 3, failure: null },
    ]);
    const ids = (await received()).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([expect.stringMatching(`^msg_${failed?.id}_\\d{13}$`)]));
    expect(new Set(ids).size).toBe(1);

    await dropOldRows(suite.product.app.db, suite.product.clock.now() + days(DELIVERY_DAYS), [
      'notifications',
    ]);
    expect(await call(again)).toBe('NOT_FOUND');
  });
});
