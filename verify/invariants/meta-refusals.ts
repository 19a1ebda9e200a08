import type { Campaign } from '../../simulators/meta-graph/state/state.ts';
import type { HoldRow } from './snapshot.ts';

/** Crashes and lost responses repeat a try of which the product does not know the answer. */
const TRIES_MAX = 30;
/** The list that led to a hold may have been read this long before it. */
const READ_BEFORE_MS = 20_000;

interface Given {
  simulators: { graph: { state: { campaigns: ReadonlyMap<string, Campaign> } } };
  now: () => number;
  skewMs: () => number;
}

/** Campaigns outside their dates, and writes that Meta refuses for good. */
export class MetaRefusals {
  readonly #given: Given;
  /** Campaigns of which Meta may refuse a write for good; '*': of any. */
  readonly #refusable = new Set<string>();
  /** When the dates of a campaign were last moved. */
  readonly #movedAt = new Map<string, number>();
  /** Refused tries since the last hold of the campaign began. */
  readonly #tries = new Map<string, number>();

  constructor(given: Given) {
    this.#given = given;
  }

  /** @param campaign '*': any */
  onRefusable(campaign: string): void {
    this.#refusable.add(campaign);
  }

  onDatesMoved(campaign: string): void {
    this.#movedAt.set(campaign, this.#given.now());
  }

  /** The reconciler tries twice, and a few times more if it cannot know the answers. */
  onRefused(writes: readonly { campaign: string }[]): string[] {
    return writes.flatMap(({ campaign }) => {
      if (!this.#refusable.has(campaign)) return [];
      const tries = (this.#tries.get(campaign) ?? 0) + 1;
      this.#tries.set(campaign, tries);
      const wrong = `${campaign} is written again and again, and Meta refuses it for good`;
      return tries === TRIES_MAX ? [wrong] : [];
    });
  }

  /** A campaign is not paused before its start or after its end. */
  checkNewHold({ campaign_id: campaign, test_until }: HoldRow): string[] {
    this.#tries.delete(campaign);
    const { now, skewMs } = this.#given;
    const earliest = now() - READ_BEFORE_MS - skewMs();
    if ((this.#movedAt.get(campaign) ?? -Infinity) > earliest || test_until !== null) return [];
    const { start, stop } = this.#datesOf(campaign);
    if (stop < earliest) return ['was begun although the campaign has ended'];
    return start > now() + skewMs() ? ['was begun although the campaign has not started'] : [];
  }

  evidenceOf(campaign: string): { wasRefused: boolean; hasEnded: boolean } {
    const { now, skewMs } = this.#given;
    return {
      wasRefused: this.#refusable.has(campaign) || this.#refusable.has('*'),
      hasEnded: this.#datesOf(campaign).stop <= now() + skewMs(),
    };
  }

  #datesOf(campaign: string): { start: number; stop: number } {
    const { start_time: start, stop_time: stop } =
      this.#given.simulators.graph.state.campaigns.get(campaign) ?? {};
    return { start: Date.parse(start ?? '') || 0, stop: Date.parse(stop ?? '') || Infinity };
  }
}
