import { days } from '../time.ts';

/**
 * Days on which advertisers spend unlike on others: Thanksgiving to Cyber Monday, and 24 December to 1 January. What is
 * delivered then neither votes nor is usual.
 * @param day '2026-11-27', by the ad account's own clock
 */
export function isUnusualDay(day: string): boolean {
  const [, month = '', date = ''] = day.split('-');
  if (month === '12' && date >= '24') return true;
  if (month === '01' && date === '01') return true;
  const since = (Date.parse(day) - thanksgiving(new Date(day).getUTCFullYear())) / days(1);
  return since >= 0 && since <= CYBER_MONDAY;
}

/** Days after Thanksgiving. */
const CYBER_MONDAY = 4;
const THURSDAY = 4;

/** The fourth Thursday of November. */
function thanksgiving(year: number): number {
  const first = new Date(Date.UTC(year, 10, 1)).getUTCDay();
  return Date.UTC(year, 10, 22 + ((THURSDAY - first + 7) % 7));
}
