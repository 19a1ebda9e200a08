import { describe, expect, test } from 'vitest';
import { days, hours, minutes } from '../time.ts';
import { SPEND_START, daysToRead, isGivenUp, nextNight, withoutReport } from './reading.ts';

const at = (text: string) => Date.parse(text);
const NEW_YORK = 'America/New_York';

describe('[SPEND-01] the days of spend to read', () => {
  test.each([
    ['UTC', '2026-01-09T03:59:00Z', '2026-01-07', '2026-01-09T04:00:00Z'],
    ['UTC', '2026-01-09T04:00:00Z', '2026-01-08', '2026-01-10T04:00:00Z'],
    [NEW_YORK, '2026-01-09T08:59:00Z', '2026-01-07', '2026-01-09T09:00:00Z'],
    [NEW_YORK, '2026-01-09T09:00:00Z', '2026-01-08', '2026-01-10T09:00:00Z'],
    ['Pacific/Kiritimati', '2026-01-08T15:00:00Z', '2026-01-08', '2026-01-09T14:00:00Z'],
    // Clocks go forward, and back.
    [NEW_YORK, '2026-03-08T09:00:00Z', '2026-03-07', '2026-03-09T08:00:00Z'],
    [NEW_YORK, '2026-11-01T08:30:00Z', '2026-10-30', '2026-11-01T09:00:00Z'],
  ])('%s at %s: the last one is %s, the next night is %s', (zone, now, last, next) => {
    const found = daysToRead(zone, at(now));
    expect([found[0]?.day, new Date(nextNight(zone, at(now))).toISOString()]).toEqual([
      last,
      next.replace('Z', '.000Z'),
    ]);
    expect(found).toHaveLength(28);
    expect(new Set(found.map(({ day }) => day)).size).toBe(28);
  });

  test.each(['UTC', NEW_YORK, 'Australia/Lord_Howe'])(
    'in %s each is read in four nights, then never again',
    (zone) => {
      const reads = new Map<string, number>();
      const readAt = new Map<string, number>();
      const start = at('2026-02-20T12:00:00Z');
      for (let now = start; now < start + days(40); now = nextNight(zone, now) + minutes(7))
        for (const { day, since } of daysToRead(zone, now)) {
          if ((readAt.get(day) ?? 0) >= since) continue;
          readAt.set(day, now);
          reads.set(day, (reads.get(day) ?? 0) + 1);
        }
      const inside = [...reads].filter(([day]) => day >= '2026-02-20' && day < '2026-03-25');
      expect(inside).toHaveLength(33);
      expect(new Set(inside.map(([, count]) => count))).toEqual(new Set([4]));
      // Days before the first night, which had settled.
      expect(reads.get('2026-01-30')).toBe(1);
    },
  );

  test('a job that was away reads only the last 28 days', () => {
    const [newest, ...older] = daysToRead('UTC', at('2026-01-09T12:00:00Z'));
    expect(newest).toEqual({ day: '2026-01-08', since: at('2026-01-09T04:00:00Z') });
    expect(older.at(-1)).toEqual({
      day: '2025-12-12',
      since: at('2025-12-12T00:00:00Z') + days(4) + hours(4),
    });
  });
});

test('[SPEND-01] a report that failed is halved, down to one campaign, and ends for the night after five', () => {
  let progress = SPEND_START;
  const sizes = [];
  while (!isGivenUp(progress)) {
    progress = withoutReport(progress, Math.min(9, progress.most));
    sizes.push(progress.most);
  }
  expect(sizes).toEqual([5, 3, 2, 1, 1]);
  expect(withoutReport(SPEND_START, null)).toMatchObject({ most: SPEND_START.most, failures: 1 });
});
