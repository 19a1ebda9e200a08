import { describe, expect, test } from 'vitest';
import type { Hold } from './hold.ts';
import { LATE_WRITE_MS } from './hold.ts';
import type { ManualChange, ManualStep } from './manual-change.ts';
import { decideManual } from './manual-change.ts';
import { START, holdOn } from './worlds.fixture.ts';

const now = START;
const FRESH = now - 1000;
const wish: ManualChange = {
  id: '2',
  userId: '1',
  campaignId: 'a',
  status: 'ACTIVE',
  requestedAt: now - 3000,
  sentAt: null,
  metaSaid: null,
  isOver: false,
};
const expiry = (sentAt: number): ManualStep => ({ kind: 'wait', until: sentAt + LATE_WRITE_MS });

describe('[ENG-16] a manual resume', () => {
  test.each<[string, Partial<Hold> | null, ManualStep]>([
    ['without a hold is sent', null, { kind: 'send' }],
    ['is sent although the campaign is paused by SmartPause', { state: 'paused' }, { kind: 'send' }],
    [
      '[ENG-15] waits until a copy of our pause can no longer arrive',
      { state: 'paused', sentAt: FRESH },
      expiry(FRESH),
    ],
    [
      'is sent beside a copy of our resume',
      { state: 'resumed', sentAt: FRESH, resumedAt: FRESH },
      { kind: 'send' },
    ],
    [
      'waits until the reconciler knows what became of its own write',
      { state: 'pausing', sentAt: FRESH },
      { kind: 'wait', until: now + 2000 },
    ],
    [
      'gives it two seconds for the read after the expiry',
      { state: 'pausing', sentAt: now - LATE_WRITE_MS - 1999 },
      { kind: 'wait', until: now + 2000 },
    ],
    [
      'is sent if it still does not know then',
      { state: 'pausing', sentAt: now - LATE_WRITE_MS - 2000 },
      { kind: 'send' },
    ],
    [
      'does not wait for a write that can no longer arrive',
      { state: 'pausing', sentAt: now - 2 * LATE_WRITE_MS },
      { kind: 'send' },
    ],
  ])('%s', (_title, hold, expected) => {
    const around = { hold: hold === null ? null : holdOn('a', hold), earlier: [] };
    expect(decideManual(wish, around, undefined, now)).toEqual(expected);
  });

  test('found as requested waits for the report of a hold that wrote the same', () => {
    const pause: ManualChange = { ...wish, status: 'PAUSED', sentAt: FRESH };
    const beside = (hold: Partial<Hold>) =>
      decideManual(pause, { hold: holdOn('a', hold), earlier: [] }, 'PAUSED', now);
    expect(beside({ state: 'pausing', sentAt: FRESH })).toEqual({ kind: 'wait', until: now + 2000 });
    expect(beside({ state: 'paused', sentAt: FRESH })).toEqual({ kind: 'done' });
  });

  test('[ENG-15] waits until an opposite manual change can no longer arrive', () => {
    const pause: ManualChange = { ...wish, id: '1', status: 'PAUSED', sentAt: FRESH, isOver: true };
    const after = (earlier: ManualChange) =>
      decideManual(wish, { hold: null, earlier: [earlier] }, undefined, now);
    expect(after(pause)).toEqual(expiry(FRESH));
    expect(after({ ...pause, status: 'ACTIVE' })).toEqual({ kind: 'send' });
    expect(after({ ...pause, sentAt: now - LATE_WRITE_MS })).toEqual({ kind: 'send' });
  });

  test.each<[string, Partial<ManualChange>, 'ACTIVE' | 'PAUSED' | undefined, ManualStep]>([
    ['sent without a response: reads the campaign', { sentAt: FRESH }, undefined, { kind: 'read' }],
    [
      'that cannot be read for a minute after its expiry has failed',
      { sentAt: now - 2 * LATE_WRITE_MS },
      undefined,
      { kind: 'refuse', because: 'failed' },
    ],
    ['found as requested: done', { sentAt: FRESH }, 'ACTIVE', { kind: 'done' }],
    ['not found so: sent again soon', { sentAt: FRESH }, 'PAUSED', { kind: 'wait', until: FRESH + 2000 }],
    [
      '[FR-01] refused for good: not sent again, an earlier copy may arrive',
      { sentAt: now - 2000, metaSaid: 'It has ended' },
      'PAUSED',
      expiry(now - 2000),
    ],
    ['and sent again', { sentAt: now - 2000 }, 'PAUSED', { kind: 'send' }],
    [
      'not long after the request: waits for the expiry',
      { sentAt: FRESH, requestedAt: now - 120_000 },
      'PAUSED',
      expiry(FRESH),
    ],
    [
      'then it has failed',
      { sentAt: now - LATE_WRITE_MS, requestedAt: now - 200_000 },
      'PAUSED',
      { kind: 'refuse', because: 'failed' },
    ],
    [
      'that could not be sent in time is dropped',
      { requestedAt: now - 120_000 },
      undefined,
      { kind: 'refuse', because: 'busy' },
    ],
  ])('%s', (_title, change, live, expected) => {
    expect(decideManual({ ...wish, ...change }, { hold: null, earlier: [] }, live, now)).toEqual(expected);
  });
});
