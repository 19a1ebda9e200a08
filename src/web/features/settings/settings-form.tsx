import { Box, Button, Checkbox, Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import { NEW_CAMPAIGNS_MS } from '#core/list-age.ts';
import { isSameResume } from '#core/settings.ts';
import { minutes } from '#core/time.ts';
import { useAuth, useUser } from '../auth/auth-provider.tsx';
import { OutcomeNotice } from '../../components/outcome-notice.tsx';
import { usePlatformStatus } from '../status/api.ts';
import { useInitialize, useSaveSettings } from './api.ts';
import { useOutcome } from '../../lib/use-outcome.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { PrivacyLink, TermsLink } from '../legal/legal-links.tsx';
import { ResumeOptions } from './resume-options.tsx';
import { ThresholdSlider } from './threshold-slider.tsx';
import { LinkButton } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import classes from './settings.module.css';
import type { Draft } from './unfinished-setup.ts';
import { keepUnfinishedSetup, readUnfinishedSetup } from './unfinished-setup.ts';

/** The settings; until they are completed, as the steps of the setup. */
export function SettingsForm({ saved }: { saved: Draft }) {
  const { isInitialized } = useUser();
  const { draft, change, isLocked } = useDraft(saved);
  const isChanged = isInitialized && differs(draft, saved);
  const [agreed, setAgreed] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  const { outcome, pending, submit } = useSubmit(isInitialized, () => focusIfLost(notice.current));
  const incomplete = draft.email.trim() === '' || (isInitialized ? !isChanged : !agreed);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    submit({ ...draft, email: draft.email.trim() });
  };
  return (
    <form onSubmit={onSubmit} aria-label="SmartPause settings">
      <Stack gap="xl">
        <Email value={draft.email} onChange={(email) => change({ email })} />
        <Step number={1} title="When to pause">
          <ThresholdSlider
            value={draft.outageThreshold}
            locked={isLocked}
            onChange={(outageThreshold) => change({ outageThreshold })}
          />
        </Step>
        <Step number={2} title="When to resume">
          <ResumeOptions
            value={draft.resumeSettings}
            onChange={(resumeSettings) => change({ resumeSettings })}
          />
        </Step>
        <Step number={3} title="Which campaigns">
          <NewCampaigns
            on={draft.onForNewCampaigns}
            onChange={(onForNewCampaigns) => change({ onForNewCampaigns })}
          />
        </Step>
        {!isInitialized && <Terms agreed={agreed} onChange={setAgreed} />}
        <Box>
          <Group>
            <Button type="submit" disabled={incomplete || pending} loading={pending}>
              {isInitialized ? 'Save settings' : 'Complete Account Setup'}
            </Button>
            {isInitialized && (
              <LinkButton to="/" variant="subtle">
                Go to campaigns
              </LinkButton>
            )}
            {isChanged && !pending && <Muted>Unsaved changes</Muted>}
          </Group>
          <Box ref={notice} tabIndex={-1} className="notice" mt={outcome === null ? 0 : 'md'}>
            <OutcomeNotice outcome={outcome} />
          </Box>
        </Box>
        <LeaveGuard isChanged={isChanged && !pending} />
      </Stack>
    </form>
  );
}

function Email({ value, onChange }: { value: string; onChange: (email: string) => void }) {
  return (
    <TextInput
      type="email"
      label="Email"
      description="We email you here whenever campaigns are paused or resumed."
      required
      maxLength={254}
      autoComplete="email"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface NewCampaignsProps {
  /** Undefined: the server has no such setting. */
  on: boolean | undefined;
  onChange: (on: boolean) => void;
}

function NewCampaigns({ on, onChange }: NewCampaignsProps) {
  const { isInitialized } = useUser();
  return (
    <>
      {!isInitialized && (
        <Muted mb="md">You choose them on your dashboard next, one by one or all active ones at once.</Muted>
      )}
      {on !== undefined && (
        <Switch
          checked={on}
          onChange={(event) => onChange(event.currentTarget.checked)}
          label="Turn SmartPause on for new campaigns"
          description={`Campaigns that you create later get it when SmartPause next reads their ad account’s list, usually within ${NEW_CAMPAIGNS_MS / minutes(1)} minutes.`}
        />
      )}
    </>
  );
}

interface StepProps {
  number: number;
  title: string;
  children: ReactNode;
}

/** One step of the setup; plain once the account is set up. */
function Step({ number, title, children }: StepProps) {
  if (useUser().isInitialized) return <div>{children}</div>;
  return (
    <section aria-label={`Step ${number} of 3: ${title}`}>
      <Group gap="sm" mb="md" wrap="nowrap">
        <Text span className={classes.step ?? ''} aria-hidden="true">
          {number}
        </Text>
        <Title order={3} fz="md">
          {title}
        </Title>
      </Group>
      {children}
    </section>
  );
}

/** What the user has entered and not saved; an unfinished setup also survives a reload. */
function useDraft(saved: Draft) {
  const { isInitialized, name } = useUser();
  const status = usePlatformStatus();
  const isLocked = status !== null && status.status !== 'UP' && status.status !== 'UNKNOWN';
  const [typed, setTyped] = useState<Draft>(() => {
    const { email, outageThreshold, resumeSettings } = saved;
    const unfinished = isInitialized ? null : readUnfinishedSetup(name);
    const { onForNewCampaigns } = { ...saved, ...unfinished };
    // A server without this setting does not expect it.
    const forNew = saved.onForNewCampaigns === undefined ? {} : { onForNewCampaigns };
    return { ...(unfinished ?? { email, outageThreshold, resumeSettings }), ...forNew };
  });
  // The server refuses a threshold that was changed before the outage locked it.
  const draft = isLocked ? { ...typed, outageThreshold: saved.outageThreshold } : typed;
  const change = (part: Partial<Draft>) => {
    setTyped((before) => ({ ...before, ...part }));
    if (!isInitialized) keepUnfinishedSetup(name, { ...typed, ...part });
  };
  return { draft, change, isLocked };
}

function differs(draft: Draft, saved: Draft): boolean {
  return (
    draft.email.trim() !== saved.email ||
    draft.outageThreshold !== saved.outageThreshold ||
    draft.onForNewCampaigns !== saved.onForNewCampaigns ||
    !isSameResume(draft.resumeSettings, saved.resumeSettings)
  );
}

/** A disabled button loses the focus during submit; a focus elsewhere stays. */
function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}

/** Saving and completing the setup differ only in call and texts. */
function useSubmit(isInitialized: boolean, onSettled: () => void) {
  const [outcome, setOutcome] = useOutcome();
  const save = useSaveSettings();
  const initialize = useInitialize(useAuth().updateToken);
  const [call, done, failed] = isInitialized
    ? [save, 'Settings saved successfully', 'Failed to save settings']
    : [initialize, 'Account initialized successfully!', 'Failed to initialize account'];
  const submit = (settings: Draft) => {
    setOutcome(null);
    call.mutate(settings, {
      onSuccess: () => setOutcome({ ok: true, text: done }),
      onError: (error) => setOutcome({ ok: false, text: failed, error }),
      onSettled,
    });
  };
  return { outcome, pending: save.isPending || initialize.isPending, submit };
}

function Terms({ agreed, onChange }: { agreed: boolean; onChange: (agreed: boolean) => void }) {
  return (
    <Checkbox
      checked={agreed}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={
        <>
          I agree to the <TermsLink /> and the <PrivacyLink />.
        </>
      }
      description="We email you about every pause and resume. These emails can’t be turned off."
    />
  );
}
