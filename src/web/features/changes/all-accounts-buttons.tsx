import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { HeldAccount } from '#contract/shapes.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { notifyDone, notifyFailure } from '../../lib/notify.tsx';
import { adAccountsQuery } from '../../lib/queries.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { catchUpCopy, isDelayed } from '../campaigns/paused-copy.ts';
import type { Target } from './actions.ts';
import { choiceOf, choiceOfAll } from './actions.ts';
import { useChanges } from './change-provider.tsx';
import { readCampaigns } from './cached-lists.ts';
import type { Question, Situation } from './questions.ts';
import { leavingOut, questionBeforeAll, questionBeforeResume, skippedCopy } from './questions.ts';

type Accounts = readonly Target['account'][];

interface ChangeOfAll {
  action: 'on' | 'resume_now';
  accounts: () => Accounts | Promise<Accounts>;
  /** The campaigns to change, of those read, and those that cannot be changed. */
  choose: (read: readonly Target[]) => { targets: Target[]; skipped: Target[] };
  question: (targets: readonly Target[], situation: Situation, leftOut: string[]) => Question;
  nothing: readonly [title: string, text: string];
  failure: string;
  /** The campaigns are read, or could not be. */
  onRead?: (() => void) | undefined;
}

/** Reads the campaigns of several ad accounts, and asks before it changes them. */
function useChangeOfAll({ action, accounts, choose, question, nothing, failure, onRead }: ChangeOfAll) {
  const client = useQueryClient();
  const { change } = useChanges();
  const fail = (error: Error | null) => notifyFailure(failure, error, 'The campaigns couldn’t be loaded.');
  const { mutate, isPending } = useMutation({
    mutationFn: async () => readCampaigns(client, await accounts()),
    onSuccess: ({ targets: read, unread }) => {
      onRead?.();
      const { targets, skipped } = choose(read);
      const missing = leavingOut(unread, (names) => `Not included: ${names} couldn’t be loaded.`);
      const leftOut = [...missing, ...skippedCopy(skipped)];
      const [title, text] = nothing;
      if (targets.length > 0)
        change({ action, targets, question: (situation) => question(targets, situation, leftOut) });
      else if (unread.length > 0) fail(null);
      else notifyDone(title, leftOut[0] ?? text);
    },
    onError: (error) => {
      onRead?.();
      fail(error);
    },
  });
  return { isBusy: isPending, onClick: () => mutate() };
}

interface TurnOnAllButtonProps {
  children: string;
  variant: 'filled' | 'default';
  /** Closes what would be above the question. */
  onRead?: () => void;
}

/** Turns SmartPause on for the active campaigns of all ad accounts where Meta accepts changes. */
export function TurnOnAllButton({ children, variant, onRead }: TurnOnAllButtonProps) {
  const client = useQueryClient();
  const button = useChangeOfAll({
    action: 'on',
    accounts: async () => {
      const accounts = await client.query(adAccountsQuery);
      return accounts.filter(({ notProtected }) => notProtected !== 'unconfirmed');
    },
    choose: choiceOfAll,
    question: questionBeforeAll,
    nothing: ['Nothing to turn on', 'No active campaign is without SmartPause.'],
    failure: 'Failed to turn SmartPause on',
    onRead,
  });
  const isChanging = [...useChanges().pending.values()].includes('one_of_many');
  return (
    <BusyButton size="sm" variant={variant} {...button} isBusy={button.isBusy || isChanging}>
      {children}
    </BusyButton>
  );
}

export interface Disabled {
  campaignId: string;
  accountId: string;
}

/** Turns SmartPause on for campaigns for which changes outside it have disabled it. */
export function TurnOnAgainButton({ disabled }: { disabled: readonly Disabled[] }) {
  const client = useQueryClient();
  const ids = new Set(disabled.map(({ campaignId }) => campaignId));
  const button = useChangeOfAll({
    action: 'on',
    accounts: async () => {
      const accounts = await client.query(adAccountsQuery);
      return accounts.filter(({ id }) => disabled.some(({ accountId }) => accountId === id));
    },
    choose: (read) => choiceOf(read.filter(({ campaign }) => ids.has(campaign.id))),
    question: questionBeforeAll,
    nothing: ['Nothing to turn on', 'SmartPause is on for these campaigns, or can’t pause them any more.'],
    failure: 'Failed to turn SmartPause on',
  });
  return (
    <BusyButton size="sm" variant="default" {...button}>
      Turn on again
    </BusyButton>
  );
}

/** Resumes the campaigns that SmartPause has paused, which stays on for them. */
export function ResumeNowButton({ accounts }: { accounts: readonly HeldAccount[] }) {
  const isSupported = useHasCapability('campaign_changes');
  const button = useChangeOfAll({
    action: 'resume_now',
    accounts: () => accounts.filter((account) => !isDelayed(account)),
    choose: (read) => ({ targets: read.filter(({ campaign }) => campaign.held === true), skipped: [] }),
    question: (targets, situation, unread) => {
      const delayed = (names: string) => `Skipped, because resuming is delayed there: ${names}.`;
      return questionBeforeResume(targets, situation, [
        ...catchUpCopy(
          accounts.filter((one) => !isDelayed(one)),
          serverNow(),
        ),
        ...leavingOut(accounts.filter(isDelayed), delayed),
        ...unread,
      ]);
    },
    nothing: ['Nothing to resume', 'These campaigns are no longer paused by SmartPause.'],
    failure: 'Failed to resume campaigns',
  });
  if (!isSupported) return null;
  return (
    <BusyButton size="sm" variant="default" {...button}>
      Resume now
    </BusyButton>
  );
}
