import {
  Button,
  Group,
  Loader,
  Modal,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LiveTest } from '#contract/try-api.ts';
import { tryApi } from '#contract/try-api.ts';
import { fullTime } from '#core/new-york.ts';
import { seconds } from '#core/time.ts';
import { call, reasonOr } from '../../api/call.ts';
import { keys, useAllCampaigns } from '../../api/queries.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { CheckMark } from '../../components/check-mark.tsx';
import { Failure } from '../../components/failure.tsx';
import { sayFailure } from '../../notices.ts';
import type { TryDialogProps } from './dry-run-dialog.tsx';
import { announcement, isRunning, testSteps } from './live-test-copy.ts';
import { isDelivered } from '../../text/campaign-view.ts';
import classes from './try.module.css';

const queryKey = ['live-test'];
const POLL_MS = seconds(1);

/** Pauses and resumes one campaign on Meta, and shows each step. */
export function LiveTestDialog({ opened, onClose, onTried }: TryDialogProps) {
  // The modal returns the focus only if it opens after it was rendered closed.
  const isMounted = useMounted();
  const { data: test } = useLiveTest(opened);
  const [isAgain, setAgain] = useState(false);
  // The last result stays visible until the next test is chosen.
  const shown = test != null && (isRunning(test) || !isAgain) ? test : null;
  const hasSucceeded = test?.state === 'resumed';
  useEffect(() => {
    if (hasSucceeded && !opened) onTried?.();
  }, [hasSucceeded, opened, onTried]);
  return (
    <Modal opened={opened && isMounted} onClose={onClose} title="Run a live test">
      {test === undefined ? (
        <Loader size="sm" />
      ) : shown === null ? (
        <Choice onClose={onClose} onStarted={() => setAgain(false)} />
      ) : (
        <Progress test={shown} onClose={onClose} onAgain={() => setAgain(true)} />
      )}
    </Modal>
  );
}

function useLiveTest(enabled: boolean) {
  const client = useQueryClient();
  return useQuery({
    queryKey,
    queryFn: async () => {
      const before = client.getQueryData<LiveTest | null>(queryKey);
      const { test } = await call(tryApi.liveTest);
      if (before?.state !== test?.state) void client.invalidateQueries({ queryKey: keys.allCampaigns });
      return test;
    },
    enabled,
    refetchInterval: ({ state }) => (state.data != null && isRunning(state.data) ? POLL_MS : false),
  });
}

function Choice({ onClose, onStarted }: { onClose: () => void; onStarted: () => void }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState('');
  const start = useMutation({
    mutationFn: (id: string) => call(tryApi.startLiveTest, { params: { id } }),
    onSuccess: ({ test }) => {
      client.setQueryData(queryKey, test);
      onStarted();
    },
  });
  return (
    <Stack gap="md">
      <Text fz="sm">
        SmartPause really pauses this campaign on Meta, then resumes it after about a minute.
      </Text>
      <CampaignSelect chosen={chosen} onChoose={setChosen} />
      {start.isError && (
        <Failure text={reasonOr('The test could not start. Please try again.', start.error)} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton
          isBusy={start.isPending}
          isInert={start.isPending || chosen === ''}
          onClick={() => {
            if (chosen !== '') start.mutate(chosen);
          }}
        >
          Start the test
        </BusyButton>
      </Group>
    </Stack>
  );
}

function CampaignSelect({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { lists, isPending } = useAllCampaigns();
  const [text, setText] = useState('');
  const groups = testable(lists);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const found = groups
    .map(({ group, items }) => ({
      group,
      // The chosen one stays in the list.
      items: items.filter(({ value, label }) => value === chosen || includesText(label, text)),
    }))
    .filter(({ items }) => items.length > 0);
  const data = groups.length === 1 ? (found[0]?.items ?? []) : found;
  return (
    <>
      {count > FEW_CAMPAIGNS && (
        <TextInput
          type="search"
          label="Find a campaign"
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
      )}
      <NativeSelect
        label="Campaign"
        disabled={isPending}
        value={chosen}
        data={[
          { value: '', label: isPending ? 'Reading your campaigns…' : 'Choose a running campaign' },
          ...data,
        ]}
        onChange={({ currentTarget: { value } }) => onChoose(value)}
      />
    </>
  );
}

/** Fewer are found at a glance. */
const FEW_CAMPAIGNS = 20;

/** Running campaigns that Meta lets SmartPause change, by ad account. */
function testable(lists: ReturnType<typeof useAllCampaigns>['lists']) {
  return lists.map(({ account, campaigns }) => ({
    group: account.name,
    items: campaigns
      .filter((campaign) => isDelivered(campaign) && campaign.isLegacyAdvantage !== true)
      .map(({ id, name }) => ({ value: id, label: name })),
  }));
}

function includesText(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase());
}

interface ProgressProps {
  test: LiveTest;
  onClose: () => void;
  onAgain: () => void;
}

function Progress({ test, onClose, onAgain }: ProgressProps) {
  const client = useQueryClient();
  const isOver = !isRunning(test);
  const end = useMutation({
    mutationFn: () => call(tryApi.endLiveTest),
    onSuccess: ({ test: after }) => client.setQueryData(queryKey, after),
    onError: (error) => sayFailure('Failed to resume campaign', error),
  });
  return (
    <Stack gap="md">
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {test.campaign.name} in {test.adAccount.name}, started {fullTime(Date.parse(test.startedAt))}
      </Text>
      <VisuallyHidden role="status">{announcement(test)}</VisuallyHidden>
      {test.state === 'ended' ? <Text fz="sm">{announcement(test)}</Text> : <Steps test={test} />}
      {test.state === 'resumed' && (
        <Text fz="sm" fw={550}>
          It works. In an outage SmartPause does the same.
        </Text>
      )}
      <Group justify="flex-end">
        {isOver && (
          <Button variant="default" onClick={onAgain}>
            Test again
          </Button>
        )}
        {!isOver && (
          <BusyButton
            variant="default"
            isBusy={end.isPending}
            isInert={end.isPending || test.state !== 'paused'}
            onClick={() => end.mutate()}
          >
            Resume now
          </BusyButton>
        )}
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  );
}

const MARKS = { done: <CheckMark />, now: <Loader size={14} />, later: '·' };

function Steps({ test }: { test: LiveTest }) {
  const now = useEverySecond();
  return (
    <ol className={classes.steps}>
      {testSteps(test, now).map(({ label, state }) => (
        <li key={label}>
          <span className={classes.mark}>{MARKS[state]}</span>
          <span className="figures">{label}</span>
        </li>
      ))}
    </ol>
  );
}

/** The countdown needs more than the clock of the page. */
function useEverySecond(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), seconds(1));
    return () => clearInterval(timer);
  }, []);
  return now;
}
