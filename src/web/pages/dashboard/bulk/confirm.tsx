import { Button, Modal, Stack, Text } from '@mantine/core';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { counted, figure } from '#core/words.ts';
import { isMatched } from '../../../text/campaign-view.ts';
import { ModalButtons } from '../../../components/modal-buttons.tsx';
import { usePlatformStatus, useUserStatus } from '../../../api/queries.ts';
import { consequenceWords, endedWords, namesWords, notAllowedWords, turning } from './words.ts';

/** What is asked, as it was when it was asked. */
export interface Question {
  enabled: boolean;
  targets: readonly Campaign[];
  /** Selected, but so already. */
  unchanged: number;
  /** Selected, but Meta allows no changes to them. */
  notAllowed: number;
  /** Selected, but they have ended on Meta. */
  ended: number;
  /** Of those that change, filtered away. */
  unseen: number;
}

export interface ConfirmProps extends Question {
  account: AdAccount;
  onCancel: () => void;
  onConfirm: () => void;
}

/** Names the account, how many, some of them, and what it brings about. */
export function Confirm(props: ConfirmProps) {
  const { account, enabled, targets, unchanged, notAllowed, ended, unseen, onCancel, onConfirm } = props;
  const status = usePlatformStatus();
  const { data: person } = useUserStatus();
  const consequences = consequenceWords({ targets, enabled, isMatched: isMatched(status, person), person });
  const count = counted(targets.length, 'campaign');
  return (
    <Modal opened onClose={onCancel} title={`Turn SmartPause ${turning(enabled)} for ${count}?`}>
      <Stack gap="sm">
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          In <b>{account.name}</b>: {namesWords(targets)}.
          {unseen > 0 && ` ${figure(unseen)} of them ${unseen === 1 ? 'is' : 'are'} not shown.`}
        </Text>
        {consequences.map((sentence) => (
          <Text key={sentence} fz="sm">
            {sentence}
          </Text>
        ))}
        {unchanged > 0 && (
          <Text fz="sm" c="dimmed">
            {figure(unchanged)} more {unchanged === 1 ? 'is' : 'are'} selected, where SmartPause is{' '}
            {turning(enabled)} already.
          </Text>
        )}
        {notAllowed > 0 && (
          <Text fz="sm" c="dimmed">
            {notAllowedWords(notAllowed)}
          </Text>
        )}
        {ended > 0 && (
          <Text fz="sm" c="dimmed">
            {endedWords(ended)}
          </Text>
        )}
        <ModalButtons busy={false} onCancel={onCancel}>
          <Button onClick={onConfirm} data-autofocus>
            Turn {turning(enabled)} for {count}
          </Button>
        </ModalButtons>
      </Stack>
    </Modal>
  );
}
