import type { CampaignWrite } from '#core/reconciler/hold.ts';
import type { HistoryState } from './state.ts';
import type { CallFate } from './platform.ts';

/** Meta may lift such a block at any time, so one write an hour is tried. */
export const BLOCK_MS = 3_600_000;

/** All other calls have no answer, or one about something else. */
const IS_CERTAIN: readonly CallFate[] = ['done', 'refused', 'refused_for_now', 'blocked'];

/** 'Retry now': a refused write is tried at once, and the next try is when it was due. Beside it a user who is blocked has one write an hour. */
export class RetryNowRules {
  /** That has no answer yet, with the write that it is for, and when that was due. */
  #press: { userId: string; requestedAt: number; dueAt: number } | null = null;
  /** Users whose press no write of their own has answered: the write may be of another user by then. */
  readonly #pressed = new Set<string>();
  /** The end of the hour after a block, by user. */
  readonly #blockedUntil = new Map<string, number>();
  readonly #history: HistoryState;
  readonly #report: (text: string) => void;

  constructor(history: HistoryState, report: (text: string) => void) {
    this.#history = history;
    this.#report = report;
  }

  onPress({ requestedBy: userId, requestedAt }: CampaignWrite, dueAt: number): void {
    this.#pressed.add(userId);
    if (this.#press?.requestedAt !== requestedAt) this.#press = { userId, requestedAt, dueAt };
  }

  checkSend({ requestedBy, origin }: CampaignWrite): void {
    const until = this.#blockedUntil.get(requestedBy) ?? 0;
    const isAsked = this.#pressed.has(requestedBy) || origin === 'manual';
    if (this.#history.now < until && !isAsked) this.#report('a second write in the hour of a block');
  }

  /** Before the result is stored. */
  onAnswer({ requestedBy: userId, requestedAt }: CampaignWrite, fate: CallFate): void {
    const { now } = this.#history;
    const dueAt = this.#press?.requestedAt === requestedAt ? this.#press.dueAt : 0;
    const until = dueAt > now ? Math.min(dueAt, now + BLOCK_MS) : now + BLOCK_MS;
    if (fate === 'blocked') this.#blockedUntil.set(userId, until);
    else if (IS_CERTAIN.includes(fate)) this.#blockedUntil.delete(userId);
  }

  /** After the result was stored. */
  checkNext({ requestedAt, requestedBy }: CampaignWrite, fate: CallFate): void {
    const press = this.#press;
    if (IS_CERTAIN.includes(fate)) this.#pressed.delete(requestedBy);
    if (press === null) return;
    // What is tried again soon leaves no time.
    if (!IS_CERTAIN.includes(fate)) this.#press = { ...press, dueAt: 0 };
    else this.#press = null;
    const { write, users, now } = this.#history;
    if (press.requestedAt !== requestedAt || write?.state !== 'open' || fate === 'done') return;
    const user = users.find(({ id }) => id === press.userId);
    const next = Math.max(write.retryAt ?? 0, user?.writesBlockedUntil ?? 0);
    if (this.#press === null && press.dueAt > now && next > press.dueAt)
      this.#report('‘Retry now’ has delayed the next try');
  }

  /** All is well from now on. */
  onRecovery(): void {
    this.#blockedUntil.clear();
  }
}
