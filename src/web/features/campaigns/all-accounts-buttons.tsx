import type { ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { HeldAccount } from '#contract/shapes.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { sayDone, sayFailure } from '../../lib/notify.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { usePlatformStatus, useUserStatus } from '../status/api.ts';
import { readCampaigns } from './api.ts';
import type { Target } from './bulk/actions.ts';
import { changes } from './bulk/actions.ts';
import { useAsk } from './bulk/question-dialog.tsx';
import type { Question } from './bulk/questions.ts';
import { questionBeforeAll, questionBeforeResume } from './bulk/questions.ts';
import { useBulkChange } from './bulk/use-bulk-change.tsx';
import { isDelivered } from './campaign-view.ts';
import { isDelayed } from './outage-copy.ts';

interface AccountsButtonProps extends Omit<ButtonProps, 'onClick'> {
  action: 'on' | 'off';
  /** Undefined: they could not be loaded. */
  accounts: readonly Target['account'][] | undefined;
  /** The campaigns that are changed. */
  choose: (targets: readonly Target[]) => readonly Target[];
  question: (targets: readonly Target[], unread: readonly Target['account'][]) => Question;
  /** Title of the notices: it failed, and no campaign is to be changed. */
  failure: string;
  nothing: readonly [title: string, text: string];
}

/** Reads the campaigns of these ad accounts, asks, and changes some of them. */
function AccountsButton(props: AccountsButtonProps) {
  const { action, accounts, choose, question, failure, nothing, ...rest } = props;
  const client = useQueryClient();
  const ask = useAsk();
  const start = useBulkChange();
  const { mutate, isPending } = useMutation({
    mutationFn: () => readCampaigns(client, accounts ?? []),
    onSuccess: (read) => {
      const targets = choose(read.targets);
      if (targets.length > 0) ask(question(targets, read.unread), () => start({ action, targets }));
      else if (accounts === undefined || read.unread.length > 0)
        sayFailure(failure, null, 'The campaigns couldn’t be loaded.');
      else sayDone(...nothing);
    },
  });
  return <BusyButton size="sm" {...rest} isBusy={isPending} onClick={() => mutate()} />;
}

/** Turns SmartPause on for the active campaigns of all ad accounts. */
export function TurnOnAllButton(props: ButtonProps) {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  return (
    <AccountsButton
      action="on"
      accounts={useAdAccounts({ retryOnMount: false }).data}
      choose={(all) => all.filter(({ campaign }) => isDelivered(campaign) && changes(campaign, 'on'))}
      question={(targets, unread) => questionBeforeAll(targets, { status, user }, unread)}
      failure="Failed to turn SmartPause on"
      nothing={['Nothing to turn on', 'No active campaign is without SmartPause.']}
      styles={{ label: { whiteSpace: 'normal', lineHeight: 1.35 } }}
      {...props}
    >
      Turn on for all active campaigns
    </AccountsButton>
  );
}

/** Turns SmartPause off for the campaigns that it has paused, and resumes them. */
export function ResumeNowButton({ accounts }: { accounts: readonly HeldAccount[] }) {
  return (
    <AccountsButton
      action="off"
      accounts={accounts.filter((account) => !isDelayed(account))}
      choose={(all) =>
        all.filter(({ campaign }) => campaign.held === true).map((target) => ({ ...target, resumes: true }))
      }
      question={(targets, unread) => questionBeforeResume(targets, accounts.filter(isDelayed), unread)}
      failure="Failed to resume campaigns"
      nothing={['Nothing to resume', 'These campaigns are no longer paused by SmartPause.']}
      variant="default"
      mt="xs"
    >
      Resume now
    </AccountsButton>
  );
}
