import { durationLabel, namesLabel } from '../labels.ts';
import type { Instant } from '../time.ts';
import { minutes } from '../time.ts';
import type { KnownLevel } from './level.ts';
import { levelNumber } from './level.ts';

export interface DownService {
  name: string;
  level: KnownLevel;
}

/** In plain words, for one or several services. */
const HOW: Record<Exclude<KnownLevel, 'UP'>, string> = {
  HIGH_DISRUPTION: 'down',
  MEDIUM_DISRUPTION: 'disrupted',
  LOW_DISRUPTION: 'slightly disrupted',
};

interface Disruption {
  level: Exclude<KnownLevel, 'UP'>;
  /** An admin's override; Meta's services say nothing about it. */
  isOverridden: boolean;
  /** Those above UP on Meta's page; empty: not known. */
  services: readonly DownService[];
  /** Null: not known. */
  since: Instant | null;
}

/** 'Meta Ads Delivery is down · 12 min'. */
export function disruptionHeadline(
  { level, isOverridden, services, since }: Disruption,
  now: Instant,
): string {
  const what = services.length === 0 ? `ad services are ${HOW[level]}` : servicesLabel(services);
  const whole = isOverridden
    ? `The SmartPause team reports: Meta ad services are ${HOW[level]}`
    : `Meta ${what}`;
  return since === null ? whole : `${whole} · ${elapsedLabel(Math.max(0, now - since))}`;
}

/** 'Ads Delivery is down, Ads Manager and Login are disrupted': worst first. */
function servicesLabel(services: readonly DownService[]): string {
  const byLevel = Map.groupBy(services, ({ level }) => level);
  const worstFirst = [...byLevel].toSorted(([a], [b]) => levelNumber(b) - levelNumber(a));
  const parts = worstFirst.flatMap(([level, same]) => {
    const named = same.map(({ name }) => ({ name: name.replace(/^Meta /, '') }));
    return level === 'UP' ? [] : [`${namesLabel(named)} ${named.length === 1 ? 'is' : 'are'} ${HOW[level]}`];
  });
  return parts.join(', ');
}

/** In whole minutes: '12 min', '1 h 5 min'. */
function elapsedLabel(ms: number): string {
  return ms < minutes(1) ? 'just now' : durationLabel(ms - (ms % minutes(1)));
}
