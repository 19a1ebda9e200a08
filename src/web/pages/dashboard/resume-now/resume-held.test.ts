import { expect, test } from 'vitest';
import type { Campaign, HeldAccount } from '#contract/shapes.ts';
import { CallError } from '../../../api/call.ts';
import { confirmCopy, isComplete, outcomeCopy } from './copy.ts';
import type { ResumeHeld } from './resume-held.ts';
import { resumeHeld } from './resume-held.ts';
import type { ResumeCalls } from './turn-off-and-resume.ts';

const outdoor: HeldAccount = { id: 'act_1', name: 'Lind Outdoor', count: 2 };
const kids: HeldAccount = { id: 'act_2', name: 'Lind Kids', count: 1 };

function campaign(name: string, held = true): Campaign {
  return { id: name, name, status: 'PAUSED', objective: '', smartPauseSetting: 'ON', held };
}
const LISTS: Record<string, Campaign[]> = {
  act_1: [campaign('Shoes'), campaign('Hats'), campaign('Film', false)],
  act_2: [campaign('Toys')],
};

type Change = Partial<ResumeCalls & Pick<ResumeHeld, 'list'>>;

async function run({ list, ...change }: Change = {}, accounts = [outdoor, kids]) {
  const sent: string[] = [];
  const calls: ResumeCalls = {
    turnOff: ({ name }) => Promise.resolve(sent.push(`off ${name}`)),
    resume: ({ name }) => Promise.resolve(sent.push(`resume ${name}`)),
    ...change,
  };
  const result = await resumeHeld({
    accounts,
    calls,
    list: list ?? ((id) => Promise.resolve(LISTS[id] ?? [])),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return { sent, result };
}
const refusal = () => new CallError('no', { status: 409, code: 'CAMPAIGN_BUSY', reason: 'It is busy.' });

test('[UX-05] turns SmartPause off for every held campaign, then resumes it', async () => {
  const { sent, result } = await run();
  for (const name of ['Shoes', 'Hats', 'Toys'])
    expect(sent.filter((one) => one.endsWith(name))).toEqual([`off ${name}`, `resume ${name}`]);
  expect(sent).toHaveLength(6);
  expect(isComplete(result)).toBe(true);
  expect(outcomeCopy(result)).toEqual(['Resumed 3 campaigns.']);
});

test('[UX-05] reports what was not resumed, and what becomes of it', async () => {
  const { result } = await run({
    turnOff: ({ name }) => (name === 'Toys' ? Promise.reject(refusal()) : Promise.resolve()),
    resume: ({ name }) => (name === 'Shoes' ? Promise.reject(refusal()) : Promise.resolve()),
  });
  expect(isComplete(result)).toBe(false);
  expect(outcomeCopy(result)).toEqual([
    'Resumed 0 campaigns.',
    '1 not resumed: Shoes. SmartPause is off for it now, so it stays paused until you resume it.',
    'It is busy.',
    '1 not changed: Toys. SmartPause stays on for it, and the scheduled resume applies.',
    '1 not tried: Hats. SmartPause stays on for it, and the scheduled resume applies.',
  ]);
});

test('[UX-05] a delayed account is skipped, and reported as not tried', async () => {
  const { sent, result } = await run({}, [outdoor, { ...kids, delayedBy: 'limited' }]);
  expect(sent).toEqual(['off Shoes', 'resume Shoes', 'off Hats', 'resume Hats']);
  expect(outcomeCopy(result)).toEqual([
    'Resumed 2 campaigns.',
    '1 not tried: Toys. SmartPause stays on for it, and the scheduled resume applies.',
  ]);
});

test('[UX-05] a lost response is reported as unknown', async () => {
  const { result } = await run({
    resume: ({ name }) => (name === 'Toys' ? Promise.reject(new TypeError('lost')) : Promise.resolve()),
  });
  expect(outcomeCopy(result)).toEqual([
    'Resumed 2 campaigns.',
    'No clear response about Toys: check the list.',
    'SmartPause could not be reached.',
  ]);
  expect(isComplete(result)).toBe(false);
});

test('[UX-05] an account that cannot be loaded is named', async () => {
  const { result } = await run({
    list: (id) => (id === 'act_2' ? Promise.reject(refusal()) : Promise.resolve(LISTS[id] ?? [])),
  });
  expect(outcomeCopy(result)).toEqual([
    'Resumed 2 campaigns.',
    'The campaigns in Lind Kids couldn’t be loaded.',
  ]);
  expect(isComplete(result)).toBe(false);
});

test('[UX-05] the confirmation says how many campaigns, where, and what changes', () => {
  expect(confirmCopy([outdoor, kids])).toEqual({
    title: 'Resume 3 campaigns now?',
    button: 'Resume 3 campaigns',
    text: 'They are in Lind Outdoor and Lind Kids. SmartPause is turned off for them, so the next disruption won’t pause them until you turn it on again.',
    skipped: null,
  });
  expect(confirmCopy([outdoor, { ...kids, delayedBy: 'limited' }])).toMatchObject({
    title: 'Resume 2 campaigns now?',
    skipped: 'Skipped, because resuming is delayed there: Lind Kids.',
  });
  expect(confirmCopy([kids])).toMatchObject({ title: 'Resume 1 campaign now?' });
});
