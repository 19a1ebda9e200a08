import type { Campaign } from '#contract/shapes.ts';
import { byListOrder } from '#core/campaign.ts';

/** @param kept a place for each by its id, for as long as the list must hold still; what has none comes last */
export function inOrder(
  campaigns: readonly Campaign[],
  kept: ReadonlyMap<string, number> | null,
): readonly Campaign[] {
  if (kept === null) return campaigns.toSorted(byListOrder);
  const place = ({ id }: Campaign): number => kept.get(id) ?? kept.size;
  return campaigns.toSorted((a, b) => place(a) - place(b) || byListOrder(a, b));
}
