import { namesLabel } from '../labels.ts';
import type { KnownLevel } from '../smartpause/level.ts';
import { levelNumber } from '../smartpause/level.ts';

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
}

/** 'Meta Ads Delivery is down'. */
export function disruptionHeadline({ level, isOverridden, services }: Disruption): string {
  if (isOverridden) return `The SmartPause team reports: Meta ad services are ${HOW[level]}`;
  return `Meta ${services.length === 0 ? `ad services are ${HOW[level]}` : servicesLabel(services)}`;
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
