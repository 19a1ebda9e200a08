import type { Campaign } from '#contract/shapes.ts';
import { hasEnded } from '#core/campaign.ts';
import type { Acts } from '../campaign-row.tsx';

/** Those whose setting would really change: what is on already is not turned on again, and the other way round; what has ended is not turned on. */
export function targetsOf(selected: readonly Campaign[], enabled: boolean): Campaign[] {
  return selected.filter(
    (campaign) =>
      (campaign.smartPauseSetting === 'ON') !== enabled &&
      !(enabled && (isNotAllowed(campaign) || hasEnded(campaign.status))),
  );
}

/** How many of those selected have ended on Meta, so that SmartPause is not turned on for them. */
export function countEnded(selected: readonly Campaign[], enabled: boolean): number {
  return enabled
    ? selected.filter((one) => hasEnded(one.status) && one.smartPauseSetting !== 'ON' && !isNotAllowed(one))
        .length
    : 0;
}

/** How many of those selected SmartPause may not be turned on for. */
export function countNotAllowed(selected: readonly Campaign[], enabled: boolean): number {
  return enabled ? selected.filter(isNotAllowed).length : 0;
}

/** Already on, it is held from before Meta forbade changes, and may be turned off. */
function isNotAllowed({ isLegacyAdvantage, smartPauseSetting }: Campaign): boolean {
  return isLegacyAdvantage === true && smartPauseSetting !== 'ON';
}

export function mayTurn(acts: Acts, enabled: boolean): boolean {
  return acts === 'all' || (acts === 'giving_back' && !enabled);
}
