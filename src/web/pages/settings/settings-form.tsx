import { Box, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { SettingsBody } from '#contract/shapes.ts';
import { useAuth } from '../../auth.tsx';
import { OutcomeNotice } from '../../components/banners/outcome-notice.tsx';
import { usePlatformStatus, useInitialize, useSaveSettings } from '../../api/queries.ts';
import { useOutcome } from '../../hooks/use-outcome.ts';
import { PrivacyLink, TermsLink } from './legal-links.tsx';
import { ResumeOptions } from './resume-options.tsx';
import { ThresholdSlider } from './threshold-slider.tsx';

export type Draft = SettingsBody;

export function SettingsForm({ initial, isInitialized }: { initial: Draft; isInitialized: boolean }) {
  const [draft, setDraft] = useState<Draft>({
    email: initial.email,
    outageThreshold: initial.outageThreshold,
    resumeSettings: initial.resumeSettings,
  });
  const [agreed, setAgreed] = useState(false);
  const status = usePlatformStatus();
  const notice = useRef<HTMLDivElement>(null);
  const { outcome, pending, submit } = useSubmit(isInitialized, () => focusIfLost(notice.current));
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const incomplete = draft.email.trim() === '' || (!isInitialized && !agreed);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    submit({ ...draft, email: draft.email.trim() });
  };
  return (
    <form onSubmit={onSubmit} aria-label="SmartPause settings">
      <Stack gap="xl">
        <TextInput
          type="email"
          label="Email"
          description="SmartPause writes here whenever it pauses or resumes something."
          required
          maxLength={254}
          autoComplete="email"
          value={draft.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <ThresholdSlider
          value={draft.outageThreshold}
          locked={status !== null && status.status !== 'UP' && status.status !== 'UNKNOWN'}
          onChange={(outageThreshold) => change({ outageThreshold })}
        />
        <ResumeOptions
          value={draft.resumeSettings}
          onChange={(resumeSettings) => change({ resumeSettings })}
        />
        {!isInitialized && <Terms agreed={agreed} onChange={setAgreed} />}
        <Box>
          <Group>
            <Button type="submit" disabled={incomplete || pending} loading={pending}>
              {isInitialized ? 'Save Settings' : 'Complete Account Setup'}
            </Button>
            {isInitialized && (
              <Button component={Link} to="/" variant="subtle">
                Go to campaigns
              </Button>
            )}
          </Group>
          <Box ref={notice} tabIndex={-1} className="notice" mt={outcome === null ? 0 : 'md'}>
            <OutcomeNotice outcome={outcome} />
          </Box>
        </Box>
      </Stack>
    </form>
  );
}

/** The button loses the focus when it is disabled while it submits; whoever has moved on is left alone. */
function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}

/** Saving and completing the setup differ in the call and in the words only. */
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
      description="SmartPause sends an email for each of its actions; that cannot be switched off."
    />
  );
}
