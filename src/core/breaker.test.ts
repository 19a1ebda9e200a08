import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Breaker } from './breaker.ts';
import {
  CLOSED,
  FAILURES_TO_OPEN,
  LONGEST_PROBE_MS,
  admit,
  afterAnswer,
  afterOutage,
  msUntilNextCall,
} from './breaker.ts';
import { backoffMs } from './backoff.ts';

const START = 1_790_000_000_000;

/** One failure per second, one entry per failure: its user, or null. */
function failing(about: (string | null)[], { apartMs = 1_000 } = {}): Breaker {
  return about.reduce<Breaker>(
    (breaker, one, index) => afterOutage(breaker, { about: one }, START + index * apartMs, 0.5),
    CLOSED,
  );
}

describe('the breaker', () => {
  test.each([
    ['too few failures', ['a', 'b', 'a', 'b'], 'closed'],
    ['failures of two', ['a', 'a', 'a', 'a', 'b'], 'open'],
    ['the failures of one alone, however many', Array<string>(50).fill('a'), 'closed'],
    ['failures without a token', [null, null, null, null, null], 'open'],
    ['one failure without a token among those of one token', ['a', 'a', null, 'a', 'a'], 'open'],
  ])('%s', (_what, about, expected) => {
    expect(failing(about).kind).toBe(expected);
  });

  test('a response resets the failure count', () => {
    const four = failing(['a', 'b', 'a', 'b']);
    expect(afterOutage(afterAnswer(four), { about: 'a' }, START + 5_000, 0.5)).toMatchObject({
      kind: 'closed',
      failures: 1,
    });
  });

  test('failures more than one minute apart do not open the breaker', () => {
    expect(failing(['a', 'b', 'a', 'b', 'a', 'b', 'a'], { apartMs: 60_001 }).kind).toBe('closed');
    expect(failing(['a', 'b', 'a', 'b', 'a'], { apartMs: 59_000 }).kind).toBe('open');
  });

  test('an open breaker admits one probe when it is due and schedules the next one', () => {
    const open = failing([null, null, null, null, null]);
    const at = START + 4_000;
    expect(admit(open, at, 0.5).isAdmitted).toBe(false);
    const wait = msUntilNextCall(open, at);
    expect(wait).toBe(750);
    const first = admit(open, at + wait, 0.5);
    expect(first.isAdmitted).toBe(true);
    expect(admit(first.after, at + wait, 0.5).isAdmitted).toBe(false);
    expect(msUntilNextCall(first.after, at + wait)).toBe(1_500);
  });

  test('the first response closes the breaker', () => {
    const open = failing([null, null, null, null, null]);
    expect(afterAnswer(open)).toEqual(CLOSED);
    expect(admit(CLOSED, START, 0.5)).toEqual({ isAdmitted: true, after: CLOSED });
  });

  test('a failure while the breaker is open changes nothing', () => {
    const open = failing([null, null, null, null, null]);
    expect(afterOutage(open, { about: 'a' }, START + 9_000, 0.5)).toBe(open);
  });
});

const eventAbout = (about: fc.Arbitrary<string | null>) =>
  fc.record({
    kind: fc.constantFrom('ask', 'answer', 'outage'),
    about,
    afterMs: fc.integer({ min: 0, max: 20_000 }),
    roll: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });
const event = eventAbout(fc.constantFrom('a', 'b', null));

describe('for every sequence of events', () => {
  test('no call waits longer than the probe interval, also when the clock jumps', () => {
    const jump = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), jump, (events, jumpMs) => {
        const { breaker, now } = played(events);
        expect(msUntilNextCall(breaker, now)).toBeLessThanOrEqual(LONGEST_PROBE_MS);
        expect(msUntilNextCall(breaker, now + jumpMs)).toBeLessThanOrEqual(LONGEST_PROBE_MS);
        expect(admit(breaker, now + LONGEST_PROBE_MS, 0.5).isAdmitted).toBe(true);
      }),
    );
  });

  test('without responses, probes are at least half of the first interval apart', () => {
    const asks = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.double({ min: 0, max: 0.999, noNaN: true })),
    );
    fc.assert(
      fc.property(asks, (times) => {
        let breaker = failing([null, null, null, null, null]);
        let now = START + 4_000;
        const probes: number[] = [];
        for (const [afterMs, roll] of times) {
          now += afterMs;
          const { isAdmitted, after } = admit(breaker, now, roll);
          if (isAdmitted) probes.push(now);
          breaker = after;
        }
        probes
          .slice(1)
          .forEach((at, index) => expect(at - (probes[index] ?? 0)).toBeGreaterThanOrEqual(1_000));
      }),
    );
  });

  test('failures of one user never open the breaker; five without a user always do', () => {
    fc.assert(
      fc.property(fc.array(eventAbout(fc.constant('a')), { maxLength: 60 }), (events) => {
        expect(played(events).breaker.kind).toBe('closed');
      }),
    );
    const before = fc.array(event, { maxLength: 30 });
    fc.assert(
      fc.property(before, (events) => {
        const outages = Array.from({ length: FAILURES_TO_OPEN }, () => ({
          kind: 'outage',
          about: null,
          afterMs: 10,
          roll: 0,
        }));
        expect(played([...events, ...outages]).breaker.kind).toBe('open');
      }),
    );
  });

  test('the wait for a probe is at most the backoff after the same number of failures', () => {
    let breaker = failing([null, null, null, null, null]);
    let now = START + 4_000;
    for (let probes = 0; probes < 20; probes += 1) {
      const wait = msUntilNextCall(breaker, now);
      expect(wait).toBeLessThanOrEqual(backoffMs(probes + 1, 1));
      now += wait;
      breaker = admit(breaker, now, 0.999).after;
    }
  });
});

interface Event {
  kind: string;
  about: string | null;
  afterMs: number;
  roll: number;
}

function played(events: readonly Event[]): { breaker: Breaker; now: number } {
  let breaker = CLOSED;
  let now = START;
  for (const { kind, about, afterMs, roll } of events) {
    now += afterMs;
    if (kind === 'ask') breaker = admit(breaker, now, roll).after;
    else breaker = kind === 'answer' ? afterAnswer(breaker) : afterOutage(breaker, { about }, now, roll);
  }
  return { breaker, now };
}
