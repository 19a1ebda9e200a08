import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { Hold } from './hold.ts';
import {
  HOLD_STATES,
  LATE_WRITE_MS,
  LIVE_STATUSES,
  REFUSED_TRIES,
  afterManualChange,
  afterWriteDone,
  sent,
} from './hold.ts';
import { START, holdOn } from './worlds.fixture.ts';

const now = START;
const FRESH = START - 1000;
const EXPIRED = START - LATE_WRITE_MS;

describe('the platform reports that it carried out our write', () => {
  test.each([
    [
      'a pause',
      { state: 'pausing' },
      null,
      { state: 'paused', sentAt: null, pausedAt: now },
      false,
      'paused',
    ],
    ['a pause sent twice', { state: 'pausing' }, FRESH, { state: 'paused', sentAt: FRESH }, false, 'paused'],
    ['a pause, the first long ago', { state: 'pausing' }, EXPIRED, { sentAt: null }, false, 'paused'],
    ['a resume', { state: 'resuming' }, null, { state: 'resumed' }, true, 'resumed'],
    [
      'a resume sent twice',
      { state: 'resuming' },
      FRESH,
      { state: 'resumed', sentAt: FRESH },
      false,
      'resumed',
    ],
    ['a restored change', { state: 'pausing', release: 'paused_outside' }, null, {}, true, 'restored'],
  ] as const)('%s', (_title, hold, earlierAt, expected, isOver, report) => {
    const done = afterWriteDone(holdOn('a', { sentAt: now, ...hold }), earlierAt, now);
    expect(done).toMatchObject({ hold: expected, report });
    expect(done.end !== null).toBe(isOver);
  });
});

const instants = fc.constantFrom(null, FRESH, EXPIRED);
const holds: fc.Arbitrary<Hold> = fc
  .record({
    state: fc.constantFrom(...HOLD_STATES),
    sentAt: instants,
    retryAt: fc.constantFrom(null, now + 1),
    refusals: fc.nat(REFUSED_TRIES),
    suspicion: fc.option(
      fc.record({ status: fc.constantFrom(...LIVE_STATUSES), since: fc.constantFrom(EXPIRED, now) }),
      {
        nil: null,
      },
    ),
    turnedOff: fc.boolean(),
    testUntil: fc.constantFrom(null, null, now - 1, now + 1),
    release: fc.constantFrom(null, null, 'paused_outside' as const, 'resumed_outside' as const),
  })
  .map((part) =>
    holdOn('a', { ...part, resumedAt: part.state === 'resumed' || part.release !== null ? FRESH : null }),
  );
const given = fc.record({
  setting: fc.constantFrom('ON' as const, 'OFF' as const),
  pauseWanted: fc.boolean(),
  resumeFrom: fc.constantFrom(null, now - 1, now + 1),
  mayStartPause: fc.boolean(),
  hasEnded: fc.boolean(),
  finding: fc.option(
    fc.record({
      external: fc.boolean(),
      undone: fc.boolean(),
      pausedByUs: fc.boolean(),
      resumedByUs: fc.boolean(),
    }),
    { nil: null },
  ),
  now: fc.constant(now),
  readAt: fc.constantFrom(now, now - 500),
});
const seen = fc.option(fc.constantFrom(...LIVE_STATUSES), { nil: undefined });

test('[ENG-15] no write is sent while a copy of the opposite one can arrive', () => {
  fc.assert(
    fc.property(holds, seen, given, (hold, live, around) => {
      const step = decide(hold, live, around);
      if (step.kind !== 'send' || hold.sentAt === null || hold.sentAt + LATE_WRITE_MS <= now) return;
      expect(step.hold.state).toBe(hold.state);
    }),
    { numRuns: 5000 },
  );
});

test('the drawing in ARCHITECTURE.md shows exactly the transitions of the code', () => {
  const taken = new Set<string>();
  const note = (from: string, to: string): void => {
    if (from !== to) taken.add(`${from} --> ${to}`);
  };
  fc.assert(
    fc.property(holds, seen, given, (hold, live, around) => {
      const step = decide(hold, live, around);
      if (step.kind === 'change') note(hold.state, step.hold.state);
      if (step.kind === 'end') note(hold.state, '[*]');
      if (step.kind !== 'send') return;
      note(hold.state, step.hold.state);
      for (const earlierAt of [null, FRESH]) {
        const done = afterWriteDone(step.hold, step.hold.state === hold.state ? earlierAt : null, now);
        note(step.hold.state, done.end === null ? done.hold.state : '[*]');
      }
    }),
    { numRuns: 20_000 },
  );
  note('[*]', 'pausing');
  const drawing =
    /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[1] ?? '';
  const drawn = [...drawing.matchAll(/^\s*(\S+ --> [^\s:]+)/gm)].map(([, arrow]) => arrow);
  expect([...taken].sort()).toEqual(drawn.sort());
});

test.each([
  ['paused', 'paused', null, { outcome: 'released', reason: 'manual_pause', unconfirmedWrite: null }],
  ['pausing', 'paused', FRESH, null],
  ['pausing', 'paused', EXPIRED, { outcome: 'released', reason: 'manual_pause', unconfirmedWrite: null }],
  ['resuming', 'resumed', FRESH, null],
  ['resumed', 'resumed', null, { outcome: 'resumed' }],
] as const)('a hold that is %s becomes %s after a manual change', (before, state, sentAt, end) => {
  const found = afterManualChange(holdOn('a', { state: before, sentAt }), 'manual_pause', now);
  expect(found).toMatchObject({ hold: { state, release: 'manual_pause', resumedAt: now }, end });
});

test('a write of a hold forgets that SmartPause was off; restoring an external change does not', () => {
  const off = holdOn('a', { turnedOff: true });
  expect(sent(off, 'pausing', now).turnedOff).toBe(false);
  expect(sent({ ...off, release: 'smartpause_off' }, 'resuming', now).turnedOff).toBe(true);
});
