import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { startSimulators } from '../../scripts/outside/simulators.ts';
import { sendTo } from './post.fixture.ts';

let simulators: Simulators;

beforeAll(async () => {
  simulators = await startSimulators(['mailbox'], 'free');
});
afterAll(() => simulators.stop());

test('the product is led to the mailbox, and its mail is found there', async () => {
  const { environment, mailbox, urls } = simulators;
  const smtpUrl = environment['SMTP_URL'] ?? '';
  expect(Object.keys(environment)).toEqual(['SMTP_URL']);
  expect(smtpUrl).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
  expect(urls.get('mailbox')).toBe(mailbox.url);

  const awaited = mailbox.waitFor('Ann@example.test', /^Paused/);
  await sendTo(smtpUrl, { to: 'bo@example.test', subject: 'Paused for Bo' });
  await sendTo(smtpUrl, { subject: 'Resumed' });
  await sendTo(smtpUrl, { subject: 'Paused for Ann' });
  expect((await awaited).subject).toBe('Paused for Ann');

  await sendTo(smtpUrl, { subject: 'Paused again' });
  expect((await mailbox.waitFor('ann@example.test', /^Paused/)).subject).toBe('Paused again');
  expect((await mailbox.messagesTo('bo@example.test')).map(({ subject }) => subject)).toEqual([
    'Paused for Bo',
  ]);
  expect(await mailbox.messages()).toHaveLength(4);
  await expect(mailbox.waitFor('ann@example.test', /never/, 100)).rejects.toThrow(
    'a mail to ann@example.test with the subject /never/',
  );
  await mailbox.clear();
  expect(await mailbox.messages()).toEqual([]);
});
