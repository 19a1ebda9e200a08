import type { Campaign } from '../../simulators/meta-graph/state.ts';
import type { HoldRow } from './snapshot.ts';
import type { RuleClock } from './status.ts';

/** Crashes and lost responses repeat a try of which the product does not know the answer. */
const TRIES_MAX = 30;
/** The list that led to a hold may have been read this long before it. */
const READ_BEFORE_MS = 20_000;

/** Campaigns outside their dates, and writes that Meta refuses for good. */
export class MetaRefusals {
  readonly #clock: RuleClock;
  readonly #campaigns: ReadonlyMap<string, Campaign>;
  /** Campaigns of which Meta may refuse a write for good; '*': of any. */
  readonly refusable = new Set<string>();
  readonly #datesMovedAt = new Map<string, number>();
  /** Refused tries since the last hold of the campaign began. */
  readonly #tries = new Map<string, number>();

  constructor(clock: RuleClock, campaigns: ReadonlyMap<string, Campaign>) {
    this.#clock = clock;
    this.#campaigns = campaigns;
  }

  onDatesMoved(campaign: string): void {
    this.#datesMovedAt.set(campaign, this.#clock.now());
  }

  /** The reconciler tries twice, and a few times more if it cannot know the answers. */
  onRefused(campaign: string): string[] {
    if (!this.refusable.has(campaign)) return [];
    const tries = (this.#tries.get(campaign) ?? 0) + 1;
    this.#tries.set(campaign, tries);
    return tries === TRIES_MAX
      ? [`${campaign} is written again and again, and Meta refuses it for good`]
      : [];
  }

  /** A campaign is not paused before its start or after its end. */
  checkNewHold({ campaign_id: campaign, test_until }: HoldRow): string[] {
    this.#tries.delete(campaign);
    const { now, skewMs } = this.#clock;
    const earliest = now() - READ_BEFORE_MS - skewMs();
    if ((this.#datesMovedAt.get(campaign) ?? -Infinity) > earliest || test_until !== null) return [];
    const { start_time: start, stop_time: stop } = this.#campaigns.get(campaign) ?? {};
    if (Date.parse(stop ?? '') < earliest) return ['was begun although the campaign has ended'];
    return Date.parse(start ?? '') > now() + skewMs()
      ? ['was begun although the campaign has not started']
      : [];
  }

  mayHaveRefused(campaign: string): boolean {
    return this.refusable.has(campaign) || this.refusable.has('*');
  }

  hasEnded(campaign: string): boolean {
    const stop = Date.parse(this.#campaigns.get(campaign)?.stop_time ?? '');
    return stop <= this.#clock.now() + this.#clock.skewMs();
  }
}
