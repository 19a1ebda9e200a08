import { Alert, Box, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { hashKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import type { SettingsBody } from '#contract/shapes.ts';
import { resumeCopy } from '#core/labels.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { LinkButton, PrivacyLink, TermsLink, TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { Outcome } from '../../components/outcome.tsx';
import { errorMessage, hasCode } from '../../lib/api-client.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import type { Draft } from '../replay/what-if.tsx';
import { PastOutages, PausedOutages } from '../replay/what-if.tsx';
import { Unreached } from '../email/unreached.tsx';
import { usePlatformLevel } from '../status/api.ts';
import { useSaveSettings } from './api.ts';
import { EarlyWarningField } from './early-warning-choice.tsx';
import { useUnsaved } from './leave-guard.tsx';
import { ResumeOptions } from './resume-options.tsx';
import classes from './settings.module.css';
import { Switches } from './switches.tsx';
import { MEANINGS, ThresholdSlider } from './threshold-slider.tsx';
import type { FormState } from './use-settings-form.ts';
import { DELAY_FIELD, useSettingsForm } from './use-settings-form.ts';

export const SETUP_STEPS = ['When to pause', 'When to resume', 'Where to email you'] as const;
const LAST_STEP = SETUP_STEPS.length - 1;
export const EMAILS = 'We email you about every pause and resume. These emails can’t be turned off.';

const WIDE_ON_PHONE = { base: '1 1 100%', xs: 'none' } as const;

interface SettingsFormProps {
  /** Null: this page does not know one of them, and would save another over it. */
  saved: SettingsBody | null;
  /** Those that are shown: the address, and the emails that can be turned off. */
  only?: 'notifications';
  /** One step of the setup, from 0; without it, all settings are shown. */
  step?: number;
  /** Goes to another step. */
  onStep?: (step: number) => void;
  /** The setup is complete. */
  onSetup?: () => void;
  /** Told what the form has, from its first time on. */
  onDraft?: (draft: Draft) => void;
}

/** All settings, or one step of the setup. */
export function SettingsForm({ saved, ...rest }: SettingsFormProps) {
  if (saved !== null) return <Form saved={saved} {...rest} />;
  return (
    <Group justify="space-between" gap="sm">
      <Text fz="sm">Your settings need the newest version of this page.</Text>
      <Button variant="default" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Group>
  );
}

function Form({ saved, only, step, onStep, onSetup, onDraft }: SettingsFormProps & { saved: SettingsBody }) {
  const hasReplay = useHasCapability('replay');
  const level = usePlatformLevel()?.status ?? 'UNKNOWN';
  const isLocked = meetsThreshold(level, 'LOW');
  const part = only === undefined ? step : LAST_STEP;
  const isTitled = part !== undefined;
  const shows = (one: number) => !isTitled || part === one;
  const fields = [...(shows(1) ? [DELAY_FIELD] : []), ...(shows(LAST_STEP) ? ['email'] : [])];
  const { form, draft, valid, isChanged } = useSettingsForm(saved, isLocked, fields);
  const saving = useSaveSettings(only, onSetup);
  useUnsaved(isChanged && !saving.isPending);
  useEffect(() => onDraft?.(valid), [onDraft, valid]);
  const onSubmit = form.onSubmit(
    () =>
      shows(LAST_STEP) ? saving.mutate(draft, { onError: sayAtField(form) }) : onStep?.((step ?? 0) + 1),
    (faults) => form.getInputNode(fields.find((field) => field in faults) ?? '')?.focus(),
  );
  const back = step !== undefined && step > 0 && (
    <Button variant="subtle" color="gray" flex={WIDE_ON_PHONE} onClick={() => onStep?.(step - 1)}>
      Back
    </Button>
  );
  return (
    <form onSubmit={onSubmit} aria-label="SmartPause settings" noValidate>
      <Stack gap="xl">
        {shows(LAST_STEP) && <EmailField {...{ form, isTitled, step }} saved={saved.email} />}
        {shows(0) && (
          <ThresholdSlider
            isTitled={isTitled}
            value={draft.outageThreshold}
            locked={isLocked}
            onChange={(threshold) => form.setFieldValue('outageThreshold', threshold)}
            noteOf={(outageThreshold) =>
              hasReplay && <PausedOutages {...valid} outageThreshold={outageThreshold} />
            }
          >
            {hasReplay && <PastOutages {...valid} />}
          </ThresholdSlider>
        )}
        {shows(1) && (
          <ResumeOptions
            {...{ form, isTitled }}
            isOutage={meetsThreshold(level, saved.outageThreshold)}
            value={draft.resumeSettings}
          />
        )}
        {!isTitled && <EarlyWarningField form={form} />}
        {step === undefined && <Switches form={form} of={only ?? 'smartpause'} />}
        {step === LAST_STEP && <Chosen {...draft} />}
        <SavedElsewhere saved={saved} isChanged={isChanged} sent={saving.variables} />
        {shows(LAST_STEP) ? (
          <Save {...{ saving, isChanged, back }} email={draft.email} isAlone={only !== undefined} />
        ) : (
          <Continue back={back} />
        )}
      </Stack>
    </form>
  );
}

/** What the server says about the address stands at it. */
const sayAtField = (form: FormState) => (error: Error) =>
  hasCode(error, 'ADDRESS_REFUSED') && form.setFieldError('email', errorMessage('Check the address.', error));

function Continue({ back }: { back: ReactNode }) {
  return (
    <Group>
      <Button type="submit" flex={WIDE_ON_PHONE}>
        Continue
      </Button>
      {back}
    </Group>
  );
}

/** The choices of the steps before. */
function Chosen({ outageThreshold, resumeSettings }: SettingsBody) {
  return (
    <div>
      <Text fz={13} fw={600} mb={2}>
        Your choices ·{' '}
        <TextLink to="?step=1" fw={400}>
          Change
        </TextLink>
      </Text>
      <Muted>
        {MEANINGS[outageThreshold]}
        <br />
        Resume {resumeCopy(resumeSettings)}.
      </Muted>
      <Muted mt="md">Next: choose your campaigns. Until then, nothing is paused.</Muted>
    </div>
  );
}

interface EmailFieldProps {
  form: FormState;
  /** The title above it says what it is for. */
  isTitled: boolean;
  /** Of the setup, which saves it; undefined: it is saved. */
  step: number | undefined;
  saved: string;
}

function EmailField({ form, isTitled, step, saved }: EmailFieldProps) {
  return (
    <div>
      <TextInput
        type="email"
        label="Email"
        {...(!isTitled && { description: EMAILS })}
        required
        maxLength={254}
        autoComplete="email"
        {...form.getInputProps('email')}
      />
      {step === undefined && form.getValues().email.trim() === saved && <Unreached />}
    </div>
  );
}

interface SavedElsewhereProps {
  saved: SettingsBody;
  isChanged: boolean;
  sent: SettingsBody | undefined;
}

/** Other settings than ours were saved since the user began to change them here. */
function SavedElsewhere({ saved, isChanged, sent }: SavedElsewhereProps) {
  const [before, setBefore] = useState(saved);
  const isSame = (one: SettingsBody | undefined) => hashKey([one]) === hashKey([saved]);
  const isFollowed = !isChanged || isSame(before) || isSame(sent);
  if (before !== saved && isFollowed) setBefore(saved);
  if (isFollowed) return null;
  return (
    <Alert role="status" color="yellow" title="Settings were saved in another tab">
      This page shows them, except for your own changes, which aren’t saved yet.
    </Alert>
  );
}

/** Before the button works. */
function missingSteps(email: string, hasAgreed: boolean): string[] {
  const steps = [email === '' ? 'enter your email' : '', hasAgreed ? '' : 'agree to the terms'];
  return steps.filter((step) => step !== '');
}

/** At the text of the checkbox; its line is kept, so that the button does not move. */
const BELOW_TERMS = { mt: 8, mb: 'lg', ml: 32, mih: '1lh' } as const;

interface SaveProps {
  saving: ReturnType<typeof useSaveSettings>;
  email: string;
  isChanged: boolean;
  back: ReactNode;
  /** Of one setting. */
  isAlone: boolean;
}

/** The button, what it needs first, and what became of the last press. */
function Save({ saving, email, isChanged, back, isAlone }: SaveProps) {
  const { isInitialized } = useUser();
  const [agreed, setAgreed] = useState(false);
  const missing = missingSteps(email, isInitialized || agreed);
  const isReady = missing.length === 0 && (!isInitialized || isChanged);
  const reason = useId();
  const { isPending, isSuccess, isError, data } = saving;
  const outcome = useRef<HTMLDivElement>(null);
  const hasOutcome = isSuccess || isError;
  useEffect(() => {
    // The disabled button has lost the focus, or loses it with the next frame; a focus elsewhere stays.
    if (hasOutcome && document.activeElement?.matches('body, :disabled') === true) outcome.current?.focus();
  }, [hasOutcome]);
  return (
    <Box>
      {!isInitialized && <Terms agreed={agreed} onChange={setAgreed} />}
      <Muted id={reason} {...(isInitialized ? { mb: missing.length > 0 ? 'sm' : 0 } : BELOW_TERMS)}>
        {missing.length > 0 && `To continue, ${missing.join(' and ')}.`}
      </Muted>
      <Group>
        <Button
          type="submit"
          flex={WIDE_ON_PHONE}
          disabled={!isReady || isPending}
          loading={isPending}
          aria-describedby={reason}
        >
          {isInitialized ? 'Save settings' : 'Complete Account Setup'}
        </Button>
        {back}
        <Box
          ref={outcome}
          tabIndex={-1}
          className={`notice ${classes.outcome}`}
          hidden={!isInitialized && !hasOutcome}
        >
          <Outcome
            mutation={saving}
            done={
              data?.isSetup === true ? 'Account initialized successfully!' : 'Settings saved successfully'
            }
            failed={isInitialized ? 'Failed to save settings' : 'Failed to initialize account'}
            advice="Your changes are still here. Try again."
          />
          {isInitialized && isChanged && !isPending && !hasOutcome && <Muted>Unsaved changes</Muted>}
        </Box>
        {isInitialized && !isAlone && (
          <LinkButton to="/" variant="subtle" flex={WIDE_ON_PHONE}>
            Go to campaigns
          </LinkButton>
        )}
      </Group>
    </Box>
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
    />
  );
}
