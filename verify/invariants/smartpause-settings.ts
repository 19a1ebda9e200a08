import type { HoldRow, Snapshot } from './snapshot.ts';

/** An external change during a list read may be older than the user's request. */
const BEFORE_MS = 20_000;

/** When SmartPause was last turned on for each user, and for which holds it was off since then. */
export class SmartPauseSettings {
  readonly #onSince = new Map<string, number>();
  readonly #off = new Set<number>();

  /**
   * @param lastExternalChangeAt the last external change
   * or manual pause or resume of the campaign; null: none
   * @returns the violations: turning SmartPause on overrides an earlier external change
   */
  check(
    [before, after]: readonly [Snapshot, Snapshot],
    {
      now,
      skewMs,
      lastExternalAt,
    }: { now: number; skewMs: number; lastExternalAt: (id: string) => number | null },
  ): string[] {
    const wrong: string[] = [];
    const was = new Map(before.smart_pause.map((sp) => [keyOf(sp), sp.setting]));
    for (const sp of after.smart_pause) {
      const key = keyOf(sp);
      const isKnown = ({ state, campaign_id, user_id, suspected_since }: HoldRow): boolean =>
        state !== 'ended' &&
        campaign_id === sp.campaign_id &&
        (suspected_since !== null || user_id === sp.user_id);
      if (sp.setting === 'ON' && was.get(key) !== 'ON')
        this.#onSince.set(key, before.holds.some(isKnown) ? now : -Infinity);
      const since = (this.#onSince.get(key) ?? -Infinity) - BEFORE_MS - skewMs;
      const isTaken = sp.setting === 'DEACTIVATED' && was.get(key) === 'ON';
      const externalAt = lastExternalAt(sp.campaign_id);
      if (isTaken && externalAt !== null && externalAt < since)
        wrong.push(`SmartPause of ${key} is deactivated for an external change before it was turned on`);
    }
    for (const hold of before.holds) if (!isOnIn(after, hold)) this.#off.add(hold.id);
    return wrong;
  }

  wasOff({ id }: HoldRow): boolean {
    return this.#off.has(id);
  }
}

export function isOnIn({ smart_pause }: Snapshot, hold: Pick<HoldRow, 'campaign_id' | 'user_id'>): boolean {
  return smart_pause.some(
    (sp) => sp.setting === 'ON' && sp.campaign_id === hold.campaign_id && sp.user_id === hold.user_id,
  );
}

function keyOf({ campaign_id, user_id }: Snapshot['smart_pause'][number]): string {
  return `${campaign_id} for ${user_id}`;
}
