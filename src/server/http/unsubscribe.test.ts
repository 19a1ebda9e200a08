import { describe, expect, test } from 'vitest';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import { addDestination, findDestinations } from '../db/destinations.ts';
import type { SummaryRecipient } from '../notifications/unsubscribe-link.ts';
import { summaryPath } from '../notifications/unsubscribe-link.ts';
import { createTokenCipher } from '../secrets.ts';

const cipher = createTokenCipher([KEY_OF_TESTS]);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('[SPEND-05] the monthly summary is turned off without a login', () => {
  const suite = engineSuite();
  const linkOf = (of: SummaryRecipient) => summaryPath(cipher, of);

  async function open(url: string, post?: { headers: Record<string, string>; payload: string }) {
    const reply = await suite.product.app.http.inject(post ? { method: 'POST', url, ...post } : { url });
    const title = /<h1>(.*?)<\/h1>/.exec(reply.body)?.[1];
    return { ...reply, status: reply.statusCode, title };
  }

  test('the page changes nothing, its button does, and a mail program’s request of either type', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const id = (await suite.rowOf(who))?.id ?? '';
    const link = linkOf({ userId: id, destinationId: null });
    const isOn = async () => (await suite.rowOf(who))?.hasMonthlySummary;

    const page = await open(link);
    expect([page.status, page.title, await isOn()]).toEqual([200, 'Turn off the monthly summary?', true]);
    expect(page.body).toContain('<form method="post"><button>Turn off</button></form>');
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });

    const done = await open(link, { headers: FORM, payload: '' });
    expect([done.status, done.title, await isOn()]).toEqual([200, 'The monthly summary is off', false]);
    expect(await open(link)).toMatchObject({ title: 'The monthly summary is off' });
    expect(await open(link, { headers: FORM, payload: 'List-Unsubscribe=One-Click' })).toMatchObject({
      status: 200,
    });
    const { activities } = await who.user.get<{ activities: { message: string }[] }>('/api/activities');
    const told = activities.filter(({ message }) => message.includes('monthly summary'));
    expect(told.map(({ message }) => message)).toEqual([
      'SmartPause settings were changed: monthly summary by email off (was on).',
    ]);

    const other = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const others = linkOf({ userId: (await suite.rowOf(other))?.id ?? '', destinationId: null });
    const multipart =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await open(others, { headers, payload: multipart })).toMatchObject({ status: 200 });
    expect((await suite.rowOf(other))?.hasMonthlySummary).toBe(false);
  });

  test('a channel’s reader turns off that of the channel only', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const { db } = suite.product.app;
    const userId = (await suite.rowOf(who))?.id ?? '';
    const now = suite.product.clock.now();
    const of = { userId, kind: 'email', name: 'Ops', target: { address: 'ops@example.com' } } as const;
    const events = ['paused', 'monthly_summary'] as const;
    const destinationId = await addDestination(db, cipher, { ...of, events, verifiedAt: now }, now);
    expect(await open(linkOf({ userId, destinationId }), { headers: FORM, payload: '' })).toMatchObject({
      title: 'The monthly summary is off',
    });
    expect((await findDestinations(db, userId)).map((one) => one.events)).toEqual([['paused']]);
    expect((await suite.rowOf(who))?.hasMonthlySummary).toBe(true);
  });

  test('a link that has no recipient does nothing', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const userId = (await suite.rowOf(who))?.id ?? '';
    const link = linkOf({ userId, destinationId: null });
    for (const wrong of [
      '/unsubscribe/nothing',
      `${link.slice(0, -4)}AAAA`,
      linkOf({ userId: '999999', destinationId: null }),
      linkOf({ userId, destinationId: '999999' }),
    ])
      for (const post of [undefined, { headers: FORM, payload: '' }])
        expect(await open(wrong, post)).toMatchObject({
          status: 404,
          title: 'This link doesn’t work any more',
        });
    expect((await suite.rowOf(who))?.hasMonthlySummary).toBe(true);
    const long = { headers: FORM, payload: 'x'.repeat(20_000) };
    expect((await open(link, long)).status).toBe(413);
  });
});
