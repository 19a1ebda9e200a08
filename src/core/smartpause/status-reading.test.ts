import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minutes, seconds } from '../time.ts';
import type { KnownLevel, Level } from './level.ts';
import { LEVELS, levelNumber } from './level.ts';
import { INITIAL_STATUS, nextStatus } from './status.ts';
import type { FileDates, StatusReading, StoredStatus } from './status-reading.ts';
import { applyReading, isOldCopy } from './status-reading.ts';

const START = Date.parse('2026-01-08T12:00:00Z');
const POLL_MS = seconds(10);
const INTERVALS = { pollMs: POLL_MS, staleMs: minutes(1) };
const NEW: StoredStatus = {
  ...INITIAL_STATUS,
  ...{ knownTrueLevel: 'UP', message: '', quote: null, checkedAt: null, fileDates: {}, lowerReading: null },
};

const LEVEL_OF: Record<string, Level> = {
  ...{ U: 'UP', L: 'LOW_DISRUPTION', M: 'MEDIUM_DISRUPTION', H: 'HIGH_DISRUPTION', '?': 'UNKNOWN' },
};
const letterOf = (level: Level) => Object.keys(LEVEL_OF).find((letter) => LEVEL_OF[letter] === level) ?? '';

/** The dates of both files, by the sign after the level. */
const DATES: Record<string, (now: number, last: FileDates) => FileDates> = {
  '': (now) => ({ orgs: now, outages: now }),
  /** The copies of the reading before. */
  '=': (_now, last) => last,
  /** The line is new, and its outages are the copy of before. */
  "'": (now, last) => ({ ...last, orgs: now }),
  '~': () => ({ orgs: null, outages: null }),
  /** One file has no date. */
  '-': (now) => ({ orgs: now, outages: null }),
  /** Both, and one of two, as a cache had them three minutes ago. */
  '<': (now) => ({ orgs: now - minutes(3), outages: now - minutes(3) }),
  ',': (now) => ({ orgs: now, outages: now - minutes(3) }),
  /** From a server whose clock is seconds behind. */
  '.': (now) => ({ orgs: now - seconds(15), outages: now - seconds(15) }),
};

function readingOf(token: string, dates: FileDates): StatusReading {
  // '!M': incomplete, at least medium.
  const [letter = '', least = ''] = token.startsWith('!') ? ['?', token[1]] : [token[0]];
  const stated = (name: string) => {
    const level = LEVEL_OF[name] ?? 'UNKNOWN';
    return { level, message: `says ${name}`, quote: level === 'UNKNOWN' ? null : name };
  };
  const atLeast = least in LEVEL_OF ? stated(least) : null;
  return { ...stated(letter), isIncomplete: token.startsWith('!'), atLeast, dates };
}

const OVERRIDES: Record<string, 'FORCE_UP' | 'FORCE_HIGH' | null> = {
  ...{ '+up': 'FORCE_UP', '+high': 'FORCE_HIGH', '+clear': null },
};

/** Plays one step per poll; 'gap': two minutes without a reading. @returns the true level after each step */
function play(steps: string) {
  let status = NEW;
  let now = START;
  let dates: FileDates = {};
  const levels = steps.split(' ').map((token) => {
    now += token === 'gap' ? minutes(2) : POLL_MS;
    if (token in OVERRIDES)
      status = { ...status, ...nextStatus(status, { directive: OVERRIDES[token] ?? null }, now) };
    else if (token !== 'gap') {
      const sign = /[='~<,.-]$/.exec(token)?.[0] ?? '';
      dates = DATES[sign]?.(now, dates) ?? {};
      status = applyReading(status, readingOf(token, dates), now, INTERVALS) ?? status;
    }
    return letterOf(status.trueLevel);
  });
  return { status, now, levels: levels.join(' ') };
}

describe('[ENG-23, FR-38] a level rises with one reading and falls with two', () => {
  test.each([
    ['the first reading of an installation', 'U', 'U'],
    ['a rise', 'U L H', 'U L H'],
    ['a fall', 'U H U U', 'U H H U'],
    ['one copy between', 'U H U H U', 'U H H H H'],
    ['a fall in steps', 'H M U U', 'H H M U'],
    ['to the higher of both, which stands as the first of the next', 'H L U U', 'H H L U'],
    ['to the higher of both, the second', 'H U L U U', 'H H L L U'],
    ['a reading at the level resets', 'M U M U U', 'M M M M U'],
    ['one above it', 'M U H U U', 'M M H H U'],
    ['UNKNOWN counts for neither', 'H U ? ? U', 'H H ? ? U'],
    ['an incomplete one counts for neither', 'H U ! U', 'H H H U'],
    ['nor with a lower level in the other file', 'H U !L U', 'H H H U'],
    ['the level in the other file resets', 'M U !M U U', 'M M M M U'],
    ['a higher level in the other file resets', 'L U !M U U', 'L L M M U'],
    ['the copies of the first', 'H U U= U= U', 'H H H H U'],
    ['one file is the copy of the first', "H U U' U", 'H H H U'],
    ['the higher one of two copies', 'H U L= U', 'H H H L'],
    ['files without a date, a poll apart', 'H U~ U~', 'H H U'],
    ['a date in one file', 'H U- U-', 'H H U'],
    ['dates in the second only', 'H U~ U', 'H H U'],
    ['a server that is seconds behind', 'H U U.', 'H H U'],
    ['old copies are not used', 'H U< U< U U', 'H H H H U'],
    ['one old file beside a new one', 'H U, U', 'H H H'],
    ['an old copy does not raise', 'H U U H<', 'H H U U'],
    ['after UNKNOWN: UNKNOWN until the second', 'H ? U U', 'H ? ? U'],
    ['after UNKNOWN: the level again', 'M ? M', 'M ? M'],
    ['after UNKNOWN: a rise', 'M ? H', 'M ? H'],
    ['after a gap: UNKNOWN until the second', 'H gap U U', 'H H ? U'],
    ['a gap between both', 'H U gap U', 'H H H U'],
    ['after a gap, one file is not read', 'H gap ! !L U U', 'H H ? ? ? U'],
    ['UP after a gap', 'U gap U', 'U U U'],
    ['an override acts at once, and does not reset', 'H U +up U', 'H H H U'],
    ['an override that ends', 'H +up +clear U U', 'H H H H U'],
    ['a lower override is no reading', 'H U +up +clear H', 'H H H H H'],
    ['a lower override while UNKNOWN is no reading', 'H +up ? U +clear U', 'H H ? ? ? U'],
    ['nor does a higher one delay a rise', 'U +high ? M +clear', 'U U ? M M'],
    ['nor beside a file that is not read', 'H +up ? U !M U', 'H H ? ? ? U'],
  ])('%s: %s', (_what, steps, expected) => {
    expect(play(steps).levels).toBe(expected);
  });

  test('the match ends at the second reading, with the words of the level', () => {
    const { status, now } = play('H L U');
    expect(status).toMatchObject({ known: 'LOW_DISRUPTION', message: 'says L', quote: 'L', checkedAt: now });
    expect(status.matchSince).toEqual({ LOW: START + POLL_MS, MEDIUM: now, HIGH: now });
    expect(status.lowerReading).toMatchObject({ level: 'UP', at: now });
  });

  test('while the first is not confirmed, a level that was fresh stays with its words, and is fresh', () => {
    const { status, now } = play('H U');
    expect(status).toMatchObject({ known: 'HIGH_DISRUPTION', message: 'says H', quote: 'H', checkedAt: now });
  });

  test('a level that was too old is UNKNOWN until then, and is fresh', () => {
    const { status, now } = play('H gap M');
    expect(status).toMatchObject({
      ...{ effective: 'UNKNOWN', known: 'HIGH_DISRUPTION', quote: null, checkedAt: now },
    });
  });

  test('readings of files without a date count if they are a poll apart, whose reads end up to a second closer', () => {
    const high = play('H').status;
    const undated = readingOf('U', DATES['~']?.(0, {}) ?? {});
    const at = START + minutes(1);
    const first = applyReading(high, undated, at, INTERVALS) ?? high;
    for (const [ms, level] of [
      [POLL_MS - seconds(1) - 1, 'HIGH_DISRUPTION'],
      [POLL_MS - seconds(1), 'UP'],
    ] as const)
      expect(applyReading(first, undated, at + ms, INTERVALS)?.trueLevel).toBe(level);
  });

  test('what is only raised keeps the age of the last complete reading', () => {
    expect(play('U !M').status).toMatchObject({
      ...{ trueLevel: 'MEDIUM_DISRUPTION', message: 'says M', checkedAt: START + POLL_MS },
    });
  });

  test('the stored date of a file is its latest; without a date it stays', () => {
    const dates = (steps: string) => play(steps).status.fileDates;
    const at = (polls: number) => START + polls * POLL_MS;
    expect(dates('U U.')).toEqual({ orgs: at(1), outages: at(1) });
    expect(dates('U U~')).toEqual({ orgs: at(1), outages: at(1) });
    expect(dates("U U'")).toEqual({ orgs: at(2), outages: at(1) });
    expect(dates('U ?')).toEqual({ orgs: at(2), outages: at(2) });
  });

  test.each([
    [START, undefined, false],
    [null, START, false],
    [START - seconds(10), START, false],
    [START - seconds(10) - 1, START, true],
  ])('a file dated %s with the stored date %s: old copy %s', (date, stored, expected) => {
    expect(isOldCopy(date, stored)).toBe(expected);
  });
});

const letter = fc.constantFrom('U', 'L', 'M', 'H', '?', '!', '!L', '!M');
const sign = fc.constantFrom('', '', '', '=', "'", '~', '<');
const steps = fc.array(
  fc.tuple(letter, sign).map(([level, date]) => level + date),
  { minLength: 2, maxLength: 12 },
);

/** Plays a history, and looks at each reading that was used. */
function playEach(
  tokens: readonly string[],
  look: (found: { before: StoredStatus; after: StoredStatus; reading: StatusReading; now: number }) => void,
): void {
  let status = NEW;
  let dates: FileDates = {};
  for (const [index, token] of tokens.entries()) {
    const now = START + index * POLL_MS;
    dates = DATES[/[='~<]$/.exec(token)?.[0] ?? '']?.(now, dates) ?? {};
    const reading = readingOf(token, dates);
    const after = applyReading(status, reading, now, INTERVALS);
    if (after === null) continue;
    look({ before: status, after, reading, now });
    status = after;
  }
}

const isBelow = (one: Level, other: Level) => levelNumber(one) < levelNumber(other);

describe('[ENG-23] in random histories', () => {
  test('a level falls only to the higher of the last two known readings, with other dates', () => {
    fc.assert(
      fc.property(steps, (tokens) => {
        const known: { level: KnownLevel; dates: FileDates }[] = [];
        playEach(tokens, ({ before, after, reading }) => {
          const last = known.at(-1);
          if (reading.level !== 'UNKNOWN') known.push({ level: reading.level, dates: reading.dates });
          if (!isBelow(after.known, before.known)) return;
          const levels = known.slice(-2).map(({ level }) => level);
          expect(levels).toHaveLength(2);
          for (const level of levels) expect(isBelow(after.known, level)).toBe(false);
          expect(isBelow(last?.level ?? 'UNKNOWN', before.known)).toBe(true);
          for (const [path, date] of Object.entries(reading.dates))
            if (date !== null) expect(before.lowerReading?.dates[path]).not.toBe(date);
        });
      }),
    );
  });

  test('two new known readings in a row end every level above both', () => {
    fc.assert(
      fc.property(
        steps,
        fc.constantFrom('U', 'L', 'M'),
        fc.constantFrom('U', 'L', 'M'),
        (tokens, one, two) => {
          let level: Level = 'UNKNOWN';
          playEach([...tokens, one, two], ({ after }) => (level = after.trueLevel));
          expect(levelNumber(level)).toBeLessThanOrEqual(
            Math.max(...[one, two].map((name) => LEVELS.indexOf(LEVEL_OF[name] ?? 'UNKNOWN'))),
          );
        },
      ),
    );
  });

  test('a rise is never late', () => {
    fc.assert(
      fc.property(steps, (tokens) => {
        playEach(tokens, ({ before, after, reading }) => {
          if (reading.level === 'UNKNOWN' || isBelow(reading.level, before.known)) return;
          expect(after.trueLevel).toBe(reading.level);
        });
      }),
    );
  });
});
