import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/programs/wait-for.ts';
import type { Received } from '../../../../simulators/channels/server.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { addDestination, findDestinations } from '../../db/destinations.ts';
import { createTokenCipher } from '../../secrets.ts';
import type { HttpChannelKind } from './http-channels.ts';
import { HTTP_CHANNELS, parseTarget } from './http-channels.ts';
import { newWebhookSecret } from './webhook.ts';

const PATHS: Record<HttpChannelKind, string> = {
  slack: '/services/T000/B000/secret',
  teams: '/workflows/1/triggers/manual/paths/invoke?sig=secret',
  discord: '/api/webhooks/1/secret',
  pagerduty: '/v2/enqueue 0123456789abcdef0123456789abcdef',
  webhook: '/hooks/1',
};

describe('an outage on every channel', () => {
  const suite = engineSuite();
  const receiver = () => suite.simulators.channels;
  const received = async () => (await receiver().ask<{ messages: Received[] }>('GET', '/messages')).messages;

  afterEach(() => receiver().post('/reset'));

  /** The next message that each of so many receivers gets, by its name. */
  async function next(count: number) {
    await waitFor('the messages', async () => {
      await suite.product.app.runTask('outbox');
      return (await received()).length === count;
    });
    const messages = await received();
    await receiver().ask('DELETE', '/messages');
    expect(messages.filter(({ problem }) => problem !== null)).toEqual([]);
    return new Map(messages.map((one) => [one.service, one]));
  }

  test('[CHAN-01, CHAN-02] each receiver gets the pause and the resume, and one that is gone nothing more', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.report('No known issues', 'UP');
    const { db } = suite.product.app;
    const { url } = receiver();
    const secrets = [newWebhookSecret()];
    await receiver().post('/secrets', { secrets });
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', who.email)
      .executeTakeFirstOrThrow();
    for (const kind of Object.keys(HTTP_CHANNELS) as HttpChannelKind[]) {
      const parsed = parseTarget(kind, url + PATHS[kind], [new URL(url).host]);
      const target = { address: parsed.ok ? parsed.address : '', secrets: kind === 'webhook' ? secrets : [] };
      const row = {
        userId,
        kind,
        name: kind,
        target,
        events: ['paused', 'resumed'] as const,
        verifiedAt: null,
      };
      await addDestination(db, createTokenCipher([KEY_OF_TESTS]), row, suite.product.clock.now());
    }
    await suite.outage();
    await suite.become(who, ['PAUSED']);
    await nextMailTo(suite, who.email, /paused 1 campaign/);
    const paused = await next(5);
    expect(paused.get('webhook')?.body).toMatchObject({
      type: 'campaigns.paused',
      data: { lists: [{ items: [{ name: 'Campaign 0' }] }] },
    });
    const incident = paused.get('pagerduty')?.body as { dedup_key: string };
    await receiver().fault({ kind: 'gone', path: '^/api/webhooks/' });
    await suite.recovery();
    await suite.become(who, ['ACTIVE']);
    await nextMailTo(suite, who.email, /resumed 1 campaign/);
    const resumed = await next(5);
    expect(resumed.get('pagerduty')?.body).toMatchObject({
      event_action: 'resolve',
      dedup_key: incident.dedup_key,
    });
    expect(resumed.get('slack')?.body).toMatchObject({ text: 'SmartPause resumed 1 campaign' });
    const states = (await findDestinations(db, userId)).map(({ kind, state }) => [kind, state]);
    expect(states.filter(([, state]) => state !== 'on')).toEqual([['discord', 'disabled']]);
  });
});
