import { Button, Text } from '@mantine/core';
import { resumeCopy } from '#core/labels.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { HeldChoice } from '../../../components/held-choice.tsx';
import { useUserStatus } from '../../../api/queries.ts';
import { sayDone } from '../../../notices.ts';
import { resumeOne } from '../resume-now/resume-one.ts';
import type { ToggleQuestion } from './toggle-question.ts';

export interface ToggleDialogProps {
  campaignName: string;
  question: ToggleQuestion;
  opened: boolean;
  onCancel: () => void;
  /** @param sayDone what to tell the user after a success */
  onTurn: (sayDone?: () => void) => void;
  onTurnOffAndResume: (resume: typeof resumeOne) => void;
}

export function ToggleDialog({ question, ...props }: ToggleDialogProps) {
  const { campaignName, opened, onCancel, onTurn, onTurnOffAndResume } = props;
  const { data: user } = useUserStatus();
  const resumed = user === undefined ? '' : ` ${resumeCopy(user.resumeSettings)}`;
  const sayKept = () => sayDone('SmartPause is off', `${campaignName} stays paused until you resume it.`);
  const isOff = question === 'off_while_held';
  return (
    <ConfirmModal
      opened={opened}
      onClose={onCancel}
      title={isOff ? 'Turn SmartPause off?' : 'Turn SmartPause on?'}
      busy={false}
      confirm={
        isOff ? (
          <HeldChoice onKeep={() => onTurn(sayKept)} onResume={() => onTurnOffAndResume(resumeOne)} />
        ) : (
          <Button onClick={() => onTurn()} data-autofocus>
            Turn on and pause
          </Button>
        )
      }
    >
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {isOff ? (
          <>
            <b>{campaignName}</b> is paused by SmartPause. Resume it now, or keep it paused until you resume
            it.
          </>
        ) : (
          <>
            The disruption meets your threshold right now: <b>{campaignName}</b> is paused immediately. When
            the disruption ends, it is resumed{resumed}.
          </>
        )}
      </Text>
    </ConfirmModal>
  );
}
