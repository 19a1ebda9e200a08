import type { ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { HeldAccount } from '#contract/shapes.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { sayDone, sayFailure } from '../../lib/notify.ts';
import { adAccountsQuery } from '../../lib/queries.ts';
import { usePlatformStatus, useUserStatus } from '../status/api.ts';
import { readCampaigns } from './api.ts';
import type { Target } from './bulk/actions.ts';
import { changes } from './bulk/actions.ts';
import { useAsk } from './bulk/question-dialog.tsx';
import { questionBeforeAll, questionBeforeResume } from './bulk/questions.ts';
import { useBulkChange } from './bulk/use-change.tsx';
import { isDelivered } from './campaign-view.ts';
import { isDelayed } from './outage-copy.ts';

const NOT_LOADED = 'The campaigns couldn’t be loaded.';

/** Turns SmartPause on for the active campaigns of all ad accounts. */
export function TurnOnAllButton(props: ButtonProps) {
  const client = useQueryClient();
  const ask = useAsk();
  const start = useBulkChange();
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const failure = 'Failed to turn SmartPause on';
  const { mutate, isPending } = useMutation({
    mutationFn: async () => readCampaigns(client, await client.query(adAccountsQuery)),
    onSuccess: ({ targets, unread }) => {
      const off = targets.filter(({ campaign }) => isDelivered(campaign) && changes(campaign, 'on'));
      if (off.length > 0)
        ask(questionBeforeAll(off, { status, user }, unread), () => start({ action: 'on', targets: off }));
      else if (unread.length > 0) sayFailure(failure, null, NOT_LOADED);
      else sayDone('Nothing to turn on', 'No active campaign is without SmartPause.');
    },
    onError: (error) => sayFailure(failure, error, NOT_LOADED),
  });
  return (
    <BusyButton
      size="sm"
      styles={{ label: { whiteSpace: 'normal', lineHeight: 1.35 } }}
      {...props}
      isBusy={isPending}
      onClick={mutate}
    >
      Turn on for all active campaigns
    </BusyButton>
  );
}

/** Turns SmartPause off for the campaigns that it has paused, and resumes them. */
export function ResumeNowButton({ accounts }: { accounts: readonly HeldAccount[] }) {
  const client = useQueryClient();
  const ask = useAsk();
  const start = useBulkChange();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      readCampaigns(
        client,
        accounts.filter((account) => !isDelayed(account)),
      ),
    onSuccess: ({ targets, unread }) => {
      const held = targets.flatMap((target): Target[] =>
        target.campaign.held === true ? [{ ...target, resumes: true }] : [],
      );
      if (held.length > 0)
        ask(questionBeforeResume(held, accounts.filter(isDelayed), unread), () =>
          start({ action: 'off', targets: held }),
        );
      else if (unread.length > 0) sayFailure('Failed to resume campaigns', null, NOT_LOADED);
      else sayDone('Nothing to resume', 'These campaigns are no longer paused by SmartPause.');
    },
  });
  return (
    <BusyButton size="sm" variant="default" mt="xs" isBusy={isPending} onClick={mutate}>
      Resume now
    </BusyButton>
  );
}
