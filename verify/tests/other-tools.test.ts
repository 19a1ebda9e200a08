import { describe, expect, test } from 'vitest';
import type { Threshold } from '#core/smartpause/level.ts';
import { INITIAL_STATUS } from '#core/smartpause/status.ts';
import { freshState } from '../../simulators/meta-graph/state.ts';
import type { HoldRow, Snapshot } from '../invariants/snapshot.ts';
import { OtherTools } from '../simulation/other-tools.ts';
import { UserRequests } from '../simulation/user-requests.ts';

const TOOK_ON = Date.parse('2026-01-15T11:36:19Z');
const [BEFORE, AFTER] = [-1, 1].map((hours) => TOOK_ON + hours * 3_600_000) as [number, number];
const OVER = AFTER + 60_000;

interface Given {
  /** Since when the page meets the threshold, or does not. */
  page: [level: 'UP' | 'HIGH_DISRUPTION', since: number];
  /** What the user of the hold, or another one, said. */
  word?: { since: number; until?: number; of?: number };
  cause?: HoldRow['cause'];
}

function snapshotOf({ page: [level, since], word }: Given): Snapshot {
  const at = (time: number): string => new Date(time).toISOString();
  const until = word?.until === undefined ? null : at(word.until);
  const matchSince: Record<Threshold, number> = { LOW: since, MEDIUM: since, HIGH: since };
  const { trueLevel } = INITIAL_STATUS;
  return {
    ...{ holds: [], campaign_writes: [], users: [], schedules: {}, time_zones: {}, smartpause_settings: [] },
    ...{ warnings: [], acting_since: null, weighed_at: null },
    signals: word === undefined ? [] : [{ user_id: word.of ?? 1, since: at(word.since), until }],
    status: {
      ...{ true_level: trueLevel, override_level: null, known_level: level, checked_at: null },
      match_since: matchSince,
    },
  };
}

const holdOf = (cause: HoldRow['cause']): HoldRow => ({
  ...{ id: 1, key: 'c/1', user_id: 1, campaign_id: 'c', state: 'pausing', threshold: 'LOW', outcome: null },
  ...{ cause, release_reason: null, decided_at: null, paused_at: null, test_until: null },
  postponed_until: null,
});

function toolsThatTookOn(...campaigns: string[]): OtherTools {
  const tools = new OtherTools(freshState({ id: '1', secret: 'secret' }, null), new UserRequests());
  for (const id of campaigns) tools.tookOn.set(id, TOOK_ON);
  return tools;
}

describe('[ENG-25] after another tool has turned the campaign on, the oracle', () => {
  const wrong = ['was begun in the match in which another tool had turned the campaign on'];
  test.each<[string, Given, string[]]>([
    ['forbids a hold in the same outage', { page: ['HIGH_DISRUPTION', BEFORE] }, wrong],
    ['allows one in a later outage', { page: ['HIGH_DISRUPTION', AFTER] }, []],
    [
      '[EARLY-08] allows one of a later word in the same outage',
      { page: ['HIGH_DISRUPTION', BEFORE], word: { since: AFTER }, cause: 'user' },
      [],
    ],
    [
      '[EARLY-08] allows one of a later word without an outage',
      { page: ['UP', BEFORE], word: { since: AFTER }, cause: 'user' },
      [],
    ],
    [
      '[EARLY-08] forbids one for the outage, also in a later word',
      { page: ['HIGH_DISRUPTION', BEFORE], word: { since: AFTER }, cause: 'status' },
      wrong,
    ],
    [
      '[EARLY-08] forbids one of the same word',
      { page: ['HIGH_DISRUPTION', BEFORE], word: { since: BEFORE }, cause: 'user' },
      wrong,
    ],
    [
      '[EARLY-08] forbids one of the same word after the end of the outage',
      { page: ['UP', AFTER], word: { since: BEFORE }, cause: 'user' },
      wrong,
    ],
    [
      '[EARLY-08] allows one of a later outage in the same word',
      { page: ['HIGH_DISRUPTION', AFTER], word: { since: BEFORE }, cause: 'user' },
      [],
    ],
    [
      '[EARLY-08] forbids one of a word that is over',
      { page: ['HIGH_DISRUPTION', BEFORE], word: { since: AFTER, until: OVER }, cause: 'user' },
      wrong,
    ],
    [
      '[EARLY-08] forbids one of the word of another user',
      { page: ['HIGH_DISRUPTION', BEFORE], word: { since: AFTER, of: 2 }, cause: 'user' },
      wrong,
    ],
  ])('%s', (_title, given, expected) => {
    const snapshot = snapshotOf(given);
    const hold = holdOf(given.cause ?? 'status');
    expect(toolsThatTookOn('c').begun(hold, [snapshot, snapshot])).toEqual(expected);
    expect(toolsThatTookOn('another').begun(hold, [snapshot, snapshot])).toEqual([]);
  });

  test.each<[string, Given, boolean]>([
    [
      'allows a resume in the same outage that only a word delayed',
      { page: ['HIGH_DISRUPTION', BEFORE], cause: 'user' },
      true,
    ],
    ['forbids one in a later outage', { page: ['HIGH_DISRUPTION', AFTER], cause: 'user' }, false],
    ['has no exception without an outage', { page: ['UP', BEFORE], cause: 'user' }, false],
    ['forbids one of a hold for the outage', { page: ['HIGH_DISRUPTION', BEFORE] }, false],
  ])('[EARLY-08] %s', (_title, given, expected) => {
    const hold = holdOf(given.cause ?? 'status');
    expect(toolsThatTookOn('c').leavesRunning(hold, snapshotOf(given))).toBe(expected);
    expect(toolsThatTookOn('another').leavesRunning(hold, snapshotOf(given))).toBe(false);
  });
});
