import type { ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readCampaigns } from './api.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { sayDone, sayFailure } from '../../lib/notify.ts';
import { isDelivered } from './campaign-view.ts';
import { changes } from './bulk/actions.ts';
import { questionBeforeAll } from './bulk/copy.ts';
import { useQuestion, useSituation } from './bulk/question-dialog.tsx';
import { useBulkChange } from './bulk/use-bulk-change.tsx';

type TurnOnAllButtonProps = Pick<ButtonProps, 'variant' | 'fullWidth' | 'mt' | 'h' | 'py'>;

/** Reads the campaigns of all ad accounts, asks, and turns SmartPause on for the active ones. */
export function TurnOnAllButton(props: TurnOnAllButtonProps) {
  const client = useQueryClient();
  const { data: accounts } = useAdAccounts();
  const { ask, dialog } = useQuestion();
  const situationOf = useSituation();
  const start = useBulkChange();
  const { mutate, isPending } = useMutation({
    mutationFn: () => readCampaigns(client, accounts ?? []),
    onSuccess: ({ campaigns, unread }) => {
      const targets = campaigns.filter(({ campaign }) => isDelivered(campaign) && changes(campaign, 'on'));
      if (targets.length > 0)
        ask(questionBeforeAll(targets, situationOf(targets), unread), () => start({ action: 'on', targets }));
      else if (accounts === undefined || unread.length > 0)
        sayFailure('Failed to turn SmartPause on', null, 'The campaigns couldn’t be loaded.');
      else sayDone('Nothing to turn on', 'No active campaign is without SmartPause.');
    },
  });
  return (
    <>
      <BusyButton
        size="sm"
        styles={{ label: { whiteSpace: 'normal', lineHeight: 1.35 } }}
        {...props}
        isBusy={isPending}
        onClick={() => mutate()}
      >
        Turn on for all active campaigns
      </BusyButton>
      {dialog}
    </>
  );
}
