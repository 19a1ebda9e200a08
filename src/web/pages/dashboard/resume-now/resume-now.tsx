import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HeldAccount } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import { readListAgain } from '../../../api/queries.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import { campaignCalls } from '../bulk/campaign-calls.ts';
import { guardSession } from '../bulk/session-guard.ts';
import { focusList } from '../../../browser/focus-list.ts';
import { confirmCopy, isComplete, outcomeCopy } from './copy.ts';
import type { ResumeResult } from './resume-held.ts';
import { resumeHeld } from './resume-held.ts';
import type { ResumeCalls } from './turn-off-and-resume.ts';

export interface ResumeNowProps {
  /** The held campaigns when the dialog was opened. */
  accounts: readonly HeldAccount[];
  onClosed: () => void;
}

/** Asks, turns SmartPause off for the held campaigns, resumes them, and reports what failed. */
export function ResumeNow({ accounts, onClosed }: ResumeNowProps) {
  const dialog = useDialog(onClosed);
  const { resumed, result, isBusy, start } = useResume(accounts, dialog.close);
  const { title, button, ...question } = confirmCopy(accounts);
  const sentences = result === null ? [question.text, question.skipped] : outcomeCopy(result);
  return (
    <Modal
      {...dialog.props}
      onExitTransitionEnd={() => dialog.leave(result !== null)}
      title={result === null ? title : outcomeTitle(result)}
      closeOnClickOutside={!isBusy}
      onClose={() => {
        if (!isBusy) dialog.close();
      }}
    >
      <Stack gap="md">
        <Stack gap="sm" role="status">
          {sentences.map((sentence) => (
            <Text key={sentence} fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {sentence}
            </Text>
          ))}
        </Stack>
        {result === null ? (
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close} disabled={isBusy}>
              Cancel
            </Button>
            <BusyButton isBusy={isBusy} onClick={start} data-autofocus>
              {isBusy ? `Resuming… ${figure(resumed)} done` : button}
            </BusyButton>
          </Group>
        ) : (
          // The focused button has gone.
          <Button variant="default" onClick={dialog.close} style={{ alignSelf: 'flex-end' }} autoFocus>
            Close
          </Button>
        )}
      </Stack>
    </Modal>
  );
}

function outcomeTitle(result: ResumeResult): string {
  return isComplete(result)
    ? `${counted(result.resumed, 'campaign')} resumed`
    : 'Some campaigns were not resumed';
}

/** @param onSessionChange the rest is not resumed */
function useResume(accounts: readonly HeldAccount[], onSessionChange: () => void) {
  const client = useQueryClient();
  const [resumed, setResumed] = useState<number | null>(null);
  const [result, setResult] = useState<ResumeResult | null>(null);
  const resume = async () => {
    setResumed(0);
    const session = guardSession(onSessionChange);
    const { list, ...send } = campaignCalls(session);
    const calls: ResumeCalls = {
      turnOff: ({ accountId, id }) => send.setSmartPause(accountId, id, false),
      resume: ({ id }) => send.resume(id),
    };
    const { signal } = session;
    setResult(await resumeHeld({ accounts, list, calls, signal, onProgress: setResumed }));
    session.release();
    void readListAgain(client);
  };
  const isBusy = resumed !== null && result === null;
  return { resumed: resumed ?? 0, result, isBusy, start: () => void resume() };
}

/** A cancelled dialog returns the focus to its button. After a run the banner with the button goes. */
function useDialog(onClosed: () => void) {
  const [opener] = useState(() => document.activeElement);
  const [opened, setOpened] = useState(true);
  return {
    close: () => setOpened(false),
    leave: (hasRun: boolean) => {
      if (!hasRun && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusList();
      onClosed();
    },
    // It fades in only if it was rendered closed first.
    props: { opened: useMounted() && opened, returnFocus: false },
  };
}
