import { Alert, Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { totalOf } from '#core/coverage.ts';
import { CheckMark } from '../../components/icons.tsx';
import { BannerLink } from '../../components/links.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { ofThisTab } from '../../lib/storage.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { useUserStatus } from '../status/api.ts';
import { TryButtons } from '../try/try-buttons.tsx';
import { TurnOnAllButton } from './all-accounts-buttons.tsx';

const STEPS = [
  'Connect Meta',
  'Choose when to pause and resume',
  'Choose campaigns',
  'Run a test (optional)',
] as const;

/** In this tab the user has seen the open checklist, or dismissed the finished one. */
const KEY = 'checklist';

/** What is left before campaigns are protected. Once finished it stays until it is dismissed: nothing moves up. */
export function Checklist({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  const hasTest = useHasCapability('test_run');
  const hasAccounts = useAdAccounts().data?.length !== 0;
  const [seen, setSeen] = useState(() => ofThisTab.read(KEY));
  const note = (next: 'open' | 'dismissed') => {
    ofThisTab.write(KEY, next);
    setSeen(next);
  };
  const isFinished = isInitialized && user?.hasChosenCampaigns !== false;
  if (!isFinished && seen !== 'open') note('open');
  // In an outage the campaigns matter more.
  if (isFinished && (seen !== 'open' || user?.protectedRunning !== undefined)) return null;
  const canChoose = isInitialized && hasAccounts;
  const done = isFinished ? 3 : isInitialized ? 2 : 1;
  const coverage = user?.coverage;
  const isComplete = isFinished && coverage !== undefined && totalOf(coverage, ['open']).count === 0;
  return (
    <Alert
      ref={leaveFocusToList}
      role="note"
      color={isFinished ? 'gray' : isInitialized ? 'blue' : 'orange'}
      title={
        isFinished
          ? 'Setup complete'
          : isInitialized
            ? 'Choose campaigns to protect'
            : 'Account Setup Required'
      }
      withCloseButton={isFinished}
      closeButtonLabel="Hide checklist"
      onClose={() => note('dismissed')}
    >
      {/* As long in each step, so that no row below moves. */}
      <Text inherit>
        {isFinished &&
          'An outage pauses campaigns with SmartPause on. Use the switches below to change which.'}
        {!isFinished && 'Nothing is protected yet.'}
        {!isFinished &&
          canChoose &&
          ' Use the switches below, or turn SmartPause on for all active campaigns.'}
      </Text>
      <Steps done={done} count={hasTest ? 4 : 3} />
      {!isInitialized && <BannerLink to="/settings">Complete your setup in Settings</BannerLink>}
      {canChoose && (
        <Group gap="sm">
          {isComplete ? (
            <Box h={36} w={{ base: '100%', sm: 0 }} />
          ) : (
            <div ref={leaveFocusToList}>
              <TurnOnAllButton>Turn on for all active campaigns</TurnOnAllButton>
            </div>
          )}
          {hasTest && <TryButtons />}
        </Group>
      )}
    </Alert>
  );
}

function Steps({ done, count }: { done: number; count: number }) {
  return (
    <Group component="ol" my="xs" p={0} style={{ listStyle: 'none', columnGap: 24, rowGap: 4 }}>
      {STEPS.slice(0, count).map((step, index) => (
        <Group key={step} component="li" gap={8} wrap="nowrap" {...(index < done && { c: 'dimmed' })}>
          {index < done ? <CheckMark /> : `${index + 1}.`}
          <span>
            {index < done && <VisuallyHidden>Done: </VisuallyHidden>}
            {step}
          </span>
        </Group>
      ))}
    </Group>
  );
}
