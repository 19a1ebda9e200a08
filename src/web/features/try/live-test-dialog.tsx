import { Box, Button, Group, Loader, Modal, Select, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '#contract/shapes.ts';
import type { LiveTest } from '#contract/try-api.ts';
import { tryApi } from '#contract/try-api.ts';
import { fullTime } from '#core/new-york.ts';
import { seconds } from '#core/time.ts';
import { call, errorMessage } from '../../lib/api-client.ts';
import { keys, useAllCampaigns } from '../../lib/queries.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { CheckMark } from '../../components/icons.tsx';
import { Failure } from '../../components/failure.tsx';
import { sayFailure } from '../../lib/notify.ts';
import { findByWords } from '../../lib/search-words.ts';
import { isDelivered } from '../campaigns/campaign-view.ts';
import type { TryDialogProps } from './dry-run-dialog.tsx';
import { announcement, isRunning, testSteps } from './live-test-copy.ts';

const queryKey = ['live-test'];
const POLL_MS = seconds(1);

/** Pauses and resumes one campaign on Meta, and shows each step. */
export function LiveTestDialog({ opened, onClose }: TryDialogProps) {
  const { data: test } = useLiveTest(opened);
  const [isAgain, setAgain] = useState(false);
  // The last result stays visible until the next test is chosen.
  const shown = test != null && (isRunning(test) || !isAgain) ? test : null;
  const close = () => onClose(test?.state === 'resumed');
  return (
    <Modal opened={opened} onClose={close} title="Run a live test">
      {test === undefined ? (
        <Loader size="sm" />
      ) : shown === null ? (
        <Choice onClose={close} onStarted={() => setAgain(false)} />
      ) : (
        <Progress test={shown} onClose={close} onAgain={() => setAgain(true)} />
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
        <Failure text={errorMessage('The test couldn’t start. Please try again.', start.error)} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton isBusy={start.isPending} disabled={chosen === ''} onClick={() => start.mutate(chosen)}>
          Start the test
        </BusyButton>
      </Group>
    </Stack>
  );
}

/** Running campaigns that Meta lets SmartPause change, by ad account. */
function CampaignSelect({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { lists, isPending } = useAllCampaigns();
  const groupsOf = (text: string) =>
    lists.map(({ account, campaigns }) => ({
      group: account.name,
      items: findByWords(campaigns.filter(isTestable), text).map(({ id, name }) => ({
        ...{ value: id, label: name, disabled: false },
      })),
    }));
  return (
    <Select
      label="Campaign"
      placeholder={isPending ? 'Reading your campaigns…' : 'Choose a running campaign'}
      disabled={isPending}
      searchable
      limit={100}
      // The keyboard does not reach Mantine's scroll area.
      withScrollArea={false}
      styles={{ options: { maxHeight: 220, overflowY: 'auto' } }}
      value={chosen === '' ? null : chosen}
      data={groupsOf('')}
      filter={({ search }) => groupsOf(search)}
      nothingFoundMessage="No running campaign matches your search"
      onChange={(id) => onChoose(id ?? '')}
    />
  );
}

function isTestable(campaign: Campaign): boolean {
  return isDelivered(campaign) && campaign.isLegacyAdvantage !== true;
}

interface ProgressProps {
  test: LiveTest;
  onClose: () => void;
  onAgain: () => void;
}

function Progress({ test, onClose, onAgain }: ProgressProps) {
  const client = useQueryClient();
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
      <Steps test={test} />
      {test.state === 'resumed' && (
        <Text fz="sm" fw={550}>
          It works. In an outage SmartPause does the same.
        </Text>
      )}
      <Group justify="flex-end">
        {isRunning(test) ? (
          <BusyButton
            variant="default"
            isBusy={end.isPending}
            isInert={end.isPending || test.state !== 'paused'}
            onClick={() => end.mutate()}
          >
            Resume now
          </BusyButton>
        ) : (
          <Button variant="default" onClick={onAgain}>
            Test again
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  );
}

const MARKS = { done: <CheckMark />, now: <Loader size={14} />, later: '·' };

/** The countdown needs every second, more than the clock of the page. */
function Steps({ test }: { test: LiveTest }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), seconds(1), { autoInvoke: true });
  const announced = announcement(test, now);
  return (
    <>
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
      {test.state === 'ended' ? (
        <Text fz="sm">{announced}</Text>
      ) : (
        <Stack component="ol" gap={8} m={0} p={0} fz="sm" style={{ listStyle: 'none' }}>
          {testSteps(test, now).map(({ label, state }) => (
            <Group key={label} component="li" gap={8} wrap="nowrap" className="figures">
              <Box w={20} ta="center">
                {MARKS[state]}
              </Box>
              {label}
            </Group>
          ))}
        </Stack>
      )}
    </>
  );
}
