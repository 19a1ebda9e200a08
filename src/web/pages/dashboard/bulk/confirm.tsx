import { Button, Text } from '@mantine/core';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import { isMatched } from '../../../text/campaign-view.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { HeldChoice } from '../../../components/held-choice.tsx';
import { usePlatformStatus, useUserStatus } from '../../../api/queries.ts';
import { delayCopy } from '../delay-copy.ts';
import type { BulkAction } from './actions.ts';
import { ACTION_COPY, consequenceCopy, skippedCopy } from './copy.ts';
import type { Effect } from './targets.ts';
import { Muted } from '../../../components/muted.ts';

/** The content of the confirmation at the time it opened. */
export interface Question {
  action: BulkAction;
  targets: readonly Campaign[];
  /** The ids of those that SmartPause has paused. */
  held: ReadonlySet<string>;
  /** Selected, but not changed: how many, by reason. */
  skipped: Record<Exclude<Effect, 'change'>, number>;
  /** Changing campaigns that the filters hide. */
  unseen: number;
}

export interface ConfirmProps extends Question {
  account: AdAccount;
  opened: boolean;
  onCancel: () => void;
  /** @param resume the held campaigns are resumed, too */
  onConfirm: (resume: boolean) => void;
  onClosed: () => void;
}

/** Names the account, the number, some of the campaigns, the effect, and what is skipped. */
export function Confirm(props: ConfirmProps) {
  const { account, action, targets, held, skipped, unseen } = props;
  const { opened, onCancel, onConfirm, onClosed } = props;
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const delay = delayCopy(user?.heldAccounts?.filter(({ id }) => id === account.id))[0] ?? null;
  const now = { isMatched: isMatched(status, user), held: held.size, delay, user };
  const count = counted(targets.length, 'campaign');
  return (
    <ConfirmModal
      opened={opened}
      onClose={onCancel}
      onExitTransitionEnd={onClosed}
      title={ACTION_COPY[action].ask(count)}
      busy={false}
      gap="sm"
      confirm={
        action === 'off' && held.size > 0 && delay === null ? (
          <HeldChoice onKeep={() => onConfirm(false)} onResume={() => onConfirm(true)} />
        ) : (
          <Button onClick={() => onConfirm(false)} data-autofocus>
            {ACTION_COPY[action].confirm(count)}
          </Button>
        )
      }
    >
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        In <b>{account.name}</b>: {namesLabel(targets)}.
        {unseen > 0 && ` ${figure(unseen)} of them ${unseen === 1 ? 'is' : 'are'} not shown.`}
      </Text>
      {consequenceCopy({ action, targets, ...now }).map((sentence) => (
        <Text key={sentence} fz="sm">
          {sentence}
        </Text>
      ))}
      {skippedCopy(action, skipped).map((sentence) => (
        <Muted key={sentence}>{sentence}</Muted>
      ))}
    </ConfirmModal>
  );
}
