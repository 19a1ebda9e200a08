import { expect, test } from 'vitest';
import { pauseAllCopy } from './pause-all-copy.ts';

const NONE = { wouldPause: { campaigns: 0, adAccounts: 0 }, alreadyPaused: 0, unread: 0 };

test('[EARLY-08] nothing to pause, keep or read: there is no button', () => {
  expect(pauseAllCopy(NONE)).toEqual({
    sentences: [expect.stringMatching(/^Nothing to pause: no running campaign has SmartPause on\./)],
    confirm: null,
  });
});

test('[EARLY-08] what an outage has paused can be kept paused', () => {
  const { sentences, confirm } = pauseAllCopy({ ...NONE, alreadyPaused: 40 });
  expect(sentences).toEqual([
    'This keeps 40 campaigns paused that SmartPause has paused already.',
    'Campaigns without SmartPause run on.',
  ]);
  expect(confirm).toBe('Keep 40 campaigns paused');
});

test('[EARLY-08] counts what it pauses apart from what it keeps paused', () => {
  const { sentences, confirm } = pauseAllCopy({
    ...{ wouldPause: { campaigns: 3, adAccounts: 2 }, alreadyPaused: 1, unread: 0 },
  });
  expect(sentences.slice(0, 2)).toEqual([
    'This pauses 3 campaigns in 2 ad accounts, whatever Meta’s status says.',
    'It also keeps 1 campaign paused that SmartPause has paused already.',
  ]);
  expect(confirm).toBe('Pause 3 campaigns');
});

test('[EARLY-08] ad accounts that were not read may have campaigns to pause', () => {
  const { sentences, confirm } = pauseAllCopy({ ...NONE, unread: 2 });
  expect(sentences[0]).toBe('2 ad accounts couldn’t be read now: campaigns in them are paused as well.');
  expect(confirm).toBe('Pause all');
});
