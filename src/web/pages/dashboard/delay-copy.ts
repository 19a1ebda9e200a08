import type { HeldAccount } from '#contract/shapes.ts';
import { namesLabel } from '#core/labels.ts';
import type { ResumeDelay } from '#core/smartpause/resume-delay.ts';

const DELAYS: Record<ResumeDelay, (accounts: string) => string> = {
  login: () => 'Meta no longer accepts our access: nothing resumes until you reconnect.',
  access_lost: (accounts) =>
    `You no longer have access to ${accounts} on Meta: nothing resumes there without it.`,
  limited: (accounts) =>
    `Meta’s rate limit for ${accounts} is reached: resuming continues when Meta allows it.`,
  no_answer: (accounts) => `Meta isn’t responding for ${accounts}: we keep trying.`,
};

/** What delays the resume, one sentence for each cause. */
export function delayCopy(accounts: readonly HeldAccount[] = []): string[] {
  const byCause = Map.groupBy(accounts, ({ delayedBy }) => delayedBy);
  return [...byCause].flatMap(([cause, delayed]) =>
    cause === undefined ? [] : [DELAYS[cause](namesLabel(delayed))],
  );
}

/** A resume there would fail. */
export function isDelayed({ delayedBy }: HeldAccount): boolean {
  return delayedBy !== undefined;
}
