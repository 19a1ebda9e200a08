import { Group, NativeSelect, NumberInput, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resumeCopy } from '#core/labels.ts';
import type { DayZone, DelayUnit, ResumeMode, ResumeSettings } from '#core/settings.ts';
import { DELAY_MAX, DELAY_UNITS, RESUME_MODES, clampDelay } from '#core/settings.ts';
import { firstResumeTime, resumeTime } from '#core/smartpause/resume-time.ts';
import { restOfDay, restOfDayCopy } from '#core/spend/rest-of-day.ts';
import type { Instant } from '#core/time.ts';
import { Muted } from '../../components/muted.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { userStatusQuery } from '../status/api.ts';
import { Effect } from './threshold-slider.tsx';
import type { FormState } from './use-settings-form.ts';
import { DELAY_FIELD, rangeOf } from './use-settings-form.ts';

const WORDS: Record<Exclude<ResumeMode, 'next_day'>, { label: string; description: string }> = {
  instant: { label: 'Immediately', description: 'As soon as the disruption drops below your threshold.' },
  delay: { label: 'After a delay', description: 'Once it has stayed below your threshold for this long.' },
};

function nextDayCopy(value: ResumeSettings) {
  const where = value.mode === 'next_day' && value.zone === 'account' ? ZONES.account : ZONES[''];
  return { label: 'Next day', description: `At the next 12:01 AM ${where.at}.` };
}

const ZONES: Record<DayZone | '', { label: string; at: string }> = {
  '': { label: 'New York (EST)', at: 'EST' },
  account: { label: 'Each ad account’s', at: 'in the ad account’s time zone' },
};

/** Meta counts budgets by days of the ad account. */
function ZoneField({ form }: { form: FormState }) {
  return (
    <NativeSelect
      label="Time zone"
      description="Meta starts a new day’s budget at midnight in the ad account’s time zone."
      w={{ base: '100%', sm: 320 }}
      pl={32}
      pt="xs"
      data={Object.entries(ZONES).map(([value, { label }]) => ({ value, label }))}
      {...form.getInputProps('resumeSettings.zone')}
    />
  );
}

/**
 * The current effect: 'at 9:47 PM EST, in 5 min'.
 * @param timeZones of the ad accounts
 */
export function wouldResume(
  settings: ResumeSettings,
  now: Instant,
  timeZones: readonly (string | null)[],
): string {
  if (settings.mode === 'instant') return 'immediately';
  const at = firstResumeTime(settings, now, timeZones);
  const isFirst = new Set(timeZones.map((timeZone) => resumeTime(settings, now, timeZone))).size > 1;
  return `${isFirst ? 'at 12:01 AM in each ad account’s time zone: the first ' : ''}${atOrOnTime(at, now)}, ${timeUntil(at, now)}`;
}

interface ResumeOptionsProps {
  form: FormState;
  /** The title above it says what it is. */
  isTitled: boolean;
  /** That meets the saved threshold. */
  isOutage: boolean;
  /** What the form would save. */
  value: ResumeSettings;
}

export function ResumeOptions({ form, isTitled, isOutage, value }: ResumeOptionsProps) {
  const now = useNow();
  const hasAccountDay = useHasCapability('account_day');
  const { data: user } = useQuery(userStatusQuery);
  const timeZones = user?.coverage?.map(({ timeZone = null }) => timeZone) ?? [];
  const isWrong = value.mode === 'delay' && form.errors[DELAY_FIELD] !== undefined;
  // Of all protected campaigns that run, as if an outage ended now.
  const running = (user?.coverage ?? []).map(({ protected: spend, currency, timeZone }) => {
    return { ...spend, currency, timeZone, at: resumeTime(value, now, timeZone ?? null) };
  });
  const rest = isWrong ? null : restOfDayCopy(restOfDay(running));
  const sentence = isWrong
    ? 'Enter a valid delay to see when campaigns would resume.'
    : isOutage
      ? `When this outage ends, campaigns resume ${resumeCopy(value)}.`
      : `If an outage ended now, campaigns would resume ${wouldResume(value, now, timeZones)}.`;
  return (
    <Radio.Group
      {...(isTitled
        ? { 'aria-label': 'Auto-resume' }
        : { label: 'Auto-resume', description: 'When paused campaigns turn back on after an outage.' })}
      {...form.getInputProps('resumeSettings.mode')}
    >
      <Stack gap="sm" mt={isTitled ? 0 : 'sm'}>
        {RESUME_MODES.map((mode) => (
          <div key={mode}>
            <Radio value={mode} {...(mode === 'next_day' ? nextDayCopy(value) : WORDS[mode])} />
            {mode === 'delay' && value.mode === 'delay' && <DelayFields form={form} />}
            {mode === 'next_day' && value.mode === 'next_day' && hasAccountDay && <ZoneField form={form} />}
          </div>
        ))}
      </Stack>
      <Effect mt={20}>{sentence}</Effect>
      {rest !== null && <Muted mt="xs">{rest}</Muted>}
    </Radio.Group>
  );
}

function DelayFields({ form }: { form: FormState }) {
  const { value, unit } = form.values.resumeSettings.delay;
  const error = form.errors[DELAY_FIELD];
  const [lastValid, setLastValid] = useState(Number(value));
  if (error === undefined && lastValid !== Number(value)) setLastValid(Number(value));
  const onUnit = (chosen: DelayUnit) => {
    const next = { value: Number(value) > 0 ? Number(value) : lastValid, unit: chosen };
    form.setFieldValue('resumeSettings.delay', clampDelay(next));
    form.clearFieldError(DELAY_FIELD);
  };
  return (
    <Group gap="sm" align="flex-start" pl={32} pt="xs">
      <NumberInput
        label="Delay"
        // The error takes its place.
        description={error === undefined && rangeOf(unit)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        styles={{ error: { whiteSpace: 'nowrap' } }}
        w={110}
        min={1}
        max={DELAY_MAX[unit]}
        clampBehavior="none"
        allowDecimal={false}
        {...form.getInputProps(DELAY_FIELD)}
      />
      <NativeSelect
        label="Unit"
        w={130}
        data={DELAY_UNITS}
        value={unit}
        onChange={(event) => onUnit(event.currentTarget.value as DelayUnit)}
      />
    </Group>
  );
}
