import { Box, Card, Container, Group, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { notifyDone } from '../../lib/notify.tsx';
import { useSetParams } from '../../lib/use-set-params.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { useSavedSettings } from './api.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { EMAILS, SETUP_STEPS, SettingsForm } from './settings-form.tsx';

/** Three questions between the checkout and the dashboard. */
export function Setup() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  const { isInitialized } = useUser();
  const { query, saved } = useSavedSettings();
  const [step, setStep] = useStep();
  if (isLoading) return <PagePlaceholder />;
  if (isInitialized || !hasActiveSubscription) return <Navigate to="/" replace />;
  return (
    <Container size={640} py={{ base: 'lg', sm: 56 }}>
      <PageHeading fz={{ base: 26, sm: 32 }} lts={-0.6} mb="lg">
        Set up SmartPause
      </PageHeading>
      <Progress step={step} />
      <Card padding="xl" mt="lg">
        <StepTitle step={step} />
        <QueryContent
          query={query}
          data={saved}
          failure="Your settings couldn’t be loaded."
          heights={[180, 36]}
        >
          {(settings) => (
            <LeaveGuard>
              <SettingsForm
                saved={settings}
                step={step}
                onStep={setStep}
                onSetup={() =>
                  notifyDone('Account initialized successfully!', 'Now choose the campaigns to protect.')
                }
              />
            </LeaveGuard>
          )}
        </QueryContent>
      </Card>
    </Container>
  );
}

/** In the address, so that the browser's back button leads to the step before. */
function useStep() {
  const [params] = useSearchParams();
  const change = useSetParams();
  const given = SETUP_STEPS.findIndex((_, index) => String(index + 1) === params.get('step'));
  return [Math.max(given, 0), (step: number) => change({ step: String(step + 1) })] as const;
}

function Progress({ step }: { step: number }) {
  return (
    <>
      <Muted fw={600} mb={8}>
        Step {step + 1} of {SETUP_STEPS.length}
      </Muted>
      <Group gap={6} grow aria-hidden="true">
        {SETUP_STEPS.map((title, index) => (
          <Box
            key={title}
            h={6}
            bdrs="xl"
            // The step that is not done yet.
            opacity={index === step ? 0.5 : 1}
            bg={index <= step ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-default-border)'}
          />
        ))}
      </Group>
    </>
  );
}

const HINTS = [
  'Meta reports low, medium or high disruptions. How bad must one be to pause your campaigns?',
  'Paused campaigns turn back on by themselves. You can change your choices anytime in Settings.',
  EMAILS,
];

/** Takes the focus when the step changes. */
function StepTitle({ step }: { step: number }) {
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) title.current?.focus();
    shown.current = step;
  }, [step]);
  return (
    <Box mb="lg">
      <Title order={2} fz={22} ref={title} tabIndex={-1}>
        {SETUP_STEPS[step]}
      </Title>
      <Muted mt={4}>{HINTS[step]}</Muted>
    </Box>
  );
}
