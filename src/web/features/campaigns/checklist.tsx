import { Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { CheckMark } from '../../components/check-mark.tsx';
import { BannerLink } from '../../components/links.ts';
import { TryButtons } from '../try/try-buttons.tsx';
import { leaveFocusToList } from './leave-focus.ts';
import { TurnOnAllButton } from './turn-on-all-button.tsx';

interface ChecklistProps {
  isInitialized: boolean;
  /** Nothing is left. */
  isDone: boolean;
}

/** What is left before campaigns are protected; afterwards, until the page is left, the optional test. */
export function Checklist({ isInitialized, isDone }: ChecklistProps) {
  const hasTest = useHasCapability('test_run');
  const [isTestOver, setTestOver] = useState(false);
  return (
    <>
      {!isDone && (
        <Alert
          ref={leaveFocusToList}
          role="note"
          color={isInitialized ? 'blue' : 'orange'}
          title={isInitialized ? 'Last step: choose campaigns' : 'Account Setup Required'}
        >
          <Text inherit>
            Nothing is protected yet.
            {isInitialized && ' Use the switches below, or turn SmartPause on for every running campaign.'}
          </Text>
          <Group component="ol" my="xs" p={0} style={{ listStyle: 'none', columnGap: 24, rowGap: 4 }}>
            <Item number={1} isDone>
              Connect Meta
            </Item>
            <Item number={2} isDone={isInitialized}>
              Choose when to pause and resume
            </Item>
            <Item number={3} isDone={false}>
              Choose campaigns
            </Item>
            <Item number={4} isDone={false}>
              Run a test (optional)
            </Item>
          </Group>
          {isInitialized ? (
            <TurnOnAllButton />
          ) : (
            <BannerLink to="/settings">Complete your setup in Settings</BannerLink>
          )}
        </Alert>
      )}
      {hasTest && isDone && !isTestOver && (
        <Alert ref={leaveFocusToList} role="note" color="blue" title="Optional: run a test">
          <Text inherit mb="xs">
            SmartPause is on. See what an outage would do before there is one.
          </Text>
          <Group gap="sm">
            <TryButtons onTried={() => setTestOver(true)} />
            <Button size="sm" variant="subtle" onClick={() => setTestOver(true)}>
              Skip
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}

function Item({ number, isDone, children }: { number: number; isDone: boolean; children: string }) {
  return (
    <Group component="li" gap={8} wrap="nowrap">
      {isDone ? (
        <CheckMark />
      ) : (
        <Text span inherit className="figures">
          {number}.
        </Text>
      )}
      <Text span inherit {...(isDone && { c: 'dimmed' })}>
        {isDone && <VisuallyHidden>Done: </VisuallyHidden>}
        {children}
      </Text>
    </Group>
  );
}
