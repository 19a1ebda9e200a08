import { describe, expect, test } from 'vitest';
import type { Finding } from './activity-log.ts';
import { NOTHING_FOUND } from './activity-log.ts';
import type { LiveStatus } from './hold.ts';
import { LATE_WRITE_MS, VERIFICATION_READ_MS, afterManualChange } from './hold.ts';
import { plan } from './plan.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, holdOn, statusAfter, steps, world } from './worlds.fixture.ts';

const HIGH = statusAfter('UP', 'HIGH_DISRUPTION');
const OVER = statusAfter('HIGH_DISRUPTION', 'UP');
const now = START;
const FRESH = START - 1000;
const EXPIRES = FRESH + LATE_WRITE_MS;
const EXPIRED = START - LATE_WRITE_MS;
const EXTERNAL = { external: true };
const UNDONE = { undone: true };

interface Line extends Omit<CampaignLine, 'id'> {
  status?: typeof HIGH;
  finding?: Partial<Finding>;
}

/** The only campaign's changes and the next look; 'log': the activity log is needed. */
function decided({ status = HIGH, finding, ...line }: Line, at = now): string[] {
  const given = world({ status, campaigns: [{ id: 'a', ...line }] });
  const log = new Map([['a', { ...NOTHING_FOUND, ...finding }]]);
  const planned = plan({ ...given, log: finding === undefined ? null : log }, at);
  return [...steps(planned).map((step) => step.slice(2)), ...(planned.needsLog ? ['log'] : [])];
}

const suspected = (status: LiveStatus) => ({ suspicion: { status, since: now - VERIFICATION_READ_MS } });

describe('a pause that is not confirmed', () => {
  const fresh = { state: 'pausing', sentAt: FRESH } as const;
  const expired = { state: 'pausing', sentAt: EXPIRED } as const;
  const refused = { state: 'pausing', sentAt: null } as const;

  test.each<[string, Line, string[]]>([
    ['found PAUSED: it is ours', { live: 'PAUSED', hold: fresh }, ['paused']],
    ['found PAUSED after its expiry', { live: 'PAUSED', hold: expired, finding: {} }, ['paused']],
    ['found ACTIVE: sent again', { live: 'ACTIVE', hold: fresh }, ['pause']],
    ['found ACTIVE before its retry', { live: 'ACTIVE', hold: { ...fresh, retryAt: now + 1 } }, []],
    ['no longer wanted: waits for the expiry', { live: 'ACTIVE', hold: fresh, status: OVER }, []],
    ['found ACTIVE after its expiry: asks the log', { live: 'ACTIVE', hold: expired }, ['log']],
    ['never carried out: sent again', { live: 'ACTIVE', hold: expired, finding: {} }, ['pause']],
    [
      'never carried out and no longer wanted: over',
      { live: 'ACTIVE', hold: expired, status: OVER, finding: {} },
      ['released released: not_needed'],
    ],
    [
      '[ENG-11] carried out, then resumed outside: that change stands',
      { live: 'ACTIVE', hold: expired, finding: { ...EXTERNAL, pausedByUs: true } },
      ['paused deactivated released: resumed_outside'],
    ],
    [
      'carried out, found ACTIVE, and the log does not say why: read again',
      { live: 'ACTIVE', hold: expired, finding: { pausedByUs: true } },
      ['pausing'],
    ],
    ['refused, and still wanted: sent again', { live: 'ACTIVE', hold: refused }, ['pause']],
    [
      'refused, and no longer wanted: over',
      { live: 'ACTIVE', hold: refused, status: OVER },
      ['released released: not_needed'],
    ],
    [
      'refused, and found PAUSED: it is external',
      { live: 'PAUSED', hold: refused },
      ['released released: paused_outside'],
    ],
    ['not to be read: no information', { live: undefined, hold: fresh }, []],
    ['archived: read again', { live: 'ARCHIVED', hold: fresh }, ['pausing']],
    [
      'archived twice: over, and its result stays unknown',
      { live: 'ARCHIVED', hold: { ...fresh, ...suspected('ARCHIVED') } },
      ['released released: archived'],
    ],
  ])('[ENG-14] %s', (_title, line, expected) => {
    expect(decided(line)).toEqual(expected);
  });

  test.each<[string, Line, string[]]>([
    ['found PAUSED: reported, over at the expiry', { live: 'PAUSED', hold: fresh }, ['paused']],
    ['found ACTIVE: waits for the expiry', { live: 'ACTIVE', hold: fresh }, []],
    ['refused', { live: 'ACTIVE', hold: refused }, ['released: smartpause_off']],
    ['expired: asks the log', { live: 'ACTIVE', hold: expired }, ['log']],
    ['never carried out', { live: 'ACTIVE', hold: expired, finding: {} }, ['released: smartpause_off']],
    [
      'carried out, then resumed outside: reported',
      { live: 'ACTIVE', hold: expired, finding: { ...EXTERNAL, pausedByUs: true } },
      ['paused released: smartpause_off'],
    ],
    [
      'not to be read: its result stays unknown',
      { live: undefined, hold: expired },
      ['released released: smartpause_off'],
    ],
  ])('[ENG-12] SmartPause is off, %s', (_title, line, expected) => {
    expect(decided({ setting: 'OFF', ...line })).toEqual(expected);
  });
});

describe('a confirmed pause', () => {
  const held = { state: 'paused', sentAt: null, pausedAt: now - 600_000 } as const;
  const verifying = { ...held, sentAt: FRESH };
  const expired = { ...held, sentAt: EXPIRED };

  test.each<[string, Line, string[]]>([
    ['stays during the match', { live: 'PAUSED', hold: held }, []],
    ['is resumed when due, after a look at the log', { live: 'PAUSED', hold: held, status: OVER }, ['log']],
    ['is resumed when due', { live: 'PAUSED', hold: held, status: OVER, finding: {} }, ['resume']],
    ['[ENG-15] waits for a copy that can arrive', { live: 'PAUSED', hold: verifying, status: OVER }, []],
    ['[ENG-15] is verified at the expiry', { live: 'PAUSED', hold: expired, status: OVER }, ['log']],
    [
      '[ENG-15] is resumed after the verification',
      { live: 'PAUSED', hold: expired, status: OVER, finding: {} },
      ['resume'],
    ],
    ['found ACTIVE: read again', { live: 'ACTIVE', hold: held }, ['paused']],
    [
      '[ENG-11] found ACTIVE twice: resumed outside',
      { live: 'ACTIVE', hold: { ...held, ...suspected('ACTIVE') } },
      ['deactivated released: resumed_outside'],
    ],
    [
      '[ENG-11] the log names someone else: at once',
      { live: 'ACTIVE', hold: expired, finding: EXTERNAL },
      ['deactivated released: resumed_outside'],
    ],
    [
      '[ENG-15] a late copy undid a resume: it is restored',
      { live: 'PAUSED', hold: expired, finding: UNDONE },
      ['deactivated resume'],
    ],
    [
      '[ENG-11] paused outside: read again',
      { live: 'PAUSED', hold: held, status: OVER, finding: EXTERNAL },
      ['paused'],
    ],
    [
      '[ENG-11] paused outside twice: left alone',
      { live: 'PAUSED', hold: { ...held, ...suspected('PAUSED') }, status: OVER, finding: EXTERNAL },
      ['released released: paused_outside'],
    ],
    [
      'the log no longer shows that: resumed',
      { live: 'PAUSED', hold: { ...held, ...suspected('PAUSED') }, status: OVER, finding: {} },
      ['resume'],
    ],
    [
      'found PAUSED again: a stale read',
      { live: 'PAUSED', hold: { ...held, ...suspected('ACTIVE') } },
      ['paused'],
    ],
    ['not to be read: no information', { live: undefined, hold: held }, []],
    [
      'archived twice',
      { live: 'ARCHIVED', hold: { ...held, ...suspected('ARCHIVED') } },
      ['deactivated released: archived'],
    ],
    [
      '[ENG-12] SmartPause off: over',
      { live: 'PAUSED', setting: 'OFF', hold: held },
      ['released: smartpause_off'],
    ],
    ['[ENG-12] off, and a copy can arrive: waits', { live: 'PAUSED', setting: 'OFF', hold: verifying }, []],
    [
      '[ENG-15] off, and a late copy undid a resume: it is restored',
      { live: 'PAUSED', setting: 'OFF', hold: expired, finding: UNDONE },
      ['released resume'],
    ],
    [
      '[ENG-12] turned off and on, found PAUSED: held on',
      { live: 'PAUSED', hold: { ...held, turnedOff: true } },
      ['paused'],
    ],
    [
      '[ENG-12] turned off and on, found ACTIVE: a new hold',
      { live: 'ACTIVE', hold: { ...held, turnedOff: true } },
      ['released: smartpause_off', 'pause'],
    ],
    [
      '[ENG-12] turned off and on, found ACTIVE after the match: read again',
      { live: 'ACTIVE', hold: { ...held, turnedOff: true }, status: OVER },
      ['paused'],
    ],
  ])('%s', (_title, line, expected) => {
    expect(decided(line)).toEqual(expected);
  });

  test('[ENG-15] the next look is at the expiry', () => {
    const given = world({ status: OVER, campaigns: [{ id: 'a', live: 'PAUSED', hold: verifying }] });
    expect(plan(given, now)).toEqual({ changes: [], lookAt: EXPIRES, needsLog: false });
    // A read that was requested before the expiry does not show every copy.
    expect(plan({ ...given, readAt: EXPIRES - 1 }, EXPIRES).needsLog).toBe(false);
    expect(plan({ ...given, readAt: EXPIRES, log: null }, EXPIRES).needsLog).toBe(true);
  });
});

describe('a resume that is not confirmed', () => {
  const fresh = { state: 'resuming', sentAt: FRESH } as const;
  const expired = { state: 'resuming', sentAt: EXPIRED } as const;
  const refused = { state: 'resuming', sentAt: null } as const;
  const after = { status: OVER };

  test.each<[string, Line, string[]]>([
    ['found ACTIVE: it is ours', { live: 'ACTIVE', hold: fresh, ...after }, ['resumed']],
    ['found PAUSED: the log decides', { live: 'PAUSED', hold: fresh, ...after }, ['log']],
    ['found PAUSED: sent again', { live: 'PAUSED', hold: fresh, finding: {}, ...after }, ['resume']],
    [
      '[FR-01] found PAUSED after the end date of the campaign: not sent again',
      { live: 'PAUSED', hold: fresh, finding: {}, stopTime: now - 1, ...after },
      [],
    ],
    [
      '[ENG-11] paused outside: suspected, not sent again',
      { live: 'PAUSED', hold: fresh, finding: EXTERNAL, ...after },
      ['resuming'],
    ],
    [
      '[ENG-11] paused outside twice: waits for the expiry',
      { live: 'PAUSED', hold: { ...fresh, ...suspected('PAUSED') }, finding: EXTERNAL, ...after },
      [],
    ],
    [
      '[ENG-15] paused outside, then found ACTIVE: the expiry tells why',
      { live: 'ACTIVE', hold: { ...fresh, ...suspected('PAUSED') }, ...after },
      [],
    ],
    ['[ENG-15] a new match: no pause while it can arrive', { live: 'PAUSED', hold: fresh }, []],
    ['[ENG-15] a new match, at the expiry: asks the log', { live: 'PAUSED', hold: expired }, ['log']],
    [
      'a new match, never carried out: stays paused',
      { live: 'PAUSED', hold: expired, finding: {} },
      ['paused'],
    ],
    [
      'carried out, then paused outside: resumed',
      { live: 'PAUSED', hold: expired, finding: { ...EXTERNAL, resumedByUs: true }, ...after },
      ['resumed ends'],
    ],
    [
      'carried out, found PAUSED, and the log does not say why: read again',
      { live: 'PAUSED', hold: fresh, finding: { resumedByUs: true }, ...after },
      ['resuming'],
    ],
    [
      'carried out, found PAUSED twice: resumed',
      {
        live: 'PAUSED',
        hold: { ...expired, ...suspected('PAUSED') },
        finding: { resumedByUs: true },
        ...after,
      },
      ['resumed ends'],
    ],
    ['never carried out: sent again', { live: 'PAUSED', hold: expired, finding: {}, ...after }, ['resume']],
    [
      '[ENG-15] a late copy undid a pause: it is restored',
      { live: 'ACTIVE', hold: expired, finding: UNDONE, ...after },
      ['resumed pause'],
    ],
    ['confirmed at the expiry', { live: 'ACTIVE', hold: expired, finding: {}, ...after }, ['resumed ends']],
    ['refused, and due: sent again', { live: 'PAUSED', hold: refused, finding: {}, ...after }, ['resume']],
    ['refused, and a new match: stays paused', { live: 'PAUSED', hold: refused }, ['paused']],
    [
      'refused, and found ACTIVE: someone else did it',
      { live: 'ACTIVE', hold: refused, ...after },
      ['released released: already_active'],
    ],
    ['[ENG-12] SmartPause off, found PAUSED: waits', { live: 'PAUSED', setting: 'OFF', hold: fresh }, []],
    ['[ENG-12] off, found ACTIVE: reported', { live: 'ACTIVE', setting: 'OFF', hold: fresh }, ['resumed']],
    [
      '[ENG-12] off, never carried out: over',
      { live: 'PAUSED', setting: 'OFF', hold: expired, finding: {} },
      ['released: smartpause_off'],
    ],
    [
      'archived twice: over',
      { live: 'ARCHIVED', hold: { ...fresh, ...suspected('ARCHIVED') }, ...after },
      ['released released: archived'],
    ],
  ])('[ENG-14] %s', (_title, line, expected) => {
    expect(decided(line)).toEqual(expected);
  });
});

describe('a confirmed resume of which a copy can arrive', () => {
  const fresh = { state: 'resumed', sentAt: FRESH, resumedAt: FRESH } as const;
  const expired = { ...fresh, sentAt: EXPIRED };

  test.each<[string, Line, string[]]>([
    ['waits for the expiry', { live: 'ACTIVE', hold: fresh, status: OVER }, []],
    ['waits for the expiry during a new match', { live: 'ACTIVE', hold: fresh }, []],
    ['is verified at the expiry', { live: 'ACTIVE', hold: expired }, ['log']],
    [
      'is over, and a new match begins a new hold',
      { live: 'ACTIVE', hold: expired, finding: {} },
      ['ends', 'pause'],
    ],
    [
      'a late copy undid a pause: it is restored',
      { live: 'ACTIVE', hold: expired, finding: UNDONE },
      ['pause'],
    ],
    ['paused outside: over', { live: 'PAUSED', hold: expired, finding: EXTERNAL }, ['ends']],
    ['archived: over', { live: 'ARCHIVED', hold: fresh }, ['ends']],
  ])('[ENG-15] %s', (_title, line, expected) => {
    expect(decided(line)).toEqual(expected);
  });
});

describe('an external change that a late copy of ours undid', () => {
  const paused = { state: 'pausing', release: 'paused_outside', resumedAt: FRESH } as const;
  const resumed = { state: 'resuming', release: 'resumed_outside', resumedAt: FRESH } as const;

  test.each<[string, Line, string[]]>([
    ['is restored: paused', { live: 'ACTIVE', hold: paused, finding: UNDONE }, ['pause']],
    ['is restored: resumed', { live: 'PAUSED', hold: resumed, finding: UNDONE }, ['resume']],
    [
      'is restored with SmartPause off',
      { live: 'PAUSED', setting: 'OFF', hold: resumed, finding: UNDONE },
      ['resume'],
    ],
    ['was restored by someone else', { live: 'PAUSED', hold: paused }, ['released: paused_outside']],
    [
      'is left alone after another change',
      { live: 'ACTIVE', hold: paused, finding: EXTERNAL, status: OVER },
      ['released: paused_outside'],
    ],
    ['waits while the copy can arrive', { live: 'ACTIVE', hold: { ...paused, sentAt: FRESH } }, []],
    [
      'is reported when the copy has arrived',
      { live: 'PAUSED', hold: { ...paused, sentAt: EXPIRED } },
      ['restored released: paused_outside'],
    ],
    ['is sent again', { live: 'ACTIVE', hold: { ...paused, sentAt: EXPIRED }, finding: UNDONE }, ['pause']],
    ['waits for its retry', { live: 'ACTIVE', hold: { ...paused, retryAt: now + 1 }, finding: UNDONE }, []],
    ['is over for a deleted campaign', { live: 'DELETED', hold: paused }, ['released: paused_outside']],
  ])('[ENG-15] %s', (_title, line, expected) => {
    expect(decided(line)).toEqual(expected);
  });
});

describe('a manual change', () => {
  test.each([
    [{ state: 'paused', sentAt: null }, true, 'paused'],
    [{ state: 'pausing', sentAt: EXPIRED }, true, 'paused'],
    [{ state: 'paused', sentAt: FRESH }, false, 'paused'],
    [{ state: 'resumed', sentAt: FRESH }, false, 'resumed'],
  ] as const)('[ENG-16] ends a hold that is %o, at once: %s', (hold, isOver, state) => {
    const after = afterManualChange(holdOn('a', hold), 'manual_pause', now);
    expect(after.end !== null).toBe(isOver);
    expect(after).toMatchObject({ hold: { state, release: 'manual_pause', resumedAt: now } });
  });

  test('[ENG-15] a released hold stays until no copy can arrive', () => {
    const hold = { state: 'paused', sentAt: FRESH, release: 'manual_pause', resumedAt: FRESH } as const;
    expect(decided({ live: 'PAUSED', hold })).toEqual([]);
    expect(decided({ live: 'PAUSED', hold }, EXPIRES)).toEqual(['released: manual_pause']);
  });

  test('[ENG-16] no hold writes while an opposite one is pending, or a copy of it can arrive', () => {
    const change = { id: '1', userId: '1', campaignId: 'a', requestedAt: FRESH, metaSaid: null } as const;
    const given = world({ status: HIGH, campaigns: [{ id: 'a', live: 'ACTIVE' }] });
    const after = (manual: { status: 'ACTIVE' | 'PAUSED'; sentAt: number | null; isOver: boolean }) =>
      steps(plan({ ...given, manualChanges: [{ ...change, ...manual }] }, now));
    expect(after({ status: 'ACTIVE', sentAt: null, isOver: false })).toEqual([]);
    expect(after({ status: 'PAUSED', sentAt: null, isOver: false })).toEqual(['a pause']);
    expect(after({ status: 'ACTIVE', sentAt: FRESH, isOver: true })).toEqual([]);
    expect(after({ status: 'ACTIVE', sentAt: EXPIRED, isOver: true })).toEqual(['a pause']);
    expect(after({ status: 'PAUSED', sentAt: FRESH, isOver: true })).toEqual(['a pause']);
  });
});
