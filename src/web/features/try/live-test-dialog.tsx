import { Box, Button, Group, Loader, Modal, Select, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '#contract/shapes.ts';
import type { LiveTest } from '#contract/try-api.ts';
import { tryApi } from '#contract/try-api.ts';
import { byName } from '#core/campaign.ts';
import { namesLabel } from '#core/labels.ts';
import { seconds } from '#core/time.ts';
import { call } from '../../lib/api-client.ts';
import { keys, useAllCampaigns } from '../../lib/queries.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { atTime } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { CheckMark } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { LoadFailure } from '../../components/query-content.tsx';
import { Time } from '../../components/time.tsx';
import { Stale } from '../../components/stale.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { notifyFailure } from '../../lib/notify.tsx';
import { isDelivered } from '../campaigns/campaign-view.ts';
import { useUnable } from '../campaigns/use-unable.ts';
import { useRetry } from '../changes/use-retry.ts';
import type { TryDialogProps } from './dry-run-dialog.tsx';
import type { TestStep } from './live-test-copy.ts';
import { announcement, isRunning, testSteps } from './live-test-copy.ts';
import classes from './try.module.css';

const queryKey = ['live-test'];
const POLL_MS = seconds(1);

/** Pauses and resumes one campaign on Meta, and shows each step. */
export function LiveTestDialog({ opened, onClose }: TryDialogProps) {
  const query = useLiveTest(opened);
  const { data: test } = query;
  const isOwn = useRanSince(opened, test);
  const title = test != null && isRunning(test) ? 'Live test running' : 'Run a live test';
  return (
    <Modal {...useDialogFocus(opened)} onClose={onClose} title={title}>
      <Stack gap="md">
        {test === undefined && !hasFailed(query) && <Loader size="sm" />}
        {test === undefined && hasFailed(query) && (
          <LoadFailure text="The live test couldn’t be loaded." query={query} />
        )}
        <Stale queries={[query]} what="the test" />
        {test != null && isOwn && <Progress test={test} />}
        {test != null && isRunning(test) && <End test={test} onClose={onClose} />}
        {test !== undefined && (test === null || !isRunning(test)) && <Choice onClose={onClose} />}
        {test != null && !isOwn && <Former test={test} />}
      </Stack>
    </Modal>
  );
}

/** Whether the test has run while the dialog was open; else it is a former one. */
function useRanSince(opened: boolean, test: LiveTest | null | undefined): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  const running = test != null && isRunning(test) ? test.id : null;
  const next = opened ? (running ?? seen) : null;
  if (next !== seen) setSeen(next);
  return test != null && test.id === next;
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
    refetchInterval: ({ state: { data } }) =>
      data != null && (isRunning(data) || data.refused !== undefined) ? POLL_MS : false,
  });
}

function Choice({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const start = useMutation({
    mutationFn: (id: string) => call(tryApi.startLiveTest, { params: { id } }),
    onSuccess: ({ test }) => client.setQueryData(queryKey, test),
    // Also after the dialog has closed.
    onError: (error) => notifyFailure('Failed to start the live test', error),
  });
  return (
    <>
      <Text fz="sm">
        On Meta, SmartPause really pauses the campaign that you choose, and resumes it after about a minute.
        Meta’s change history shows both. If the resume fails, SmartPause tries again.
      </Text>
      <CampaignSelect chosen={chosen} onChoose={setChosen} />
      <Group justify="flex-end" gap="xs" mt={4}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <BusyButton
          isBusy={start.isPending}
          disabled={chosen === null}
          onClick={() => chosen !== null && start.mutate(chosen)}
        >
          Start the test
        </BusyButton>
      </Group>
    </>
  );
}

interface CampaignSelectProps {
  chosen: string | null;
  onChoose: (id: string | null) => void;
}

/** Running campaigns that Meta lets the user change, by ad account. */
function CampaignSelect({ chosen, onChoose }: CampaignSelectProps) {
  const { lists, isPending, unread, hasNoAccounts, ...query } = useAllCampaigns();
  const missing = hasNoAccounts ? 'Your ad accounts' : `The campaigns of ${namesLabel(unread)}`;
  return (
    <>
      {!isPending && (hasNoAccounts || unread.length > 0) && (
        <LoadFailure text={`${missing} couldn’t be loaded.`} query={query} />
      )}
      <Select
        label="Campaign"
        placeholder={isPending ? 'Reading your campaigns…' : 'Choose a running one'}
        disabled={isPending}
        searchable
        limit={100}
        // The keyboard does not reach Mantine's scroll area.
        withScrollArea={false}
        styles={{ options: { maxHeight: 220, overflowY: 'auto' } }}
        value={chosen}
        data={lists
          .filter(({ account }) => account.notProtected === undefined)
          .map(({ account, campaigns }) => ({
            group: account.name,
            items: campaigns
              .filter(isTestable)
              .toSorted((a, b) => byName(a.name, b.name))
              .map(({ id, name }) => ({ value: id, label: name })),
          }))}
        nothingFoundMessage="No running campaign matches your search"
        onChange={onChoose}
      />
    </>
  );
}

function isTestable(campaign: Campaign): boolean {
  return isDelivered(campaign) && campaign.isLegacyAdvantage !== true;
}

/** Ends the running test before its time. */
function End({ test, onClose }: { test: LiveTest; onClose: () => void }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => call(tryApi.endLiveTest),
    onSuccess: ({ test: after }) => client.setQueryData(queryKey, after),
    onError: (error) => notifyFailure('Failed to resume campaign', error),
  });
  return (
    <>
      <Muted>It goes on if you close this.</Muted>
      <Group justify="flex-end" gap="xs" mt={4}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <BusyButton
          variant="default"
          isBusy={end.isPending}
          isInert={end.isPending || test.state !== 'paused'}
          onClick={() => end.mutate()}
        >
          Resume now
        </BusyButton>
      </Group>
    </>
  );
}

const MARKS = { done: <CheckMark />, now: <Loader size={14} />, later: '·' };

function Step({ step: { label, state, left } }: { step: TestStep }) {
  if (left !== undefined)
    return (
      <Text component="li" mt={8} fz={20} fw={650} lh={1.3} className="figures">
        {label}
        <Box h={4} mt={8} bdrs="xl" bg="var(--mantine-color-default-border)">
          <Box h="100%" bdrs="xl" w={`${left * 100}%`} className={classes.left} />
        </Box>
      </Text>
    );
  return (
    <Group component="li" gap={8} wrap="nowrap" className="figures">
      <Box w={20} className={classes.mark}>
        {MARKS[state]}
      </Box>
      {label}
    </Group>
  );
}

/** The last test, which ended before the dialog was opened. */
function Former({ test }: { test: LiveTest }) {
  const { campaign, adAccount, startedAt, state } = test;
  const start = Date.parse(startedAt);
  const [last] = testSteps(test, start).toReversed();
  return (
    <Muted style={{ overflowWrap: 'anywhere' }}>
      Last test, <Time at={start} />: {campaign.name} in {adAccount.name}.{' '}
      {state === 'ended' ? announcement(test, start) : `${last?.label ?? ''}.`}
      {test.refused !== undefined && <Retry {...test.campaign} />}
    </Muted>
  );
}

/** Meta refuses the resume: as at the campaign's row. */
function Retry(campaign: LiveTest['campaign']) {
  const { mutate, isPending } = useRetry(campaign);
  const isAble = useUnable() !== 'suspended';
  return (
    isAble && (
      <Box mt={4} ref={leaveFocusToList}>
        <BusyButton size="sm" variant="default" isBusy={isPending} onClick={mutate}>
          Retry now
        </BusyButton>
      </Box>
    )
  );
}

/** The test that runs, or has just ended. The countdown needs every second. */
function Progress({ test }: { test: LiveTest }) {
  const now = useNow(seconds(1));
  const announced = announcement(test, now);
  return (
    <>
      <Box style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600}>{test.campaign.name}</Text>
        <Muted fz={13}>
          in {test.adAccount.name} · started{' '}
          <Time at={test.startedAt}>{atTime(Date.parse(test.startedAt), now)}</Time>
        </Muted>
      </Box>
      <div role="status">
        {test.state === 'ended' ? (
          <Text fz="sm">{announced}</Text>
        ) : (
          <VisuallyHidden>{announced}</VisuallyHidden>
        )}
      </div>
      {test.refused !== undefined && <Retry {...test.campaign} />}
      {test.state !== 'ended' && (
        <Stack component="ol" gap={8} m={0} p={0} fz="sm" style={{ listStyle: 'none' }}>
          {testSteps(test, now).map((step, index) => (
            <Step key={index} step={step} />
          ))}
        </Stack>
      )}
      {test.state === 'resumed' && (
        <Text fz="sm" fw={550}>
          It works. In an outage SmartPause does the same.
        </Text>
      )}
    </>
  );
}
