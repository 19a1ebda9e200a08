import { Alert, Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserStatus } from '#contract/shapes.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import { readListAgain, useAllCampaigns, usePlatformStatus, useUserStatus } from '../../../api/queries.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { sayDone } from '../../../notices.ts';
import { isMatched } from '../../../text/campaign-view.ts';
import { campaignCalls } from '../bulk/campaign-calls.ts';
import { consequenceCopy } from '../bulk/copy.ts';
import { runBulk } from '../bulk/run.ts';
import { guardSession } from '../bulk/session-guard.ts';
import type { Target } from './all-active.ts';
import { countLabel, unprotectedActive } from './all-active.ts';

/** Asks first, then turns SmartPause on for the active campaigns of all ad accounts. */
export function TurnOnAll({ onClose }: { onClose: () => void }) {
  const { lists, isPending, isError } = useAllCampaigns();
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const isNow = isMatched(status, user);
  const { run, progress, failure } = useTurnOn(isNow, onClose);
  const isRunning = progress !== null;
  const targets = unprotectedActive(lists);
  const isReady = !isPending && targets.length > 0;
  return (
    <ConfirmModal
      opened
      onClose={() => {
        if (!isRunning) onClose();
      }}
      title="Turn SmartPause on for all active campaigns?"
      busy={isRunning}
      gap="sm"
      confirm={
        <Button onClick={() => void run(targets)} disabled={!isReady} loading={isPending || isRunning}>
          {isReady ? `Turn on for ${counted(targets.length, 'campaign')}` : 'Turn on'}
        </Button>
      }
    >
      {isPending && <Text fz="sm">Reading your campaigns…</Text>}
      {!isPending && <Question targets={targets} accounts={lists.length} isNow={isNow} user={user} />}
      {isError && (
        <Text fz="sm">Some ad accounts couldn’t be read, so their campaigns are not included.</Text>
      )}
      {progress !== null && (
        <Text fz="sm" role="status" className="figures">
          {figure(progress.done)} of {figure(progress.total)} turned on…
        </Text>
      )}
      {failure !== null && (
        <Alert color="red" role="alert" py="xs">
          {failure}
        </Alert>
      )}
    </ConfirmModal>
  );
}

interface QuestionProps {
  targets: readonly Target[];
  accounts: number;
  /** The status meets the user's threshold. */
  isNow: boolean;
  user: UserStatus | undefined;
}

function Question({ targets, accounts, isNow, user }: QuestionProps) {
  if (targets.length === 0) {
    return (
      <Text fz="sm">
        There is no active campaign without SmartPause in {counted(accounts, 'ad account')}.
      </Text>
    );
  }
  const campaigns = targets.map(({ campaign }) => campaign);
  const now = { isMatched: isNow, held: 0, delay: null, user };
  const effects = { action: 'on' as const, targets: campaigns, ...now };
  return (
    <>
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {countLabel(targets)}: {namesLabel(campaigns)}.
      </Text>
      {consequenceCopy(effects).map((sentence) => (
        <Text key={sentence} fz="sm">
          {sentence}
        </Text>
      ))}
    </>
  );
}

function useTurnOn(isNow: boolean, onDone: () => void) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (targets: readonly Target[]): Promise<void> => {
    const session = guardSession(() => undefined);
    const calls = campaignCalls(session);
    let done = 0;
    let reason: string | null = null;
    setFailure(null);
    setProgress({ done, total: targets.length });
    const obstacle = await runBulk({
      targets,
      signal: session.signal,
      send: ({ account, campaign }) => calls.setSmartPause(account.id, campaign.id, true),
      onProgress: (now) => {
        done = now.done.length;
        reason = now.failed.at(-1)?.reason ?? null;
        setProgress({ done, total: targets.length });
      },
    });
    session.release();
    await readListAgain(client);
    setProgress(null);
    if (done < targets.length) {
      setFailure(
        `Turned on for ${figure(done)} of ${counted(targets.length, 'campaign')}. ${obstacle ?? reason ?? ''}`,
      );
      return;
    }
    const paused = isNow ? ` and pauses ${done === 1 ? 'it' : 'them'} now` : '';
    sayDone('Your campaigns are protected', `SmartPause is on for ${counted(done, 'campaign')}${paused}.`);
    onDone();
  };
  return { run, progress, failure };
}
