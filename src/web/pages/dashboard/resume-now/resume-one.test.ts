import { expect, test } from 'vitest';
import { CallError } from '../../../api/call.ts';
import { resumeOne } from './resume-one.ts';

const HATS = { accountId: 'act_1', id: '1', name: 'Hats' };
const LOST = new TypeError('Failed to fetch');
const REFUSED = new CallError('no', { status: 409, code: 'CAMPAIGN_BUSY' });

async function resumes(given: { off?: Error; resume?: Error; pending?: true }) {
  const sent: string[] = [];
  const fails = async (what: string, error: Error | undefined) => {
    sent.push(what);
    await Promise.resolve();
    if (error !== undefined) throw error;
    return given.pending === undefined ? {} : { pending: given.pending };
  };
  const result = await resumeOne(HATS, {
    turnOff: () => fails('off', given.off),
    resume: () => fails('resume', given.resume),
  });
  return { sent, result };
}

test.each([
  [{}, { ok: true, isPending: false }],
  [{ pending: true }, { ok: true, isPending: true }],
] as const)('[UX-03] turns SmartPause off, then resumes: %j', async (given, expected) => {
  expect(await resumes(given)).toEqual({ sent: ['off', 'resume'], result: expected });
});

test.each([
  [{ off: REFUSED }, 'Failed to toggle SmartPause'],
  [{ resume: REFUSED }, 'SmartPause is off, but resuming the campaign failed'],
  [{ off: LOST }, 'No clear response about Hats'],
  [{ resume: LOST }, 'No clear response about Hats'],
])('[UX-03] says what is known after a failure: %j', async (given, title) => {
  expect((await resumes(given)).result).toMatchObject({ ok: false, title });
});
