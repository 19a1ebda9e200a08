import { Alert, Group, Text, VisuallyHidden } from '@mantine/core';
import { CheckMark } from '../../components/icons.tsx';
import { BannerLink } from '../../components/links.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { useAdAccounts } from '../../lib/queries.ts';
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

/** What is left before campaigns are protected. */
export function Checklist({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  const hasTest = useHasCapability('test_run');
  const hasAccounts = useAdAccounts().data?.length !== 0;
  if (isInitialized && user?.hasChosenCampaigns !== false) return null;
  const done = isInitialized ? 2 : 1;
  return (
    <Alert
      ref={leaveFocusToList}
      role="note"
      color={isInitialized ? 'blue' : 'orange'}
      title={isInitialized ? 'Last step: choose campaigns' : 'Account Setup Required'}
    >
      <Text inherit>
        Nothing is protected yet.
        {isInitialized &&
          hasAccounts &&
          ' Use the switches below, or turn SmartPause on for all active campaigns.'}
      </Text>
      <Group component="ol" my="xs" p={0} style={{ listStyle: 'none', columnGap: 24, rowGap: 4 }}>
        {STEPS.slice(0, hasTest ? 4 : 3).map((step, index) => (
          <Group key={step} component="li" gap={8} wrap="nowrap" {...(index < done && { c: 'dimmed' })}>
            {index < done ? <CheckMark /> : `${index + 1}.`}
            <span>
              {index < done && <VisuallyHidden>Done: </VisuallyHidden>}
              {step}
            </span>
          </Group>
        ))}
      </Group>
      {!isInitialized && <BannerLink to="/settings">Complete your setup in Settings</BannerLink>}
      {isInitialized && hasAccounts && (
        <Group gap="sm">
          <TurnOnAllButton />
          {hasTest && <TryButtons />}
        </Group>
      )}
    </Alert>
  );
}
