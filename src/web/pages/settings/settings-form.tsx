import { Box, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import type { SettingsBody } from '#contract/shapes.ts';
import { isSameResume } from '#core/settings.ts';
import { useAuth } from '../../auth.tsx';
import { OutcomeNotice } from '../../components/banners/outcome-notice.tsx';
import { usePlatformStatus, useInitialize, useSaveSettings } from '../../api/queries.ts';
import { useOutcome } from '../../hooks/use-outcome.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { PrivacyLink, TermsLink } from './legal-links.tsx';
import { NewCampaigns } from './new-campaigns.tsx';
import { ResumeOptions } from './resume-options.tsx';
import { LastStep, Step } from './setup-steps.tsx';
import { ThresholdSlider } from './threshold-slider.tsx';
import { LinkButton } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';

export type Draft = SettingsBody;

interface SettingsFormProps {
  saved: Draft;
  /** What the user left in an unfinished setup. */
  unfinished: Draft | null;
  isInitialized: boolean;
  /** Keeps the unfinished setup. */
  onDraft: (draft: Draft) => void;
}

/** The settings; until they are completed, as the steps of the setup. */
export function SettingsForm({ saved, unfinished, isInitialized, onDraft }: SettingsFormProps) {
  const { draft, change, isLocked } = useDraft(saved, unfinished, isInitialized ? null : onDraft);
  const isChanged = isInitialized && differs(draft, saved);
  const [agreed, setAgreed] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  const { outcome, pending, submit } = useSubmit(isInitialized, () => focusIfLost(notice.current));
  const newCampaigns = (
    <NewCampaigns
      on={draft.onForNewCampaigns}
      onChange={(onForNewCampaigns) => change({ onForNewCampaigns })}
    />
  );
  const incomplete = draft.email.trim() === '' || (isInitialized ? !isChanged : !agreed);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    submit({ ...draft, email: draft.email.trim() });
  };
  return (
    <form onSubmit={onSubmit} aria-label="SmartPause settings">
      <Stack gap="xl">
        <Email value={draft.email} onChange={(email) => change({ email })} />
        <Step number={1} title="When to pause" isPlain={isInitialized}>
          <ThresholdSlider
            value={draft.outageThreshold}
            locked={isLocked}
            onChange={(outageThreshold) => change({ outageThreshold })}
          />
        </Step>
        <Step number={2} title="When to resume" isPlain={isInitialized}>
          <ResumeOptions
            value={draft.resumeSettings}
            onChange={(resumeSettings) => change({ resumeSettings })}
          />
        </Step>
        {isInitialized ? newCampaigns : <LastStep>{newCampaigns}</LastStep>}
        {!isInitialized && <Terms agreed={agreed} onChange={setAgreed} />}
        <Box>
          <Group>
            <Button type="submit" disabled={incomplete || pending} loading={pending}>
              {isInitialized ? 'Save Settings' : 'Complete Account Setup'}
            </Button>
            {isInitialized && <AfterSave isChanged={isChanged && !pending} />}
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

function useDraft(saved: Draft, unfinished: Draft | null, keep: ((draft: Draft) => void) | null) {
  const status = usePlatformStatus();
  const isLocked = status !== null && status.status !== 'UP' && status.status !== 'UNKNOWN';
  const [typed, setTyped] = useState<Draft>(() => {
    const { email, outageThreshold, resumeSettings } = unfinished ?? saved;
    const { onForNewCampaigns } = { ...saved, ...unfinished };
    // A server without this setting does not expect it.
    const forNew = saved.onForNewCampaigns === undefined ? {} : { onForNewCampaigns };
    return { email, outageThreshold, resumeSettings, ...forNew };
  });
  // The server refuses a threshold that was changed before the outage locked it.
  const draft = isLocked ? { ...typed, outageThreshold: saved.outageThreshold } : typed;
  const change = (part: Partial<Draft>) => {
    setTyped((before) => ({ ...before, ...part }));
    keep?.({ ...typed, ...part });
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
  const submit = (settings: SettingsBody) => {
    setOutcome(null);
    call.mutate(settings, {
      onSuccess: () => setOutcome({ ok: true, text: done }),
      onError: (error) => setOutcome({ ok: false, text: failed, error }),
      onSettled,
    });
  };
  return { outcome, pending: save.isPending || initialize.isPending, submit };
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

function AfterSave({ isChanged }: { isChanged: boolean }) {
  return (
    <>
      <LinkButton to="/" variant="subtle">
        Go to campaigns
      </LinkButton>
      {isChanged && <Muted>Unsaved changes</Muted>}
    </>
  );
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
