import type { Campaign } from '#contract/shapes.ts';
import type { Acts } from '../campaign-row.tsx';

/** Those whose setting would really change: what is on already is not turned on again, and the other way round. */
export function targetsOf(selected: readonly Campaign[], enabled: boolean): Campaign[] {
  return selected.filter(({ smartPauseSetting }) => (smartPauseSetting === 'ON') !== enabled);
}

export function mayTurn(acts: Acts, enabled: boolean): boolean {
  return acts === 'all' || (acts === 'giving_back' && !enabled);
}
