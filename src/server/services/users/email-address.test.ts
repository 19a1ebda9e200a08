import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { days, hours, minutes } from '#core/time.ts';
import { dumpOf } from '../../../../test/support/database.ts';
import { queueMail } from '../../../../test/support/mail.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { signIn } from '../../../../scripts/simulator-clients/user.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { addDestination, findDestination } from '../../db/destinations.ts';
import { createTokenCipher } from '../../secrets.ts';
import { sendDestinationLink } from './email-address.ts';

interface Status {
  status: { email: string; unreached?: { why: string; at: string | null; former?: string } };
}
interface Found {
  state: string;
  address: string | null;
  channel?: { of: string; events: string[] };
}

describe('whether an email address works', () => {
  const suite = startSuite({ usesSmtp: true });
  const db = () => suite.product.app.db;
  afterEach(() => suite.simulators.mailbox.ask('DELETE', '/faults'));

  const settings = { resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM' };
  /** A user whose settings have another address since the setup. */
  async function movedTo(email: string) {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const saves = (address: string) => who.user.post('/api/user/settings', { ...settings, email: address });
    await saves(email);
    return { who, saves };
  }
  const unreachedOf = async ({ who }: Awaited<ReturnType<typeof movedTo>>) =>
    (await who.user.get<Status>('/api/user/status')).status.unreached;
  /** Of the links that the address has got. */
  async function tokensOf(address: string): Promise<string[]> {
    await suite.product.app.runTask('outbox');
    const mails = await suite.simulators.mailbox.messagesTo(address);
    return mails.flatMap(({ text }) => /confirm-email#(\S+)/.exec(text ?? '')?.[1] ?? []);
  }
  const ask = async (act: 'read' | 'confirm', token: string): Promise<Found> => {
    const address = `${suite.product.url}/api/email-links/${act}`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ token }) });
    return (await response.json()) as Found;
  };
  const again = async ({ who }: Awaited<ReturnType<typeof movedTo>>) =>
    (await who.user.call('POST', '/api/user/email-link')).status;

  test('[CHAN-05, FR-22, FR-40] a saved address gets one link; only the POST of its button confirms; nothing stored opens it', async () => {
    const moved = await movedTo('daniel@gmial.example');
    expect(await unreachedOf(moved)).toMatchObject({ why: 'unconfirmed', at: expect.any(String) as string });
    await moved.saves('daniel@gmial.example');
    const [token = '', ...others] = await tokensOf('daniel@gmial.example');
    expect(others).toEqual([]);
    const before = await dumpOf(db());
    expect(before).not.toContain(token);
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD'])
      expect((await fetch(`${suite.product.url}/confirm-email`, { method })).status).toBe(200);
    expect(await ask('read', token)).toEqual({ state: 'open', address: 'dan…' });
    expect(await dumpOf(db())).toBe(before);
    expect(await ask('confirm', token)).toEqual({ state: 'used', address: 'dan…' });
    expect(await ask('read', token)).toMatchObject({ state: 'used' });
    expect(await unreachedOf(moved)).toBeUndefined();
    expect(await ask('confirm', `${token}A`)).toEqual({ state: 'unknown', address: null });
    // Confirmed: it gets no further link.
    suite.product.clock.advance(days(4));
    await moved.saves('daniel@gmial.example');
    expect(await again(moved)).toBe(200);
    expect(await tokensOf('daniel@gmial.example')).toEqual([token]);
  });

  test('[CHAN-05] a link ends after three days, and with another address', async () => {
    const moved = await movedTo('first@lind.example');
    const [token = ''] = await tokensOf('first@lind.example');
    suite.product.clock.advance(days(3));
    expect(await ask('confirm', token)).toMatchObject({ state: 'expired' });
    expect(await again(moved)).toBe(200);
    const [, next = ''] = await tokensOf('first@lind.example');
    await moved.saves('second@lind.example');
    expect(await ask('confirm', next)).toEqual({ state: 'changed', address: null });
    expect(await unreachedOf(moved)).toMatchObject({ why: 'unconfirmed' });
    await moved.saves('first@lind.example');
    expect(await ask('confirm', next)).toMatchObject({ state: 'used' });
  });

  describe('a new address in place of a confirmed one', () => {
    const mailsTo = async (address: string) => {
      await suite.product.app.runTask('outbox');
      return suite.simulators.mailbox.messagesTo(address);
    };
    /** A user with a confirmed address, and the name that the addresses of the test have. */
    async function confirmed(name: string) {
      const former = `former.${name}@lind.example`;
      const moved = await movedTo(former);
      const [token = ''] = await tokensOf(former);
      await ask('confirm', token);
      const { name: userName } = (await suite.rowOf(moved.who)) as { name: string };
      return { ...moved, former, next: `next.${name}@lind.example`, userName };
    }
    const warned = async (address: string) =>
      (await mailsTo(address)).filter(({ subject }) => /is being changed$/.test(subject));
    const status = async ({ who }: Awaited<ReturnType<typeof movedTo>>) =>
      (await who.user.get<Status>('/api/user/status')).status;

    test('[CHAN-05] both get every email until the new one is confirmed; the former one is warned at once', async () => {
      const moved = await confirmed('both');
      const { who, former, next, userName } = moved;
      await moved.saves(next);
      const [warning, ...others] = await warned(former);
      expect(others).toEqual([]);
      for (const words of [userName, next, 'If this wasn’t you', '/settings/notifications'])
        expect(warning?.text).toContain(words);
      expect(await status(moved)).toMatchObject({ email: next, unreached: { why: 'unconfirmed', former } });

      await queueMail(suite.product, who.userId);
      for (const address of [former, next])
        expect((await mailsTo(address)).at(-1)?.subject).toMatch(/^Your Meta connection expires/);
      const [token = ''] = await tokensOf(next);
      expect(await ask('confirm', token)).toMatchObject({ state: 'used' });
      expect((await status(moved)).unreached).toBeUndefined();
      const before = (await mailsTo(former)).length;
      await who.user.post('/api/account/deauthorize');
      expect((await mailsTo(next)).at(-1)?.subject).toMatch(/^SmartPause no longer has access/);
      expect(await mailsTo(former)).toHaveLength(before);
    });

    test('[CHAN-05] a confirmed address in another case stays confirmed, is not warned, and gets each email once', async () => {
      const moved = await confirmed('case');
      const { who, former } = moved;
      const before = (await mailsTo(former)).length;
      await moved.saves(former.toUpperCase());
      expect((await status(moved)).unreached).toBeUndefined();
      await queueMail(suite.product, who.userId);
      // The mailbox has no case either.
      expect((await mailsTo(former)).slice(before)).toMatchObject([
        { subject: expect.stringMatching(/^Your Meta connection expires/) as string },
      ]);
    });

    test('[CHAN-05] the change is canceled: the link to the new address confirms nothing', async () => {
      const moved = await confirmed('kept');
      const { who, former, next } = moved;
      const cancels = () => who.user.post('/api/user/email-change/cancel');
      await cancels();
      expect(await status(moved)).toMatchObject({ email: former });
      await moved.saves(next);
      const [token = ''] = await tokensOf(next);
      await cancels();
      expect(await status(moved)).toMatchObject({ email: former });
      expect((await status(moved)).unreached).toBeUndefined();
      expect(await ask('confirm', token)).toEqual({ state: 'changed', address: null });
      expect(await status(moved)).toMatchObject({ email: former });
      const { activities } = await who.user.get<{ activities: { message: string }[] }>('/api/activities');
      expect(activities[0]?.message).toContain('change of the email address canceled');
    });

    test('[CHAN-05] each is refused on its own, and gets every email until it is accepted again', async () => {
      const moved = await confirmed('refused');
      const { who, former, next } = moved;
      const refuse = (path: string) =>
        suite.simulators.mailbox.fault({
          kind: 'refuse',
          stage: 'rcpt',
          code: 550,
          times: 0,
          match: { path },
        });
      await moved.saves(next);
      await refuse(former);
      await queueMail(suite.product, who.userId);
      await mailsTo(former);
      expect((await status(moved)).unreached).toEqual({
        why: 'unconfirmed',
        at: expect.any(String) as string,
      });
      suite.product.clock.advance(minutes(1));
      expect((await mailsTo(next)).at(-1)?.subject).toBe(`Your mail server refused our email to ${former}`);
      await refuse(next);
      expect(await again(moved)).toBe(200);
      await mailsTo(next);
      expect((await status(moved)).unreached).toEqual({ why: 'refused', at: expect.any(String) as string });
      await suite.simulators.mailbox.ask('DELETE', '/faults');
      suite.product.clock.advance(minutes(31));
      expect((await mailsTo(former)).at(-1)?.subject).toMatch(/^Your Meta connection expires/);
      expect((await status(moved)).unreached).toMatchObject({ why: 'unconfirmed', former });
    });

    test('[CHAN-05] the former one learns that the new one is refused; each further address warns it, 20 times a day', async () => {
      const moved = await confirmed('told');
      const { former, next } = moved;
      const fault = { kind: 'refuse', stage: 'rcpt', code: 550, times: 0, match: { path: next } };
      await suite.simulators.mailbox.fault(fault);
      await moved.saves(next);
      await mailsTo(former);
      expect(await status(moved)).toMatchObject({ unreached: { why: 'refused', former } });
      suite.product.clock.advance(minutes(1));
      expect((await mailsTo(former)).map(({ subject }) => subject)).toContain(
        `Your mail server refused our email to ${next}`,
      );
      for (let n = 0; n < 25; n += 1) await moved.saves(`n${n}.${next}`);
      // One went to the address of the setup.
      expect(await warned(former)).toHaveLength(19);
    });
  });

  test('[CHAN-01] a login takes no address that a channel of the user has, and takes it without the channel', async () => {
    const email = 'channel.first@lind.example';
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], email });
    await db().updateTable('users').set({ email: null }).where('platformUserId', '=', who.userId).execute();
    const target = email.toUpperCase();
    const channel = { kind: 'email', name: 'Ops', target, events: ['paused'] };
    const { id } = await who.user.post<{ id: string }>('/api/destinations', channel);
    await signIn(suite.product.url, who.userId);
    expect(await suite.rowOf(who)).toMatchObject({ email: null });
    await who.user.post(`/api/destinations/${id}/delete`);
    await signIn(suite.product.url, who.userId);
    expect(await suite.rowOf(who)).toMatchObject({ email });
  });

  test('[CHAN-05] links are sent once a minute and 20 times a day; settings are saved in any case', async () => {
    const moved = await movedTo('often@lind.example');
    expect(await again(moved)).toBe(429);
    for (let sent = 1; sent < 20; sent += 1) {
      suite.product.clock.advance(minutes(1));
      expect(await again(moved)).toBe(200);
    }
    suite.product.clock.advance(hours(1));
    expect(await again(moved)).toBe(429);
    await moved.saves('other@lind.example');
    expect(await tokensOf('other@lind.example')).toEqual([]);
    expect(await unreachedOf(moved)).toMatchObject({ why: 'unconfirmed', at: null });
    suite.product.clock.advance(days(1));
    await moved.saves('other@lind.example');
    expect(await tokensOf('other@lind.example')).toHaveLength(1);
  });

  test('[CHAN-05] a refusal of the address reaches the user once through every other destination, until an email arrives', async () => {
    const moved = await movedTo('gone@lind.example');
    const { who } = moved;
    const { id: userId } = (await suite.rowOf(who)) as { id: string };
    const refusal = {
      kind: 'refuse',
      stage: 'rcpt',
      code: 550,
      times: 0,
      match: { path: 'gone@lind.example' },
    };
    const cipher = createTokenCipher([KEY_OF_TESTS]);
    const now = suite.product.clock.now();
    const hook = { userId, kind: 'email', name: 'Team', events: ['paused'], verifiedAt: now } as const;
    const destination = { ...hook, events: ['paused' as const], target: { address: 'team@lind.example' } };
    await addDestination(db(), cipher, destination, now);
    await suite.simulators.mailbox.fault(refusal);
    await suite.product.app.runTask('outbox');
    expect(await unreachedOf(moved)).toMatchObject({ why: 'refused' });
    suite.product.clock.advance(minutes(1));
    await suite.product.app.runTask('outbox');
    await suite.product.app.runTask('outbox');
    const told = await suite.simulators.mailbox.messagesTo('team@lind.example');
    expect(told.map(({ subject }) => subject)).toEqual([
      'Your mail server refused our email to gone@lind.example',
    ]);
    await suite.simulators.mailbox.ask('DELETE', '/faults');
    suite.product.clock.advance(minutes(31));
    expect(await tokensOf('gone@lind.example')).toHaveLength(1);
    expect(await unreachedOf(moved)).toMatchObject({ why: 'unconfirmed' });
  });

  test('[CHAN-05] a refusal of the text alone says nothing about the address', async () => {
    await suite.simulators.mailbox.fault({ kind: 'refuse', stage: 'data', code: 554, times: 0 });
    const moved = await movedTo('spam@lind.example');
    await suite.product.app.runTask('outbox');
    expect(await unreachedOf(moved)).toMatchObject({ why: 'unconfirmed' });
  });

  test('[CHAN-05] a destination of kind email is confirmed in the same way; its links go with its user', async () => {
    const { who } = await movedTo('own@lind.example');
    const { id: userId } = (await suite.rowOf(who)) as { id: string };
    const now = suite.product.clock.now();
    const team = { userId, kind: 'email', name: 'Team', verifiedAt: null } as const;
    const added = { ...team, events: ['paused' as const], target: { address: 'team2@lind.example' } };
    const destinationId = await addDestination(db(), createTokenCipher([KEY_OF_TESTS]), added, now);
    const send = (isNew: boolean) =>
      sendDestinationLink(db(), { userId, id: destinationId }, suite.product.clock.now(), isNew);
    await send(true);
    await expect(send(false)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const [token = ''] = await tokensOf('team2@lind.example');
    // Its recipient may not know SmartPause: the email and the page say who asks, and for what.
    const { name } = (await suite.rowOf(who)) as { name: string };
    const channel = { of: name, events: ['paused'] };
    expect(await ask('read', token)).toEqual({ state: 'open', address: 'tea…', channel });
    const [mail] = await suite.simulators.mailbox.messagesTo('team2@lind.example');
    expect(mail?.subject).toBe(`Confirm that you want SmartPause notifications from ${name}`);
    for (const words of [`${name} uses SmartPause`, 'Campaigns paused: SmartPause pauses', 'To decline,'])
      expect(mail?.text).toContain(words);
    expect(await ask('confirm', token)).toEqual({ state: 'used', address: 'tea…', channel });
    expect((await findDestination(db(), destinationId))?.verifiedAt).not.toBeNull();
    await sql`delete from users where id = ${userId}`.execute(db());
    expect(await ask('read', token)).toEqual({ state: 'unknown', address: null });
  });
});
